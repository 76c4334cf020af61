"""Finding the record that a reference means: by its ids, by ECitMatch, by its title."""

import re
from collections.abc import Sequence

from vouched.api import Article, Context, Fault, Id, Missing, ParsedReference, canonical, fold

from vouched_pubmed.client import esearch
from vouched_pubmed.ecitmatch import match
from vouched_pubmed.fetching import fetch_pmids
from vouched_pubmed.lookup import resolve_ids
from vouched_pubmed.reference_compare import cited_fields, same_title
from vouched_pubmed.title_match import compare_title

__all__ = ["Finding", "find_records"]

# Titles in one search; each brings at most its own few hits.
TITLES = 10
HITS = 5
MOST_ALONE = 20
# Words of a title that go into the search: enough to be alone, few enough to survive a typing error elsewhere.
WORDS = 8
MATCHED = 100
NOTHING = "Nothing in PubMed fits; it may stand in a journal or book that PubMed does not have."
UNANSWERED = (
    "PubMed's citation matcher gave no answer to it, as it does with too few fields, and no title led to a record: "
    "it may be in PubMed all the same."
)
_COMMON = frozenset(("with", "from", "that", "this", "these", "have", "after", "before", "during", "among", "between"))


class Finding:
    """What was found for one reference.

    Attributes:
        record; by: "id", "ecitmatch" or "title".
        doubtful: a record that ids, or journal, volume and page lead to although its title is another; it is taken when
            the title leads nowhere; doubtful_by likewise.
        elsewhere: by scheme, records that ids of the reference lead to, whichever record is taken.
        missing: why there is none; others: PMIDs that it may be as well; fault: what kept a way from being gone.
    """

    def __init__(self) -> None:
        self.record: Article | None = None
        self.by = ""
        self.doubtful: Article | None = None
        self.doubtful_by = ""
        self.elsewhere: dict[str, Article] = {}
        self.missing = Missing("not_found", NOTHING)
        self.others: list[str] = []
        self.fault: Fault | None = None


async def find_records(ctx: Context, references: Sequence[ParsedReference]) -> list[Finding]:
    """A finding for every reference, in order: ids first; then, for those without and for those whose id leads to a
    record of another title, journal, volume and page; then the title."""
    findings = [Finding() for _ in references]
    await _by_ids(ctx, references, findings)
    for way in (_by_citation, _by_title):
        open_ = [(one, found) for one, found in zip(references, findings, strict=True) if _is_open(one, found)]
        if open_:
            try:
                await way(ctx, open_)
            except Fault as fault:
                for _, found in open_:
                    found.fault = fault
    for found in findings:
        if found.record is None and found.doubtful is not None:
            found.record, found.by = found.doubtful, found.doubtful_by
    return findings


def _is_open(reference: ParsedReference, found: Finding) -> bool:
    if found.record is not None or found.missing.state in ("failed", "invalid"):
        return False
    return found.doubtful is None or bool(reference.fields.get("title"))


def _ids(reference: ParsedReference) -> list[Id]:
    known = [
        canonical(scheme, reference.ids[scheme])
        for scheme in ("pmid", "doi", "pmcid", "nbk")
        if scheme in reference.ids
    ]
    return [id_ for id_ in known if id_]


async def _by_ids(ctx: Context, references: Sequence[ParsedReference], findings: Sequence[Finding]) -> None:
    wanted = list(dict.fromkeys(id_ for reference in references for id_ in _ids(reference)))
    if not wanted:
        return
    resolution = await resolve_ids(ctx, wanted)
    for reference, found in zip(references, findings, strict=True):
        records = [resolution.found[id_] for id_ in _ids(reference)]
        found.elsewhere = {
            id_.scheme: article for id_ in _ids(reference) if isinstance(article := resolution.found[id_], Article)
        }
        if not records:
            continue
        articles = [record for record in records if isinstance(record, Article)]
        if not articles:
            missing = [record for record in records if isinstance(record, Missing)]
            found.missing = next((one for one in missing if one.state == "failed"), missing[0])
            found.fault = resolution.faults[0] if resolution.faults and found.missing.state == "failed" else None
            continue
        # Of ids that lead to different records, the one whose title is the reference's.
        title = reference.fields.get("title", "")
        alike = [article for article in articles if title and same_title(title, article)]
        alike = [article for article in alike if compare_title(title, article) == "same"] or alike
        best = alike[0] if alike else articles[0]
        if not title or same_title(title, best) or fold(best.title) in fold(reference.text):
            found.record, found.by = best, "id"
        else:
            found.doubtful, found.doubtful_by = best, "id"


