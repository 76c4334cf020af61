"""The resolver of Europe PMC: which ids it takes."""

from collections.abc import Mapping, Sequence

from vouched.api import Article, Context, Id, Missing, Scheme

__all__ = ["OWN", "RESOLVER", "EuropePmcResolver"]

# Agricola, Chinese Biological Abstracts, CiteXplore, EThOS theses, NHS evidence, patents.
OWN = ("agr", "cba", "ctx", "eth", "hir", "pat")


def _own_scheme(name: str) -> Scheme:
    return Scheme(name, rf"{name.upper()}\s*:\s*([A-Z0-9][A-Z0-9._/-]{{1,63}})", str.upper)


class EuropePmcResolver:
    """Resolves everything that Europe PMC holds, preprints and PMC-only papers included."""

    schemes: Sequence[Scheme | str] = ("pmid", "pmcid", "doi", "ppr", "nbk", *(_own_scheme(name) for name in OWN))
    rank = 50

    async def resolve(self, ctx: Context, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        """An entry for every id asked."""
        from vouched_europepmc.lookup import resolve

        return await resolve(ctx, ids)


RESOLVER = EuropePmcResolver()
