"""The resolver of PubMed: which ids it takes."""

from collections.abc import Mapping, Sequence

from vouched.api import Article, Context, Id, Missing, Scheme

__all__ = ["SCHEMES", "PubmedResolver"]

SCHEMES = ("pmid", "pmcid", "doi", "nbk")


class PubmedResolver:
    """Asked first of all resolvers: PubMed's record is the one that names corrections and retractions."""

    schemes: Sequence[Scheme | str] = SCHEMES
    rank = 10

    async def resolve(self, ctx: Context, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        """An entry for every id: an `Article`, or `Missing` with state not_found, deleted, unavailable_now, ambiguous,
        identity_mismatch, unsupported or failed."""
        from vouched_pubmed.lookup import resolve_ids

        return (await resolve_ids(ctx, ids)).found
