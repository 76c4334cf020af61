"""What answers say of one record: the compact row of searches and citation lists, and the parts that tools share."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from vouched.api import Article, Context, Decision, Notice, RecordStatus, ReuseCard, Struct, TextAnswer

__all__ = [
    "Flag",
    "Hit",
    "allowed",
    "card",
    "hit",
    "notice_of",
    "other_id",
    "shortened",
    "signals",
    "versions",
    "warn_notices",
    "warn_standing",
]

SHOWN_AUTHORS = 6
SHORT_ABSTRACT = 300
USES = ("read", "quote", "mine", "redistribute", "commercial", "derive")


class Flag(Struct, omit_defaults=True):
    """One correction signal: what it says, what says so, and the notice's citation and id."""

    kind: str
    evidence: str
    notice: str = ""
    notice_id: str = ""


class Paper(Struct, omit_defaults=True):
    """What every answer says of a paper first: which it is, its standing, how its text can be reached."""

    id: str
    title: str
    status: str
    access_tier: str
    licence: str
    authors: str = ""
    journal: str = ""
    year: int | None = None


class Hit(Paper, omit_defaults=True):
    """One record, compact.

    Attributes:
        id: "pmid:1", "pmcid:PMC2" (papers that only PMC has), "ppr:PPR3" …; also accepted by every tool.
        may: uses that the licence answers with yes; because: the fact that decided.
        status: retracted, retracted_and_republished, concern, corrected, withdrawn_heuristic, none_found, not_checked.
        published_as, preprints: the other versions, the choice is the caller's.
        abstract_chars: length of the whole abstract where only its beginning is shown.
    """

    published: str = ""
    pmid: str = ""
    pmcid: str = ""
    doi: str = ""
    is_preprint: bool = False
    preprint_server: str = ""
    may: list[str] = []
    because: str = ""
    signals: list[Flag] = []
    is_notice: bool = False
    published_as: list[str] = []
    preprints: list[str] = []
    citations: int | None = None
    abstract: str = ""
    abstract_chars: int = 0


def other_id(ids: dict[str, str]) -> str:
    """The id of another record as answers write it, "" where the source gave none."""
    for scheme in ("pmid", "pmcid", "ppr", "doi"):
        if scheme in ids:
            return f"{scheme}:{ids[scheme]}"
    return next((f"{scheme}:{value}" for scheme, value in ids.items()), "")


def _links(notices: Sequence[Notice]) -> list[str]:
    return [other_id(notice.ids) or notice.source for notice in notices if notice.ids or notice.source]


def signals(status: RecordStatus) -> list[Flag]:
    """All signals, most serious first, each with its notice."""
    return [Flag(s.kind, s.evidence, s.source, other_id(s.ids)) for s in status.signals]


def notice_of(status: RecordStatus) -> list[str]:
    """What a notice is about: `RetractionOf pmid:1`, `ErratumFor <citation>`; [] where it names no paper."""
    return [f"{s.evidence} {other_id(s.ids) or s.source}".strip() for s in status.signals if s.kind in NOTICES]


NOTICES = ("retraction_notice", "concern_notice", "erratum_notice")
GRAVE = {
    "retracted": "is retracted",
    "retracted_and_republished": "was retracted and republished",
    "concern": "has an expression of concern",
    "withdrawn_heuristic": "looks withdrawn (by its title alone)",
}
# Papers that warnings name one by one; the rest is counted, and each row has its status.
NAMED = 10


def warn_standing(ctx: Context, articles: Iterable[Article]) -> None:
    """Warn of papers that are retracted, of concern or withdrawn, each with its notices, and of what is no paper."""
    from vouched_europepmc.lookup import canonical_id

    distinct = {canonical_id(one): one for one in articles}
    warn_notices(ctx, distinct)
    grave = [one for one in distinct.values() if one.status.status in GRAVE]
    for article in grave[:NAMED]:
        status = article.status.status
        told = [s for s in article.status.signals if s.kind == status]
        notices = "; ".join(
            text for s in told if (text := ", ".join(part for part in (other_id(s.ids), s.source) if part))
        )
        ctx.warn(f"{canonical_id(article)} {GRAVE[status]}" + (f": see {notices}." if notices else "."))
    if len(grave) > NAMED:
        more = len(grave) - NAMED
        ctx.warn(f"{more} more {'is' if more == 1 else 'are'} retracted, of concern or withdrawn: see each `status`.")


