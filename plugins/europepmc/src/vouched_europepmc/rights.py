"""The rights statements of a JATS article, each with its place and line: facts for the licence gate, no judgement."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from vouched.api import Access, Statement

from vouched_europepmc.jats_inline import entity, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["access", "copyright_line", "figure_statements", "statements"]

_XLINK = "{http://www.w3.org/1999/xlink}href"
_FLOATS = {"fig": "figure", "table-wrap": "table", "supplementary-material": "data", "media": "figure"}
# What a reference may apply to instead of the text at hand (NISO RP-22, Crossref's `applies_to`).
_OTHER_USES = {"am", "accepted-manuscript", "tdm", "stm-asf"}
# A sentence that gives the licence of the data, not of the article.
_OF_DATA = re.compile(
    r"\bappl(?:y|ies|ied)\s+(?:only\s+)?to\s+(?:the\s+|all\s+|any\s+)?(?:\w+\s+){0,2}?(?:meta)?data\b"
    r"|^\W*(?:the\s+|all\s+|any\s+|our\s+)?(?:\w+\s+){0,2}?(?:meta)?data(?:\s?sets?)?\s+(?:\S+\s+){0,12}?(?:are|is|has|have)\b",
    re.IGNORECASE,
)
# A sentence that says of what only together with the one before it.
_LEANS = re.compile(r"\W*(?:it|they|these|those|both)\b|\W*$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;!?])(?<!\.[A-Z]\.)(?<!\s[A-Z]\.)\s+(?=[A-Z(])|\n")


def statements(article: "_Element") -> list[Statement]:
    """All rights statements of an `article`, in document order.

    Those of `article-meta/permissions` (and of a `copyright-statement` directly in `article-meta`, the form of 2007)
    speak for the article; those of figures, tables, supplements and sub-articles name their own object. Statements in
    body text, references and data sections are not rights statements of anything and are left out.
    """
    found: list[Statement] = []
    meta = article.find("front/article-meta")
    if meta is None:
        meta = article.find("front-stub")
    if meta is not None:
        for child in meta:
            if child.tag == "permissions":
                found += _permissions(child, "permissions", "article")
            elif child.tag in ("copyright-statement", "license"):
                found += _one(child, "permissions", "article")
    for permissions in article.iter("permissions"):
        owner = permissions.getparent()
        if owner is not None and owner is not meta:
            found += _foreign(permissions, owner)
    return found


def figure_statements(node: "_Element") -> list[Statement]:
    """The statements of a figure's or table's own `permissions`."""
    place = _FLOATS.get(str(node.tag), "figure")
    return [
        statement
        for permissions in node.iterchildren("permissions")
        for statement in _permissions(permissions, place, node.get("id") or place)
    ]


def copyright_line(article: "_Element") -> str:
    """The article's copyright statement as written, else holder and year as recorded."""
    meta = article.find("front/article-meta")
    if meta is None:
        return ""
    for path in ("permissions/copyright-statement", "copyright-statement"):
        node = meta.find(path)
        if node is not None and (text := text_of(node)):
            return text
    permissions = meta.find("permissions")
    if permissions is None:
        return ""
    parts = [text_of(node) for name in ("copyright-year", "copyright-holder") for node in permissions.findall(name)]
    line = " ".join(part for part in parts if part)
    return line if not line or re.search(r"©|copyright", line, re.IGNORECASE) else f"© {line}"


def access(article: "_Element", flags: Access | None) -> Access:
    """The record's flags together with what the file itself says; the record's own flags are never overruled."""
    found = statements(article)
    kinds = {node.get("pub-id-type") or "" for node in article.findall("front/article-meta/article-id")}
    properties = _properties(article)
    manuscript = "manuscript" in properties or any(kind.startswith("manuscript") for kind in kinds)
    if manuscript or (flags is not None and flags.manuscript):
        found = [_of_manuscript(statement) for statement in found]
    if flags is not None:
        return msgspec.structs.replace(
            flags,
            statements=found,
            manuscript=flags.manuscript or manuscript,
            published=flags.published or _published(article),
        )
    return Access(
        open=True if "open_access" in properties else None,
        in_archive=bool(kinds & {"pmc", "pmcid"}),
        preprint="preprint" in properties or article.get("article-type") == "preprint",
        manuscript=manuscript,
        statements=found,
        source="the text itself",
        published=_published(article),
    )


def _of_manuscript(statement: Statement) -> Statement:
    """What applies to the accepted manuscript applies to a text that is one."""
    own = statement.object in ("am", "accepted-manuscript")
    return msgspec.structs.replace(statement, place="permissions", object="article") if own else statement


def _published(article: "_Element") -> str:
    """The latest date of publication, as far as it is known: a licence that follows an embargo begins by it.

    The dates on which an archive got or released the text are not those of publication.
    """
    dates = []
    for node in article.iterfind("front/article-meta/pub-date"):
        kind = f"{node.get('pub-type')} {node.get('date-type')}"
        if "release" not in kind and "submitted" not in kind:
            numbers = [_text_at(node, name) for name in ("year", "month", "day")]
            known = numbers[: next((place for place, number in enumerate(numbers) if not number.isdecimal()), 3)]
            dates.append("-".join(number.zfill(2) for number in known))
    return max(dates, default="")


def _properties(article: "_Element") -> set[str]:
    """`<?properties open_access?>` and `pmc-prop-…` custom metadata, as words."""
    words: set[str] = set()
    for child in article:
        if not isinstance(child.tag, str) and getattr(child, "target", "") == "properties":
            words |= set((child.text or "").split())
    for custom in article.iterfind("front/article-meta/custom-meta-group/custom-meta"):
        name = _text_at(custom, "meta-name")
        if name.startswith("pmc-prop-") and _text_at(custom, "meta-value").lower() in ("yes", "true", "y"):
            words.add(name.removeprefix("pmc-prop-").replace("-", "_"))
    return words


