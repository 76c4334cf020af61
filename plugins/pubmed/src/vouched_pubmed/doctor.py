"""Lines of this plugin for `vouched doctor`."""

from collections.abc import Sequence

from vouched.api import Check, CheckLine, Context

__all__ = ["CHECKS"]


async def _key_and_contact(ctx: Context) -> Sequence[CheckLine]:
    key = ctx.settings.secrets.get("NCBI_API_KEY")
    return [
        CheckLine(True, "NCBI_API_KEY is set: 10 requests a second" if key else "no NCBI_API_KEY: 3 requests a second"),
        CheckLine(
            True,
            "NCBI_EMAIL is set" if ctx.settings.email else "no NCBI_EMAIL: NCBI cannot warn you before it blocks you",
        ),
    ]


async def _answers(ctx: Context) -> Sequence[CheckLine]:
    """One count-only search; a fault becomes a failed line by the host."""
    if ctx.settings.offline:
        return [CheckLine(True, "offline: PubMed was not asked")]
    from vouched_pubmed.client import esearch

    found = await esearch(ctx, "asthma[mh]", size=0, refresh=True)
    return [CheckLine(found.total > 0, f"PubMed answers ({found.total:,} records under asthma[mh])")]


CHECKS: Sequence[Check] = (Check("NCBI key and contact", _key_and_contact), Check("PubMed", _answers))