async def _by_citation(ctx: Context, references: Sequence[tuple[ParsedReference, Finding]]) -> None:
    """ECitMatch for those with journal or year and at least two more of its fields."""
    rows = []
    for reference, found in references:
        cited = cited_fields(reference)
        rest = [part for part in (cited.volume, cited.first_page, cited.author_name) if part]
        if (cited.journal or cited.year) and len(rest) >= 2:
            rows.append((reference, found, cited))
    for first in range(0, len(rows), MATCHED):
        chunk = rows[first : first + MATCHED]
        outcomes = await match(ctx, [cited for _, _, cited in chunk])
        named = {pmid for outcome in outcomes for pmid in (outcome.pmid, *outcome.candidates[:HITS]) if pmid}
        records = await fetch_pmids(ctx, sorted(named, key=int)) if named else {}
        for (reference, found, _), outcome in zip(chunk, outcomes, strict=True):
            pmids = [pmid for pmid in (outcome.pmid, *outcome.candidates[:HITS]) if pmid]
            found.fault = outcome.fault
            if outcome.state == "no_answer" and found.missing.reason == NOTHING:
                found.missing = Missing("not_found", UNANSWERED)
            _take(reference, found, [records[pmid] for pmid in pmids], "ecitmatch", sure=outcome.state == "matched")


async def _by_title(ctx: Context, references: Sequence[tuple[ParsedReference, Finding]]) -> None:
    rows = [(reference, found, clause) for reference, found in references if (clause := _title_clause(reference))]
    for first in range(0, len(rows), TITLES):
        await _search_titles(ctx, rows[first : first + TITLES])


async def _search_titles(ctx: Context, rows: Sequence[tuple[ParsedReference, Finding, str]]) -> None:
    """One search for all of them; where one title finds so much that it would crowd the others out, two."""
    size = max(MOST_ALONE, HITS * len(rows))
    hits = await esearch(ctx, " OR ".join(clause for _, _, clause in rows), size=size)
    if hits.total > size and len(rows) > 1:
        half = len(rows) // 2
        await _search_titles(ctx, rows[:half])
        await _search_titles(ctx, rows[half:])
        return
    records = await fetch_pmids(ctx, hits.ids) if hits.ids else {}
    for reference, found, _ in rows:
        _take(reference, found, list(records.values()), "title", sure=False)


def _title_clause(reference: ParsedReference) -> str:
    words = [word for word in fold(reference.fields.get("title", "")).split() if len(word) > 3 and word not in _COMMON]
    words = sorted(dict.fromkeys(words), key=len, reverse=True)[:WORDS]
    return "(" + " AND ".join(f"{word}[ti]" for word in words) + ")" if len(words) >= 3 else ""


def _take(
    reference: ParsedReference, found: Finding, records: Sequence[Article | Missing], by: str, *, sure: bool
) -> None:
    """Choose among candidates: the one with the reference's title; without a title, a single sure one."""
    articles = [record for record in records if isinstance(record, Article)]
    title = reference.fields.get("title", "")
    same = [article for article in articles if title and same_title(title, article)]
    if len(same) > 1:
        same = [article for article in same if compare_title(title, article) == "same"] or same
        # Notices often repeat the title of the article that they are about; the year tells versions apart.
        year = re.search(r"\d{4}", reference.fields.get("year", ""))
        same = [a for a in same if not a.status.is_notice] or same
        same = [a for a in same if year and str(a.date.year) == year[0]] or same
    if len(same) == 1 or (same and by == "ecitmatch"):
        found.record, found.by = same[0], by
    elif len(same) > 1:
        found.missing = Missing("ambiguous", "Several records have this title.")
        found.others = [article.ids["pmid"] for article in same]
    elif sure and len(articles) == 1 and found.doubtful is None:
        if title:
            found.doubtful, found.doubtful_by = articles[0], by
        else:
            found.record, found.by = articles[0], by
    elif len(articles) > 1 and by == "ecitmatch" and not title:
        found.missing = Missing("ambiguous", "Several records fit journal, year, volume, page and author.")
        found.others = [article.ids["pmid"] for article in articles]