def _line(node: "_Element") -> int:
    return int(getattr(node, "sourceline", None) or 0)


def _text_at(node: "_Element", path: str) -> str:
    found = node.find(path)
    return "" if found is None else text_of(found)


def _foreign(permissions: "_Element", owner: "_Element") -> list[Statement]:
    """The statements of a figure, a box or a sub-article: its kind is the nearest one's, its name the nearest id."""
    place, name, node = "", "", owner
    while node is not None and not (place and node.tag in ("sub-article", "response")) and not (place and name):
        place = place or _FLOATS.get(str(node.tag), "")
        name = name or node.get("id") or ""
        node = node.getparent()  # type: ignore[assignment]
    return _permissions(permissions, place or "body", name or place or "body")


def _permissions(permissions: "_Element", place: str, object_: str) -> list[Statement]:
    return [found for child in permissions for found in _one(child, place, object_)]


def _one(node: "_Element", place: str, object_: str) -> list[Statement]:
    name, line = _local(node), _line(node)
    if name == "license":
        return list(_license(node, place, object_))
    if name in ("copyright-statement", "copyright-holder"):
        text = text_of(node)
        own = "copyright" if place == "permissions" else place
        return [_statement(text=text, place=own, object_=object_, line=line)] if text else []
    if name == "free_to_read":
        return [_statement(licence_type="free_to_read", text=_dates(node), place=place, object_=object_, line=line)]
    return [_reference(node, place, object_)] if name == "license_ref" else []


def _license(node: "_Element", place: str, object_: str) -> Iterator[Statement]:
    place, object_ = _applied(node, place, object_)
    for reference in node.iter():
        if _local(reference) == "license_ref":
            yield _reference(reference, place, object_)
    text, sentences = _prose(node)
    kind = node.get("license-type") or ""
    url = (node.get(_XLINK) or "").strip()
    if text or url or kind:
        yield _statement(text=text, url=url, licence_type=kind, place=place, object_=object_, line=_line(node))
    for link, sentence in sentences.items():
        target = (link.get(_XLINK) or text_of(link)).strip()
        if target and target != url:
            of_data = bool(_OF_DATA.search(sentence))
            yield _statement(
                text=sentence,
                url=target,
                place="data" if of_data else place,
                object_="data" if of_data else object_,
                line=_line(link),
            )


def _reference(node: "_Element", place: str, object_: str) -> Statement:
    place, object_ = _applied(node, place, object_)
    return _statement(
        text=_dates(node),
        url=(node.text or "").strip(),
        licence_type=node.get("content-type") or node.get("specific-use") or "",
        place=place,
        object_=object_,
        line=_line(node),
    )


def _applied(node: "_Element", place: str, object_: str) -> tuple[str, str]:
    """Place and object of what a licence applies to: the accepted manuscript and text mining are not this article."""
    for name in ("applies_to", "specific-use"):
        use = (node.get(name) or "").strip().lower().replace(" ", "-")
        if use in _OTHER_USES:
            return "body", use
    return place, object_


def _dates(node: "_Element") -> str:
    """`applies from 2026-03-25` where the element has a start date; a licence may begin after an embargo."""
    found = {str(name).rpartition("}")[2].replace("-", "_"): str(value) for name, value in node.attrib.items()}
    return " ".join(
        f"applies {word} {'-'.join(value.split())}"
        for word, name in (("from", "start_date"), ("until", "end_date"))
        if (value := found.get(name))
    )


def _local(node: "_Element") -> str:
    """The name without its namespace, which is written in several ways; "" for comments and instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _prose(license_: "_Element") -> "tuple[str, dict[_Element, str]]":
    """The licence's words, and for each link in it the sentence that it stands in.

    The machine-readable reference is left out: it stands before the first sentence without a space.
    """
    pieces: list[str] = []
    places: dict[_Element, int] = {}

    def walk(node: "_Element", place: int) -> int:
        """Collect the words below `node`, which begin at character `place`; gives where they end."""
        if node.tag in ("ext-link", "uri"):
            places[node] = place
        if not isinstance(node.tag, str):
            pieces.append(entity(node) if node.tag.__name__ == "Entity" else "")
            return place + len(pieces[-1])
        if _local(node) == "license_ref":
            return place
        pieces.append(("\n" if node.tag in ("license-p", "p") else "") + (node.text or ""))
        place += len(pieces[-1])
        for child in node:
            place = walk(child, place)
            pieces.append(child.tail or "")
            place += len(pieces[-1])
        return place

    walk(license_, 0)
    text = "".join(pieces)
    ends = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    sentences: dict[_Element, str] = {}
    for node, place in places.items():
        number = min(bisect_right(ends, place), len(ends) - 1)
        sentence = " ".join(text[ends[number - 1] : ends[number]].split())
        if number > 1 and _LEANS.match(sentence.replace(text_of(node), "")):
            before = " ".join(text[ends[number - 2] : ends[number - 1]].split())
            sentence = f"{before.rstrip('.;!?')} – {sentence}" if before else sentence
        sentences[node] = sentence
    return " ".join(text.split()), sentences


def _statement(
    *, place: str, object_: str, line: int, text: str = "", url: str = "", licence_type: str = ""
) -> Statement:
    return Statement(
        text=text,
        url=url,
        licence_type=licence_type,
        place=place,  # type: ignore[arg-type]
        object=object_,
        line=line,
    )
