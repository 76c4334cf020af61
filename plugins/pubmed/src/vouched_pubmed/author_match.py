"""Whether an author's name, as somebody cited it, stands in the roster of a record.

Spellings that mean the same person are one: accents, `ue` for `ü`, particles, both name orders, full or initial given
names, suffixes. Only a name that is not there, or stands there with other initials, differs.
"""

import re
from collections.abc import Sequence

from vouched.api import fold

from vouched_pubmed.lookup_citation import Grade

__all__ = ["compare_author"]

_PARTICLE = re.compile(
    r"van|von|der|den|de|del|della|di|da|dal|do|dos|das|du|des|la|le|lo|los|las|el|al|ten|ter|te|zu|zum|zur|vom|im|af|av|"
    r"bin|ibn|abu|ben|bar|und"
)
_SUFFIX = re.compile(r"jr|sr|junior|senior|ii|iii|iv|2nd|3rd|4th")
# Words that any group may have in its name: alone they name none.
_ANY_GROUP = re.compile(
    r"(?:group|stud(?:y|ie)|trial|investigator|collaborat(?:or|ion|ive)|consortium|committee|network|working|writing|"
    r"research|member|team|society|association|project)s?"
)
NOBODY = frozenset(("anonymous", "anon", "no authors listed", "author unknown", "unknown"))
_ET_AL = re.compile(r"[\s,;]*\b(?:et\.?\s*al\.?|and others|and colleagues)\s*$", re.IGNORECASE)


def _tokens(name: str) -> list[str]:
    """Folded words; `ae oe ue` and `aa` (å) are read as the vowels that they stand for, on both sides alike."""
    return [re.sub(r"([aou])e|aa", lambda v: v[1] or "a", w) if len(w) > 2 else w for w in fold(name).split()]


def _first_cited(name: str) -> str:
    """The first of several names: `Mann BJ, Smith K`, `Mann and Smith`; `Müller, K` is one name."""
    name = _ET_AL.sub("", name.strip())
    name = re.split(r"\s*(?:;|&|\band\b|\bund\b|\bet\b)\s*", name, flags=re.IGNORECASE)[0]
    parts = [part for part in re.split(r"\s*,\s*", name) if part]
    return parts[0] if len(parts) > 1 and len(parts[0].split()) > 1 and len(parts[1].split()) > 1 else " ".join(parts)


def _particle(word: str) -> bool:
    return _PARTICLE.fullmatch(word) is not None


class _Person:
    """A name of a roster, `Family IN` with particles and suffix."""

    def __init__(self, name: str) -> None:
        words = name.split()
        while len(words) > 1 and _SUFFIX.fullmatch(words[-1].strip(".").casefold()):
            words.pop()
        has_initials = len(words) > 1 and re.fullmatch(r"[^\W\d_]{1,4}(?:-[^\W\d_]{1,2})?", words[-1]) is not None
        has_initials = has_initials and words[-1] == words[-1].upper()
        self.initials = fold(words[-1]).replace(" ", "") if has_initials else ""
        family = _tokens(" ".join(words[:-1] if has_initials else words))
        self.family = [word for word in family if not _particle(word)] or family
        # `Le`, `Ben` and `Van` are family names too.
        self.bare_particle = all(_particle(word) for word in family)
        self.joined = {"".join(family), "".join(self.family)}

    def among(self, cited: Sequence[str]) -> list[str] | None:
        """What is left of the cited words beside the family name, None where the family name is not there."""
        core = [word for word in cited if self.bare_particle or not _particle(word)]
        for start in range(len(core)):
            for end in range(len(core), start, -1):
                if core[start:end] == self.family or "".join(core[start:end]) in self.joined:
                    return core[:start] + core[end:]
        for word in self.family:
            # Half of a double name, as `Garcia M` for `García-López M`.
            if len(word) > 2 and word in core:
                rest = list(core)
                rest.remove(word)
                return [other for other in rest if other not in self.family]
        return None

    def agrees(self, given: Sequence[str]) -> bool:
        """Whether given names or initials can be this person's."""
        if not given or not self.initials:
            return True
        letters = {word[0] for word in given}
        return self.initials[0] in letters or given[0][0] in self.initials


def _meaning(name: str) -> list[str]:
    return [word for word in _tokens(name) if word not in ("of", "the", "for", "and", "in")]


def _same_group(cited: str, group: str) -> bool:
    words, own = _meaning(cited), _meaning(group)
    if words and words == own:
        return True
    if all(map(_ANY_GROUP.fullmatch, words)) or all(map(_ANY_GROUP.fullmatch, own)):
        return False
    initials = "".join(word[0] for word in own)
    return set(words) <= set(own) or set(own) <= set(words) or words == [initials]


def _swapped(cited: Sequence[str], person: _Person) -> bool:
    """Whether `Fu X` may be `Xiaoming F`, whose family name stands where the given name does, or the record's does."""
    if len(cited) < 2 or not person.initials or len(cited[0]) > 5:
        return False
    family, given, own = cited[0], "".join(cited[1:]), person.family[0]
    longer = len(own) > len(family)
    return longer and len(given) <= 3 and (family[0], given[0]) == (person.initials[0], own[0])


def compare_author(cited: str, roster: Sequence[tuple[str, bool]]) -> Grade:
    """Compare a cited author with a whole roster: (name as recorded, whether it is a group)."""
    if not cited.strip():
        return "not_given"
    if not roster or " ".join(fold(cited).split()) in NOBODY:
        return "not_comparable"
    whole = _ET_AL.sub("", cited.strip())
    if any(_same_group(whole, name) for name, group in roster if group):
        return "same"
    words = _tokens(_first_cited(cited))
    # A name that begins with what elsewhere is a suffix is that name.
    words = words[:1] + [word for word in words[1:] if not _SUFFIX.fullmatch(word)]
    if not words:
        return "not_comparable"
    people = [_Person(name) for name, group in roster if not group]
    for person in people:
        rest = person.among(words)
        if rest is not None and person.agrees(rest):
            return "same"
    if not people:
        # A member of the group that signed, for all we know.
        return "not_comparable"
    if any(ord(letter) > 0x24F for letter in "".join(words)):
        # Another script than the roster's.
        return "not_comparable"
    if _swapped(words, people[0]):
        return "not_comparable"
    acronym = re.fullmatch(r"[A-Z][A-Z0-9-]{1,11}", whole) is not None
    return "not_comparable" if acronym and any(group for _, group in roster) else "differs"
