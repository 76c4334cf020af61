"""The full text service: one JATS article, or a sign of why there is none."""

import msgspec
from vouched.api import Access, Article, Context, FullText, Missing

from vouched_europepmc.service import BASE, retrieved_at

__all__ = ["TEXTS", "EuropePmcTexts"]

NO_TEXT = 404
NO_FORMAT = 406


class EuropePmcTexts:
    """Full texts of open articles, author manuscripts and open preprints."""

    rank = 50

    async def find(self, ctx: Context, article: Article) -> FullText | Missing:
        """The text of `article`, asked by PMCID or, for a preprint, by its PPR id."""
        from vouched_europepmc.jats import identity
        from vouched_europepmc.lookup import look_up

        held = article
        if article.source != "europepmc" or article.access is None or article.access.licence is None:
            asked = sorted(article.known_ids(), key=lambda id_: (id_.scheme not in ("pmid", "pmcid", "ppr"), str(id_)))
            usable = [id_ for id_ in asked if id_.scheme in ("pmid", "pmcid", "ppr", "doi", "nbk")]
            if not usable:
                return Missing("not_supported", "The record has no id that Europe PMC knows.", source="europepmc")
            (found,) = await look_up(ctx, usable[:1])
            if isinstance(found, Missing):
                return found
            held = found
        key = held.ids.get("pmcid") or held.ids.get("ppr") or ""
        access = held.access or Access(source="europepmc")
        if not key:
            return Missing("not_in_pmc", "The record has no PMCID: no archive holds its text.", source="europepmc")
        if not (access.open or access.manuscript):
            return Missing(
                "not_open",
                "The record is neither flagged open access nor an author manuscript, and Europe PMC serves the text of "
                "no other.",
                source="europepmc",
            )
        text = await _fetch(ctx, key, access)
        return text if isinstance(text, Missing) else identity(text, held.ids) or text


async def _fetch(ctx: Context, key: str, access: Access) -> FullText | Missing:
    from vouched_europepmc.jats import read_jats

    url = f"{BASE}{key}/fullTextXML"

    def read(body: bytes) -> FullText | Missing:
        return read_jats(body, source="europepmc", url=url, retrieved_at="", flags=access)

    signs: dict[int, FullText | Missing] = {NO_TEXT: _no_text(key, access), NO_FORMAT: _no_format(key)}
    text = await ctx.http("europepmc").get(
        "{}/fullTextXML",
        key,
        media="application/xml",
        read=read,
        answers=signs,
        stable=True,
    )
    if isinstance(text, Missing):
        return text
    return msgspec.structs.replace(text, retrieved_at=retrieved_at(ctx, text.sha256))


def _no_text(key: str, access: Access) -> Missing:
    flags = "flagged open access" if access.open else "an author manuscript"
    return Missing(
        "no_text_served",
        f"Europe PMC serves no full text of {key} (HTTP 404), although the record is {flags}: metadata and "
        "availability disagree. A licence signal, not a failure.",
        source="europepmc",
    )


def _no_format(key: str) -> Missing:
    return Missing(
        "format_not_served",
        f"Europe PMC does not serve {key} as JATS XML (HTTP 406): a format signal, not a failure.",
        source="europepmc",
    )


TEXTS = EuropePmcTexts()
