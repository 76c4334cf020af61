"""The authors at the start of a citation string, in the forms that styles give them, and what follows them."""

import re
from collections.abc import Sequence

import msgspec

__all__ = ["PERSON", "QUOTED", "Head", "all_names", "behind_names", "split_authors", "split_names"]

QUOTED = re.compile(r"[“\"]([^”\"]{3,}?[.,]|.{12,}?)[.,]?[”\"](?=\s|$)")
# `Family IN` or a group, again and again, up to the stop before the title.
_NAME = r"[^\W\d_][^\s,;:.-]*(?:[ -][^\W\d_][^\s,;:.-]*){0,4}"
# A capital of any alphabet, as near as a character class gets.
_CAPITAL = r"[^\W\d_a-z]"
_SUFFIX = r"(?:,? (?:Jr|Sr|2nd|3rd|I{1,3})\b\.?)?"
PERSON = re.compile(rf"{_NAME} {_CAPITAL}[A-Za-z]?{_CAPITAL}{{0,2}}(?:-{_CAPITAL})?(?: (?:Jr|Sr|2nd|3rd|I{{1,3}}))?")
_DOTS = rf"{_CAPITAL}\.(?:[ -]?{_CAPITAL}\.){{0,4}}"
_PARTICLE = r"(?:van|von|de|der|den|da|di|du|dos|la|le|ten|ter)\b"
_PARTICLES = rf"(?: {_PARTICLE})*"
# A list keeps to the form of its first name: `Doe, J. A.` (Nature, Harvard, ACS), `J.A. Doe` (Elsevier, IEEE, Science),
# `Doe J.A.`, and `Doe JA`, of which NLM's lists are read elsewhere.
_DOTTED_FORMS = (
    re.compile(rf"{_NAME}, {_DOTS}{_PARTICLES}{_SUFFIX}"),
    re.compile(rf"{_DOTS} ?{_NAME}{_SUFFIX}"),
    re.compile(rf"{_NAME} {_DOTS}{_SUFFIX}"),
)
_BETWEEN = re.compile(r"\s*(?:[,;]\s*(?:(?:&|and\b)\s*)?|(?:&|and\b)\s*)")
_ET_AL = re.compile(r"\s*[,;]?\s*et al\b\.?")
_AFTER = re.compile(r"[\s.,:;]*(?:\(?(?P<year>(?:1[89]|20)\d\d)[a-z]?\)?(?:[.,:]|\s)\s*)?")
# A part of a list of authors that is no person: a group.
LONGEST_NAME = 80
_APA_AUTHORS = re.compile(
    r"(?P<names>[^()]{2,}?)\.?\s*\((?P<year>(?:1[89]|20)\d\d)[a-z]?(?:[,–-][^)]*)?\)\.?\s*"
    r"(?P<rest>(?=\S.*?[^\W\d_]{3}.*?[^\W\d_]{3}).*)"
)


class Head(msgspec.Struct, frozen=True):
    """Attributes: authors, separated by semicolons; raw: the text that they were read from; year behind them; rest."""

    authors: str
    raw: str
    year: str
    rest: str


def split_authors(said: str) -> Head:
    """Tell the authors from what follows them; a text without a form that is known is cut at its first stop."""
    found = _APA_AUTHORS.match(said)
    if found:
        return Head(split_names(found["names"]), found["names"], found["year"], found["rest"])
    if head := _run(said):
        return head
    if nlm := _nlm_authors(said):
        return Head(split_names(nlm[0]), nlm[0], "", nlm[1])
    quoted = QUOTED.search(said)
    if quoted:
        raw = said[: quoted.start()].strip(" .")
        return Head(split_names(raw), raw, "", said[quoted.start() :])
    raw, _, rest = said.partition(". ")
    return Head(split_names(raw), raw, "", rest) if rest and len(raw) < 200 else Head("", "", "", said)


def _run(said: str) -> Head | None:
    """Names of one form, one after another from the start. Names without dots only where a colon or `et al.` ends
    them: what ends with a stop is NLM's form."""
    form = next((each for each in _DOTTED_FORMS if each.match(said)), PERSON)
    names: list[str] = []
    end = start = 0
    while found := form.match(said, start):
        names.append(found[0].strip(" ,"))
        end = found.end()
        between = _BETWEEN.match(said, end)
        if between is None:
            break
        start = between.end()
    et_al = _ET_AL.match(said, end) if names else None
    end = et_al.end() if et_al else end
    if not names or (form is PERSON and said[end : end + 1] not in (":", "," if et_al else ":")):
        return None
    quoted = QUOTED.search(said, end)
    if quoted and quoted.start() - end <= LONGEST_NAME:
        # More names of another form may stand between: `Doe, J., and R. Roe. “A title.”` (MLA).
        return Head("; ".join(names), said[: quoted.start()], "", said[quoted.start() :])
    after = _AFTER.match(said, end)
    year, rest = (after["year"] or "", said[after.end() :]) if after else ("", said[end:])
    return Head("; ".join(names), said[:end], year, rest) if rest else None


