"""Large results for tests of paging: records that exist only as dates and a word."""

import datetime
from collections.abc import Mapping

from tests.emulator.pubmed_records import Record
from tests.emulator.words import padded

PRINTED_LATER = 400


def synthetic(
    word: str,
    count: int,
    first: int = 80_000_001,
    start: str = "2020-01-01",
    per_day: int = 100,
    crowded: Mapping[str, int] | None = None,
) -> dict[int, Record]:
    """count records that a search for the word finds, by PMID from `first` upwards, in the order of their dates.

    From `start` on each day created `per_day` of them; a day in `crowded` ("2021-03-05": 12000) created so many
    instead. The create date is one per record; every tenth has a second publication date 400 days later, so slices
    on publication dates overlap.
    """
    days = {datetime.date.fromisoformat(day): number for day, number in (crowded or {}).items()}
    made: dict[int, Record] = {}
    day = datetime.date.fromisoformat(start)
    while len(made) < count:
        for _ in range(min(days.get(day, per_day), count - len(made))):
            pmid = first + len(made)
            made[pmid] = _record(word, pmid, day.toordinal())
        day += datetime.timedelta(days=1)
    return made


def _record(word: str, pmid: int, day: int) -> Record:
    title = f"{word.capitalize()} record {pmid}."
    text = padded(title)
    printed = (day, day + PRINTED_LATER) if pmid % 10 == 0 else (day,)
    return Record(
        pmid=pmid,
        raw=b"",
        title=title,
        journal=("Journal of invented results", "J Invent Res"),
        year=str(datetime.date.fromordinal(day).year),
        texts={"ti": text, "tiab": text, "all": text},
        dates={"pdat": printed, "edat": (day,), "crdt": (day,), "mdat": (day,)},
        filters=frozenset({"all"}),
    )


def raw(record: Record) -> bytes:
    """The record's element: its own bytes, or made from what a synthetic record is."""
    if record.raw:
        return record.raw
    day = datetime.date.fromordinal(record.dates["crdt"][0])
    date = f"<Year>{day.year}</Year><Month>{day.month:02d}</Month><Day>{day.day:02d}</Day>"
    history = "".join(f'<PubMedPubDate PubStatus="{s}">{date}</PubMedPubDate>' for s in ("entrez", "pubmed"))
    return (
        '<PubmedArticle><MedlineCitation Status="PubMed-not-MEDLINE" Owner="NLM">'
        f'<PMID Version="1">{record.pmid}</PMID>'
        f'<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate>{date}</PubDate></JournalIssue>'
        "<Title>Journal of invented results</Title><ISOAbbreviation>J Invent Res</ISOAbbreviation></Journal>"
        f"<ArticleTitle>{record.title}</ArticleTitle><Language>eng</Language><PublicationTypeList>"
        '<PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article>'
        "<MedlineJournalInfo><MedlineTA>J Invent Res</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData>"
        f"<History>{history}</History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{record.pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>'
    ).encode()