def warn_notices(ctx: Context, articles: Mapping[str, Article]) -> None:
    """Say in one line which records (by id) are notices: their titles repeat the claim of the paper they speak of."""
    told = [
        f"{id_} ({', '.join(notice_of(one.status)) or 'of a paper that it does not link'})"
        for id_, one in articles.items()
        if one.status.is_notice
    ]
    if told:
        more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
        ctx.warn(f"Notices about another paper, with no findings of their own: {', '.join(told[:NAMED])}{more}.")


def versions(article: Article) -> tuple[list[str], list[str]]:
    """(published versions, preprints) of a record, by id."""
    from vouched_europepmc.notices import counterparts

    published, preprints = counterparts(article.notices, article.kind == "preprint")
    return _links(published), _links(preprints)


def authors_line(article: Article) -> str:
    """The first six authors, and how many more there are."""
    names = [author.display() for author in article.authors]
    more = len(names) - SHOWN_AUTHORS
    return ", ".join(names[:SHOWN_AUTHORS]) + (f" and {more} more" if more > 0 else "")


def allowed(decision: Decision) -> list[str]:
    """The uses that a decision answers with yes."""
    return [use for use in USES if getattr(decision.uses, use) == "yes"]


def card(ctx: Context, article: Article, text: TextAnswer | None = None) -> ReuseCard:
    """What may be done with an article; with its text, as the text's own statements decide."""
    found = ctx.licence.card(article, text.text if text else None)
    if text is None or text.text is not None:
        return found
    # The text was read by the gate alone: its decision counts, not the record's.
    decision = text.decision
    return msgspec.structs.replace(
        found,
        uses=decision.uses,
        conditions=decision.conditions,
        licence=decision.licence,
        spdx=decision.spdx,
        tier=decision.tier,
        rule=decision.rule,
        decided_by=decision.decided_by,
        needed=decision.needed,
    )


def shortened(text: str, most: int = SHORT_ABSTRACT) -> tuple[str, int]:
    """(the beginning, ending at a word; length of the whole where something was left out, else 0)."""
    if len(text) <= most:
        return text, 0
    return text[:most].rsplit(" ", 1)[0] + "…", len(text)


def hit(ctx: Context, article: Article, abstract: str = "none") -> Hit:
    """The compact row of a record; `abstract` is none, truncated or full."""
    from vouched_europepmc.lookup import canonical_id

    decision = ctx.licence.decide(article.access)
    published_as, preprints = versions(article)
    whole = article.abstract_text() if abstract != "none" else ""
    shown, length = shortened(whole) if abstract == "truncated" else (whole, 0)
    journal = article.journal.title or article.journal.abbreviation or (article.book.title if article.book else "")
    return Hit(
        id=canonical_id(article),
        title=article.title,
        authors=authors_line(article),
        journal=journal,
        year=article.year(),
        published=article.dates_recorded.get("firstPublicationDate", ""),
        pmid=article.ids.get("pmid", ""),
        pmcid=article.ids.get("pmcid", ""),
        doi=article.ids.get("doi", ""),
        is_preprint=article.kind == "preprint",
        preprint_server=article.preprint_server,
        access_tier=decision.tier,
        licence=decision.licence,
        may=allowed(decision),
        because=decision.decided_by,
        status=article.status.status,
        signals=signals(article.status),
        is_notice=article.status.is_notice,
        published_as=published_as,
        preprints=preprints,
        citations=article.citation_count,
        abstract=shown,
        abstract_chars=length,
    )