def _first_author(names: str) -> str:
    """`Marso SP, Bain SC` to `Marso SP`; `Marso, S. P., & Bain, S. C.` to `Marso, S. P.`; `Marso, Steven P., et al.`"""
    parts = [name.strip() for name in re.split(r";|,|\band\b|&", names) if name.strip()]
    if not parts:
        return ""
    given = len(parts) > 1 and re.fullmatch(r"(?:[^\W\d_]\.?[\s-]*){1,4}|[^\W\d_][^\s.]+(?: [A-Z]\.?)*", parts[1])
    if given and parts[1] != "et al" and not re.search(rf" {_CAPITAL}{{1,3}}$", parts[0]):
        return f"{parts[0]}, {parts[1]}"
    return parts[0]


def split_names(names: str) -> str:
    """All of a list in which each is `Family IN`, separated by semicolons; else the first."""
    parts = _parts(names)
    if all(len(part) <= LONGEST_NAME and PERSON.fullmatch(part) for part in parts):
        return "; ".join(parts)
    return _first_author(names)


# Parts of a text that begins with names: by commas, and by a dash with blanks about it.
_PART = re.compile(r",\s+|\s+[-–—]\s+|(?<=al\.)\s+")
_RUN_ON = re.compile(rf"(?:{_PARTICLE} )*{_CAPITAL}[^\s,;:.]+ {_CAPITAL}{{1,3}}\s+(?:et al\.?\s+)?")
# A name without initials has rarely more words; a title rarely fewer than four.
_MOST_NAME_WORDS, _LEAST_TITLE_WORDS = 3, 4


def behind_names(raw: str) -> tuple[str, str]:
    """(names, title) of a text that no stop parts: `Doe J, Roe RB, A title of some words`, `Doe et al, …`, `Doe - …`.

    The title is what follows the last part that can be a name; "" where too little does.
    """
    start = 0
    for found in [*_PART.finditer(raw), None]:
        part = raw[start : found.start()] if found else raw[start:]
        if not _name_part(part):
            break
        start = found.end() if found else len(raw)
    # `Doe JA Roe R A title of some words`: initials are the only sign.
    while start == 0 or raw[:start].endswith(" "):
        person = _RUN_ON.match(raw, start)
        if person is None:
            break
        start = person.end()
    title = raw[start:].strip(" .,*_-–—")
    if not start or len(title.split()) < _LEAST_TITLE_WORDS:
        return raw, ""
    return raw[:start].strip(" ,-–—"), title


def all_names(text: str) -> bool:
    """Whether a text is `Family IN, Family IN` and nothing else."""
    parts = _parts(_ET_AL.sub("", text))
    return bool(parts) and all(PERSON.fullmatch(part) for part in parts)


def _name_part(part: str) -> bool:
    """Whether a part between commas can be names: `Doe JA`, `J. Doe`, `J.A.`, `Jane Mary`, `Doe and Roe et al`."""
    bare = _ET_AL.sub("", part.strip(" ."))
    pieces = re.split(r"\s+(?:and|&)\s+|^(?:and|&)\s+", bare)
    return all(
        not piece or PERSON.fullmatch(piece) or re.fullmatch(_DOTS, f"{piece.strip('.')}.") or _capitalised(piece)
        for piece in pieces
    )


def _capitalised(name: str) -> bool:
    words = name.split()
    return len(words) <= _MOST_NAME_WORDS and all(word[:1].isupper() or re.fullmatch(_PARTICLE, word) for word in words)


def _nlm_authors(said: str) -> tuple[str, str] | None:
    """(authors, the rest) where the text begins with `Family IN, Family IN.`; groups may stand among them."""
    end = re.search(r"\.\s+(?=\S)", said)
    if end is None or "." in (head := said[: end.start()]):
        return None
    head = re.sub(r",? et al$", "", head)
    parts = _parts(head)
    if not parts or any(len(part) > LONGEST_NAME for part in parts) or not PERSON.fullmatch(parts[0]):
        return None
    return head, said[end.end() :]


def _parts(names: str) -> Sequence[str]:
    return [part.strip() for part in re.split(r"[,;]", names) if part.strip()]
