"""The licence gate: may this text be read, quoted, passed on? It fails closed.

`Gate` is what tools see as `ctx.licence`: it asks whatever policy is in force (the host's own is `TablePolicy`), denies
everything when that fails, applies the user's `tighten` setting and writes reuse cards.
"""

import logging

import msgspec

from vouched.access import Access, Decision, Statement
from vouched.article import Article
from vouched.faults import InvalidArgument
from vouched.fulltext import FullText
from vouched.policy import USES, LicencePolicy, PartCard, ReuseCard, may
from vouched.services import attribution
from vouched.services.licence_facts import LEVELS
from vouched.services.licence_policy import TablePolicy
from vouched.services.licence_sentences import of_itself
from vouched.services.licence_table import CLOSED
from vouched.settings import Settings

__all__ = ["USES", "Gate", "PartCard", "ReuseCard", "TablePolicy", "may"]

log = logging.getLogger(__name__)


class Gate:
    """`ctx.licence`: the policy in force, whatever it is, made safe.

    Args:
        policy: from the `provide_licence` hook; None (nobody provides one, or its maker failed) denies everything.
        settings: `tighten` answers uses with at most "unknown" or "no".

    Raises:
        InvalidArgument: `tighten` names a use that does not exist.
    """

    def __init__(self, policy: LicencePolicy | None, settings: Settings) -> None:
        self.policy = policy
        self.tighten = dict(settings.tighten)
        for name, level in self.tighten.items():
            if name not in USES or level not in ("unknown", "no"):
                raise InvalidArgument(
                    f"The setting tighten.{name} = {level!r} is not understood.",
                    path=f"tighten.{name}",
                    expected=f"one of {', '.join(USES)}, each unknown or no",
                    example='tighten = {commercial = "no"}',
                )

    def decide(self, access: Access | None) -> Decision:
        """What may be done; a policy that is missing, raises or answers something else denies everything."""
        if self.policy is None:
            return _denied("no licence policy is in force")
        name = type(self.policy).__name__
        try:
            decision = self.policy.decide(access)
        except Exception as error:
            log.exception("the licence policy %s failed; everything is denied", name)
            return _denied(f"the licence policy {name} failed with {type(error).__name__}")
        try:
            # Its types hold nobody to anything: `Decision(uses=None)` and a use answered "maybe" are no decisions.
            checked = msgspec.convert(msgspec.to_builtins(decision), Decision) if decision is not None else None
        except (TypeError, ValueError) as error:
            log.error("the licence policy %s answered no decision: %s", name, error)
            checked = None
        if checked is None or not isinstance(decision, Decision):
            return _denied(f"the licence policy {name} answered no decision")
        return self._tightened(checked)

    def _tightened(self, decision: Decision) -> Decision:
        lowered = {
            name: level
            for name, level in self.tighten.items()
            if LEVELS.index(level) < LEVELS.index(getattr(decision.uses, name))
        }
        if not lowered:
            return decision
        said = ", ".join(f"tighten.{name} = {level}" for name, level in lowered.items())
        return msgspec.structs.replace(
            decision,
            uses=msgspec.structs.replace(decision.uses, **lowered),
            decided_by=f"the setting {said} of this server; without it: {decision.decided_by}",
            needed="; ".join(part for part in (f"another setting than {said}", decision.needed) if part),
        )

    def card(self, article: Article, text: FullText | None = None) -> ReuseCard:
        """Uses, conditions and a ready attribution line; with the full text also the parts that have other terms."""
        decision = self.decide(text.access if text else article.access)
        return ReuseCard(
            uses=decision.uses,
            attribution=attribution.line(article, decision, text.copyright if text else ""),
            conditions=decision.conditions,
            licence=decision.licence,
            spdx=decision.spdx,
            tier=decision.tier,
            rule=decision.rule,
            decided_by=decision.decided_by,
            needed=decision.needed,
            parts=self.parts(text.access, decision) if text else [],
        )

    def parts(self, access: Access, whole: Decision) -> list[PartCard]:
        """Figures, tables, data, sub-articles whose own statements say otherwise than the article's."""
        objects: dict[str, list[Statement]] = {}
        for statement in access.statements:
            if statement.place in ("figure", "table", "data", "body"):
                objects.setdefault(statement.object, []).append(statement)
        cards = []
        for name, found in objects.items():
            own = [_of_itself(item) for item in found]
            decision = self.decide(msgspec.structs.replace(access, statements=own, licence=None))
            if (decision.uses, decision.conditions) != (whole.uses, whole.conditions):
                cards.append(
                    PartCard(
                        object=name,
                        place=found[0].place,  # type: ignore[arg-type]
                        uses=decision.uses,
                        conditions=decision.conditions,
                        licence=decision.licence,
                        spdx=decision.spdx,
                        decided_by=decision.decided_by,
                    )
                )
        return cards


def _denied(reason: str) -> Decision:
    return Decision(CLOSED, rule="policy_failed", decided_by=reason, needed="a licence policy that works")


def _of_itself(statement: Statement) -> Statement:
    """A part's statement, as the policy would read it if the part were an article with permissions of its own."""
    return msgspec.structs.replace(statement, place="permissions", object="article", text=of_itself(statement.text))
