"""The rules (a) to (e) of the licence gate, over the table: the host's own policy."""

import datetime
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from vouched.access import Access, Decision, Statement, Tier, Uses
from vouched.policy import USES
from vouched.services.licence_facts import LEVELS, Fact, fact_of, strictest
from vouched.services.licence_names import Reading
from vouched.services.licence_periods import not_in_force, without_ended_embargoes
from vouched.services.licence_reading import LONGEST, read_field, read_statement, terms_of
from vouched.services.licence_table import CLOSED, MINING, READABLE, UNKNOWN, Terms
from vouched.settings import Settings

__all__ = ["LEVELS", "TablePolicy"]

_CONDITIONS = ("attribution", "share_alike", "non_commercial", "no_derivatives")
_VERBS = {
    "read": "read",
    "quote": "quote",
    "mine": "mine",
    "redistribute": "pass on",
    "commercial": "use commercially",
    "derive": "adapt",
}
_ASK = "the access flags and licence of the record, from a source that has them"
_PLACES = {"permissions": "the permissions", "copyright": "the copyright statement"}

_Words = tuple[list[Reading], list[Terms]]
_REMEMBERED = 500


class TablePolicy:
    """The rules (a) to (e) of the design over `licence_table`. The first that hits decides and names its fact.

    Args:
        settings: as every provider of a policy gets them; the table needs none (`Gate` applies `tighten`).
        today: for statements that apply from a date on.
    """

    def __init__(
        self, settings: Settings | None = None, *, today: Callable[[], datetime.date] = datetime.date.today
    ) -> None:
        self.settings = settings
        self._today = today
        # Publishers print the same statement in every article, and one call decides over one text several times.
        self._read = lru_cache(maxsize=_REMEMBERED)(_read)

    def decide(self, access: Access | None) -> Decision:
        """See `LicencePolicy`; None means that nobody was asked."""
        if access is None:
            return Decision(UNKNOWN, rule="not_checked", decided_by="nobody was asked", needed=_ASK)
        return _Case(access, self._today(), self._read).decide()


