"""What `vouched doctor` asks: do the services answer, and is a full text known to be open still served?

The moving of an address shows here: a text known to be open that is "not there" is a dead endpoint, not a licence.
"""

from collections.abc import Sequence

from vouched.api import Check, CheckLine, Context, Id, Missing

from vouched_europepmc.fulltexts import TEXTS
from vouched_europepmc.resolver import RESOLVER

__all__ = ["CHECKS"]

# PLoS One 2007;2(2):e217, CC BY: in PubMed Central since its first day.
KNOWN = Id("pmid", "17299597")


OFFLINE = [CheckLine(True, "offline: Europe PMC was not asked")]


async def _search_answers(ctx: Context) -> Sequence[CheckLine]:
    if ctx.settings.offline:
        return OFFLINE
    from vouched_europepmc import search
    from vouched_europepmc.queries import id_term

    hits = await search.ask(ctx, id_term(KNOWN), size=1)
    found = hits.total == 1
    return [CheckLine(found, f"Europe PMC {hits.version} {'finds' if found else 'does not find'} {KNOWN}")]


async def _text_is_served(ctx: Context) -> Sequence[CheckLine]:
    if ctx.settings.offline:
        return OFFLINE
    record = (await RESOLVER.resolve(ctx, [KNOWN]))[KNOWN]
    text = record if isinstance(record, Missing) else await TEXTS.find(ctx, record)
    if isinstance(text, Missing):
        return [CheckLine(False, f"full text of {KNOWN}, known to be open: {text.reason}")]
    return [CheckLine(True, f"full text of {KNOWN} is served ({len(text.sections)} sections)")]


CHECKS: Sequence[Check] = (Check("search", _search_answers), Check("full text", _text_is_served))
