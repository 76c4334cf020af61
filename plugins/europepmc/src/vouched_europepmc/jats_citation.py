"""The printed form of a citation: as it stands, with separators where its elements follow each other without any.

Publishers who mark up every field often leave the punctuation to the style sheet; read as it stands such a citation is
one run-on string.
"""

from typing import TYPE_CHECKING

from vouched_europepmc.jats_inline import collapse, names, one, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["printed"]

_NAMES = names("name string-name")
_GROUPS = frozenset((*_NAMES, "person-group"))
# Field -> its kind, "" for those that are set apart by full stops. Elements that are not here (italic, ext-link …) may
# be part of a word.
_KINDS: dict[str, str] = {
    **dict.fromkeys(names("name string-name collab etal anonymous person-group"), "person"),
    **dict.fromkeys(names("year month day season"), "date"),
    "volume": "number", "issue": "issue",
    **dict.fromkeys(names("fpage elocation-id page-range"), "page"),
    "lpage": "end",
    **dict.fromkeys(
        names(
            "surname given-names prefix suffix article-title chapter-title data-title part-title trans-title source "
            "trans-source series supplement edition publisher-name publisher-loc conf-name conf-loc conf-date patent "
            "institution version pub-id isbn issn size comment date-in-citation role gov std"
        ),
        "",
    ),
}  # fmt: skip
STOP = ". "
# (kind before, kind after) -> what stands between them.
_BETWEEN: dict[tuple[str, str], str] = {
    ("person", "person"): ", ",
    ("date", "date"): " ",
    ("date", "number"): ";",
    ("date", "issue"): ";",
    ("number", "issue"): "(",
    ("page", "end"): "-",
    **{(before, "page"): ":" for before in ("date", "number", "issue")},
}


def printed(node: "_Element") -> str:
    """The text of a citation."""
    return _read(node) if _is_glued(node) else text_of(node)


def _is_bare(node: "_Element") -> bool:
    """No words stand between its elements."""
    return not (node.text and node.text.strip()) and not any(child.tail and child.tail.strip() for child in node)


def _is_glued(node: "_Element") -> bool:
    """Whether two of its fields, or two inside a name, have nothing between them.

    White space is enough inside a name; between fields it is where other words stand between them.
    """
    fields, bare, before = 0, node.tag not in _NAMES and not (node.text and node.text.strip()), False
    for child in node:
        tag, tail = child.tag, child.tail
        if tag in _KINDS:
            if before or (tag in _GROUPS and len(child) and _is_glued(child)):
                return True
            fields += 1
            before = not tail
        else:
            before = before and not tail and not isinstance(tag, str)
        bare = bare and (not tail or tail.isspace())
    return bare and fields > 1


def _read(node: "_Element") -> str:
    bare = _is_bare(node)
    if bare and node.tag in _NAMES:
        return " ".join(text for part in node if (text := text_of(part)))
    out: list[str] = [] if bare else [node.text or ""]
    before: str | None = None
    for child in node:
        kind = _KINDS.get(child.tag)
        words = _words(child)
        if kind is None or not words:
            out.append(words)
            # Comments and instructions separate nothing.
            before = None if words else before
        else:
            between = STOP if before is None else _BETWEEN.get((before, kind), STOP)
            if before is not None:
                out.append(_joint(out, between))
            if bare and child.tag == "pub-id":
                words = f"{child.get('pub-id-type') or 'id'}:{words}"
            out.append(f"{words})" if between == "(" else words)
            before = kind
        if not bare and child.tail:
            out.append(child.tail)
            before = None
    return collapse("".join(out))


def _words(child: "_Element") -> str:
    """The child's own text, without what follows it."""
    if not len(child) and child.tag in _KINDS:
        return child.text or ("et al." if child.tag == "etal" else "")
    if child.tag in _GROUPS:
        return _read(child)
    inner: list[str] = []
    one(child, inner, None)
    text, tail = "".join(inner), child.tail or ""
    return text[: len(text) - len(tail)] if tail else text


def _joint(out: list[str], between: str) -> str:
    """No second full stop after one, nor after a question mark."""
    return " " if between == STOP and out[-1].rstrip()[-1:] in (".", "?", "!") else between