class _Case:
    """One decision."""

    def __init__(self, access: Access, today: datetime.date, read: Callable[[Statement], _Words]) -> None:
        self.access = access
        self._read = read
        self.said = access.source or "the record"
        self.tier = _tier(access)
        self.licences: list[Fact] = []
        self.terms: list[tuple[Terms, Fact]] = []
        self.also: list[str] = []
        for statement in access.statements:
            if statement.place in _PLACES and statement.object == "article":
                self._take(statement, today)
        self.field = read_field(access.licence) if access.licence else None

    def _take(self, statement: Statement, today: datetime.date) -> None:
        where = f"{_PLACES[statement.place]} of the text" + (f", line {statement.line}" if statement.line else "")
        dated = not_in_force(statement.text, today)
        if dated:
            self.also.append(f"a statement in {where} {dated} and does not count today")
            return
        words = without_ended_embargoes(statement.text, today, self.access.published)
        bare = Statement(text=words, url=statement.url, licence_type=statement.licence_type)
        readings, terms = (self._read if len(words) + len(statement.url) <= LONGEST else _read)(bare)
        self.licences += [fact_of(reading, where) for reading in readings]
        self.terms += [(row, Fact(row.name, row.name, where, READABLE)) for row in terms]

    def decide(self) -> Decision:
        named = self._named()
        if named:
            return self._stated(named)
        if self.access.manuscript or any(row.effect == "manuscript" for row, _ in self.terms):
            return self._manuscript()
        if self.access.open and not self.access.bronze:
            return self._open()
        if self.access.licence:
            return self._flags_against_licence()
        if self.access.open is None and not self.access.bronze:
            return self._unasked()
        return self._closed()

    def _named(self) -> list[Fact]:
        """Rule (a): licences stated for the article; the record's field where it counts, strict terms beside them.

        A doubtful licence opens nothing, and holds beside a clear one.
        """
        stated = list(self.licences)
        if self.field:
            stated.append(fact_of(self.field, f"the licence field of {self.said}", self.access.licence or ""))
        facts = self._as_the_words_have_it(stated)
        if self.field and not (self.access.open and not self.access.bronze) and all(fact.doubt for fact in facts[:-1]):
            facts.pop()
        sure = [fact for fact in facts if not fact.doubt]
        doubtful = [fact for fact in facts if fact.doubt]
        self.also += map(str, doubtful)
        specific = [fact for fact in sure if fact.kind != "cc"] or sure
        if not specific:
            return []
        # What is denied forbids nothing, and an unnamed licence says less than a named one.
        holding = [fact for fact in doubtful if fact.voice != "denied" and fact.kind != "cc"]
        return specific + holding + [fact for row, fact in self.terms if row.effect == "strict"]

    def _as_the_words_have_it(self, stated: list[Fact]) -> list[Fact]:
        """The licences stated, each with the doubt that the words of the text cast on it, here or elsewhere.

        "After a year it is under CC BY" and "it is no longer under CC BY" hold for an address beside them and for the
        record too. A plain sentence outweighs the former, nothing the latter.
        """
        said = {fact.kind for fact in self.licences if fact.voice == "said" and not fact.doubt}
        hedged = (fact for fact in self.licences if fact.voice == "hedged" and fact.kind not in said)
        # "If material is not under the Creative Commons licence" is no hedge of the one that a sentence names.
        against = {fact.kind: fact for fact in hedged if fact.kind != "cc" or not said}
        against |= {fact.kind: fact for fact in self.licences if fact.voice == "denied"}
        return [
            msgspec.structs.replace(fact, doubt=f"{other.written}: {other.doubt}", voice=other.voice)
            if not fact.doubt and (other := against.get(fact.kind) or against.get("cc"))
            else fact
            for fact in stated
        ]

    def _stated(self, facts: list[Fact]) -> Decision:
        uses = strictest(fact.uses for fact in facts)
        conditions = [name for name in _CONDITIONS if any(name in fact.conditions for fact in facts)]
        certain = [fact for fact in facts if not fact.doubt]
        holding = [fact for fact in certain if fact.uses == uses and sorted(fact.conditions) == sorted(conditions)]
        # One fact a kind, the last one given in: those that name a version come before prose.
        others = list({fact.kind or fact.name: fact for fact in reversed(facts) if fact not in holding}.values())
        if holding:
            # The same licence is often stated several times; the statement that names its version says most.
            fact = next((fact for fact in holding if fact.spdx), holding[0])
            licence, spdx = fact.written or fact.name, fact.spdx
            laxer = [other for other in others if (other.uses, sorted(other.conditions)) != (uses, sorted(conditions))]
            decided = str(fact) + "".join(f"; it is stricter than {other}" for other in laxer)
            self.also += [str(other) for other in holding if other.spdx not in ("", spdx)]
        else:
            others.sort(key=lambda fact: bool(fact.doubt))
            licence, spdx = "; ".join(fact.name for fact in others), ""
            decided = "statements that hold together: " + "; ".join(map(str, others))
        self.also += [str(fact) for row, fact in self.terms if row.effect != "strict"] + self._flags()
        return self._decision(
            "a", uses, decided, conditions=conditions, licence=licence, spdx=spdx, needed=_permission(uses)
        )

    def _manuscript(self) -> Decision:
        terms = [str(fact) for row, fact in self.terms]
        decided = "; ".join(["an author manuscript without a Creative Commons or public-domain statement", *terms])
        if self.access.open:
            self.also.append(f"the record is flagged open access by {self.said}")
        strict = [fact.uses for row, fact in self.terms if row.effect == "strict"]
        forbidden = [fact.uses for fact in self.licences if fact.kind == "no-mining"]
        return self._decision(
            "b",
            strictest([MINING, *strict, *forbidden]),
            decided,
            needed="a Creative Commons or public-domain statement in the manuscript, or the publisher's permission",
        )

    def _open(self) -> Decision:
        flag = f"flagged open access by {self.said}"
        terms = [str(fact) for _, fact in self.terms]
        field = [f"the licence field of {self.said} says “{self.access.licence}”"] if self.access.licence else []
        if terms or field:
            # A licence in the field that opens nothing: the words of the text speak against it, as `also` quotes them.
            doubted = self.field is not None and not terms
            what = "but the text leaves its licence in doubt" if doubted else "with terms that are no open licence"
            decided = f"{flag}, {what}: " + "; ".join(terms + field)
        else:
            decided = f"{flag}, and no licence is stated"
        self.also += self._copyright()
        return self._decision(
            "c",
            READABLE,
            decided,
            licence=self.terms[0][1].name if terms and not field else self._licence(),
            needed="a licence that names the use, in the record or in the permissions of the text",
        )

    def _flags_against_licence(self) -> Decision:
        asked = self.access.open is False or self.access.bronze
        flag = "not flagged open access" if asked else "not known to be open access: nobody was asked"
        decided = f"{flag} by {self.said}, although its licence field says “{self.access.licence}”; the flags decide"
        spdx = self.field.spdx if self.field else ""
        needed = "an open-access flag, or the licence in the permissions of the text itself"
        return self._decision("d", CLOSED if asked else UNKNOWN, decided, spdx=spdx, needed=needed)

    def _unasked(self) -> Decision:
        decided = f"{self.said} was not asked whether the text is open"
        self.also += self._copyright()
        return self._decision("not_checked", UNKNOWN, decided, needed=_ASK)

    def _closed(self) -> Decision:
        if self.access.bronze:
            decided = (
                f"free at the publisher without a licence (bronze), says {self.said}: a link only, which may close"
            )
        elif self.access.in_archive:
            decided = f"in an archive but not flagged open access by {self.said}: a link only"
        else:
            decided = f"not flagged open access by {self.said}, and in no archive"
        self.also += [str(fact) for _, fact in self.terms] + self._copyright()
        return self._decision(
            "e", CLOSED, decided, needed="the rights holder's permission, or a licence that names the use"
        )

    def _flags(self) -> list[str]:
        flags = []
        if self.access.manuscript:
            flags.append("an author manuscript")
        if self.access.open is False:
            flags.append(f"not flagged open access by {self.said}")
        return flags

    def _copyright(self) -> list[str]:
        lines = (item for item in self.access.statements if item.place == "copyright" and item.object == "article")
        return [f"copyright statement, line {item.line}: “{item.text[:120]}”" for item in lines][:1]

    def _licence(self) -> str:
        return (
            "not_checked"
            if self.access.licence is None and not self.access.statements
            else self.access.licence or "none"
        )

    def _decision(
        self,
        rule: str,
        uses: Uses,
        decided_by: str,
        *,
        needed: str,
        licence: str = "",
        spdx: str = "",
        conditions: Iterable[str] = (),
    ) -> Decision:
        return Decision(
            uses=uses,
            conditions=list(conditions),
            tier=self.tier,
            licence=licence or self._licence(),
            spdx=spdx,
            rule=rule,
            decided_by=decided_by,
            needed=needed,
            also=list(dict.fromkeys(self.also)),
        )


def _read(statement: Statement) -> _Words:
    return read_statement(statement), terms_of(statement)


def _tier(access: Access) -> Tier:
    if access.open is None:
        return "NOT_CHECKED"
    if access.open and (access.in_archive or access.link_free or access.preprint):
        return "OPEN_ACCESS"
    return "FREE_TO_READ" if access.in_archive else "ABSTRACT_ONLY"


def _permission(uses: Uses) -> str:
    missing = [name for name in USES if getattr(uses, name) != "yes"]
    return f"the rights holder's permission, to {' or '.join(_VERBS[name] for name in missing)}" if missing else ""
