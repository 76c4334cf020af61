"""Over every real EFetch record: no crash, and no field lost, by a naive walk that shares nothing with the reader."""

from collections.abc import Callable, Iterable, Sequence

from pubmed_corpus import Real, words
from vouched.api import Author, Date, canonical

ARTICLE = "MedlineCitation/Article/"
BOOK = "BookDocument/"
COMMON_IDS = {"pubmed": "pmid", "pmc": "pmcid", "doi": "doi", "pii": "pii", "mid": "mid", "bookaccession": "nbk"}


def report(capsys: object, what: str, records: Sequence[Real], wrong: Callable[[Real], object]) -> None:
    """Compare every record, print how many passed, and fail with the first differences."""
    found = [(record.name, difference) for record in records if (difference := wrong(record))]
    with capsys.disabled():  # type: ignore[attr-defined]
        print(f"\n{what}: {len(records) - len(found)} of {len(records)} real records", end="")
    assert not found, found[:5]


def base(record: Real) -> str:
    return ARTICLE if record.node.tag == "PubmedArticle" else BOOK


def squeezed(text: str) -> str:
    """As the naive walk has it: any white space to one space."""
    return " ".join(text.split())


def differs(read: Iterable[object], walked: Iterable[object]) -> object:
    one, other = list(read), list(walked)
    return None if one == other else (one, other)


def test_the_corpus_is_read_whole(capsys: object, real_records: Sequence[Real]) -> None:
    """351 records, each with its PMID; those of several versions by themselves."""
    assert len(real_records) >= 351
    report(capsys, "own PMID", real_records, lambda r: differs([r.article.ids.get("pmid")], _own_pmid(r)))


def _own_pmid(record: Real) -> list[str]:
    return record.texts("MedlineCitation/PMID") or record.texts("BookDocument/PMID")


def test_titles_are_whole(capsys: object, real_records: Sequence[Real]) -> None:
    """P22: a title begins and ends where the record's does, inline tags or not."""

    def wrong(record: Real) -> object:
        if "title" in record.article.flattened:
            return _formula_lost(record, base(record) + "ArticleTitle", record.article.title)
        return differs([squeezed(record.article.title)], record.texts(base(record) + "ArticleTitle"))

    report(capsys, "titles", real_records, wrong)


def _formula_lost(record: Real, path: str, text: str) -> object:
    """Of a flattened formula every token must be there (scripts may precede their base), and all words around it."""
    walked = "".join(record.texts(path))
    return differs(sorted(c for c in text if c.isalnum()), sorted(c for c in walked if c.isalnum()))


def test_title_markup_says_the_same_words(capsys: object, real_records: Sequence[Real]) -> None:
    import html
    import re

    def wrong(record: Real) -> object:
        markup = record.article.title_markup
        stripped = html.unescape(re.sub(r"</?(?:i|b|sub|sup)>", "", markup))
        return differs([squeezed(stripped)], [squeezed(record.article.title)]) if markup else None

    report(capsys, "title markup", real_records, wrong)


def test_every_character_of_every_abstract_part(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        path = base(record) + "Abstract/AbstractText"
        read = [squeezed(part.text) for part in record.article.abstract]
        if "abstract" in record.article.flattened:
            return _formula_lost(record, path, " ".join(read))
        labelled = [e for e in record.node.iterfind(path) if words(e) or e.get("Label")]
        return differs(read, [words(e) for e in labelled])

    report(capsys, "abstracts", real_records, wrong)


def test_abstract_labels_and_copyright(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        parts = [e for e in record.node.iterfind(base(record) + "Abstract/AbstractText") if words(e) or e.get("Label")]
        labels = [(e.get("Label") or "").replace("UNLABELLED", "") for e in parts]
        return differs([part.label for part in record.article.abstract], labels) or differs(
            [squeezed(record.article.copyright)] if record.article.copyright else [],
            record.texts(base(record) + "Abstract/CopyrightInformation"),
        )

    report(capsys, "abstract labels", real_records, wrong)


def test_other_abstracts(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        read = [squeezed(part.text) for other in record.article.other_abstracts for part in other.parts]
        return differs(read, record.texts("MedlineCitation/OtherAbstract/AbstractText")) or differs(
            [(other.type, other.language) for other in record.article.other_abstracts],
            [(e.get("Type"), e.get("Language")) for e in record.node.iterfind("MedlineCitation/OtherAbstract")],
        )

    report(capsys, "other abstracts", real_records, wrong)


def _people(record: Real, path: str) -> list[tuple[str, ...]]:
    found = []
    for person in record.node.iterfind(path):
        parts = ("LastName", "ForeName", "Initials", "Suffix", "CollectiveName")
        found.append(tuple(squeezed(words(e)) if (e := person.find(part)) is not None else "" for part in parts))
    return found


def _read_people(people: Iterable[Author]) -> list[tuple[str, ...]]:
    return [
        tuple(squeezed(text) for text in (one.family, one.given, one.initials, one.suffix, one.collective))
        for one in people
    ]


def test_authors_by_count_order_and_every_name_part(capsys: object, real_records: Sequence[Real]) -> None:
    """P32, P33, P34, P35: groups in their place, mononyms, suffixes, nothing swapped."""
    report(
        capsys,
        "authors",
        real_records,
        lambda r: differs(_read_people(r.article.authors), _people(r, base(r) + "AuthorList/Author")),
    )


def test_investigators_stand_apart(capsys: object, real_records: Sequence[Real]) -> None:
    path = "MedlineCitation/InvestigatorList/Investigator"
    report(
        capsys,
        "investigators",
        real_records,
        lambda r: differs(_read_people(r.article.investigators), _people(r, path)),
    )


def test_affiliations_and_orcids(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        walked = []
        for author in record.node.iterfind(base(record) + "AuthorList/Author"):
            own = [words(e) for e in author.iterfind("AffiliationInfo/Affiliation")]
            walked.append((own or [words(e) for e in author.iterfind("Affiliation")], _orcid(author)))
        legacy = record.texts(ARTICLE + "Affiliation")
        if legacy and walked and not walked[0][0]:
            walked[0] = (legacy, walked[0][1])
        read = [([squeezed(a) for a in one.affiliations], one.orcid.replace("-", "")) for one in record.article.authors]
        return differs(read, walked)

    report(capsys, "affiliations", real_records, wrong)


def _orcid(author: object) -> str:
    for identifier in author.iterfind("Identifier"):  # type: ignore[attr-defined]
        if identifier.get("Source") == "ORCID":
            return "".join(c for c in words(identifier).rpartition("/")[2] if c.isdigit() or c == "X")
    return ""


def _walked_ids(record: Real, scheme: str) -> list[str]:
    """Only the record's own places: never `//ArticleId`, which finds the references' too."""
    lists = ("PubmedData/ArticleIdList", "BookDocument/ArticleIdList", "PubmedBookData/ArticleIdList")
    values = [
        words(e)
        for place in lists
        for e in record.node.iterfind(place + "/ArticleId")
        if COMMON_IDS.get(e.get("IdType")) == scheme
    ]
    if scheme in ("doi", "pii"):
        valid = [e for e in record.node.iterfind(ARTICLE + "ELocationID") if e.get("ValidYN") == "Y"]
        values = [words(e) for e in valid if e.get("EIdType") == scheme] + values
    return [value for value in values if value]


def test_p36_only_the_records_own_ids(capsys: object, real_records: Sequence[Real]) -> None:
    """DOI, PMCID, pii, manuscript and Bookshelf numbers: the first of each, further ones beside it."""

    def wrong(record: Real) -> object:
        for scheme in ("pmid", "doi", "pmcid", "pii", "mid", "nbk"):
            walked = _walked_ids(record, scheme)
            read = [record.article.ids.get(scheme, ""), *record.article.also_ids.get(scheme, [])]
            if not walked and scheme in ("pmcid", "mid"):
                continue  # old records have them as OtherID
            same = {canonical(scheme, value) for value in walked} == {canonical(scheme, value) for value in read}
            if walked and not same:
                return scheme, read, walked
            if not walked and read != [""] and scheme != "pmid":
                return scheme, read, walked
        return None

    report(capsys, "identifiers", real_records, wrong)


def test_pages_volume_and_issue_stay_text(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        article, issue = record.article, ARTICLE + "Journal/JournalIssue/"
        pages = record.texts(ARTICLE + "Pagination/MedlinePgn")
        return (
            (pages and differs([article.locator.text], pages))
            or differs([article.volume] if article.volume else [], record.texts(issue + "Volume"))
            or differs([article.issue] if article.issue else [], record.texts(issue + "Issue"))
        )

    report(capsys, "pages, volume, issue", real_records, wrong)


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _walked_date(record: Real, path: str) -> tuple[int | None, int | None, int | None] | None:
    node = record.node.find(path)
    if node is None or node.find("Year") is None or node.find("Season") is not None:
        return None
    month = node.findtext("Month") or ""
    number = int(month) if month.isdigit() else MONTHS.index(month) + 1 if month in MONTHS else None
    day = node.findtext("Day")
    return int(node.findtext("Year") or 0), number, int(day) if day else None


def _parts(date: Date) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day


def test_dates(capsys: object, real_records: Sequence[Real]) -> None:
    """P27, P29: the issue's date and the electronic one, each in its own field; free text keeps its words and year."""

    def wrong(record: Real) -> object:
        article, issued = record.article, ARTICLE + "Journal/JournalIssue/PubDate"
        for date, path in ((article.date, issued), (article.electronic_date, ARTICLE + "ArticleDate")):
            walked = _walked_date(record, path)
            if walked and _parts(date) != walked:
                return date, walked
        free = record.texts(issued + "/MedlineDate")
        if free and (article.date.literal != free[0] or str(article.date.year) != free[0][:4]):
            return article.date, free
        season = record.texts(issued + "/Season")
        return season and season[0] not in article.date.literal and (article.date, season)

    report(capsys, "dates", real_records, wrong)


def test_history(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        data = "PubmedData" if record.node.tag == "PubmedArticle" else "PubmedBookData"
        walked = []
        for step in record.node.iterfind(f"{data}/History/PubMedPubDate"):
            year, month, day = (int(step.findtext(part) or 0) for part in ("Year", "Month", "Day"))
            walked.append((step.get("PubStatus"), (year, month, day)))
        return differs([(step.status, _parts(step.date)) for step in record.article.history], walked)

    report(capsys, "history", real_records, wrong)


def test_languages_and_types(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        types = list(record.node.iterfind(ARTICLE + "PublicationTypeList/PublicationType"))
        types += list(record.node.iterfind(BOOK + "PublicationType"))
        return differs(record.article.languages, record.texts(base(record) + "Language")) or differs(
            [(kind.name, kind.ui) for kind in record.article.types], [(words(e), e.get("UI", "")) for e in types]
        )

    report(capsys, "languages, publication types", real_records, wrong)


def test_notices(capsys: object, real_records: Sequence[Real]) -> None:
    """CommentsCorrections both ways, in the record's order; `Cites` of old records are references."""

    def wrong(record: Real) -> object:
        links = list(record.node.iterfind("MedlineCitation/CommentsCorrectionsList/CommentsCorrections"))
        walked = [
            (e.get("RefType"), words(e.find("RefSource")), e.findtext("PMID") or "")
            for e in links
            if e.get("RefType") != "Cites"
        ]
        read = [(n.type, squeezed(n.source), n.ids.get("pmid", "")) for n in record.article.notices]
        return differs(read, walked)

    report(capsys, "notices", real_records, wrong)


def test_references_with_their_own_ids(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        links = record.node.iterfind("MedlineCitation/CommentsCorrectionsList/CommentsCorrections")
        walked = [(words(e.find("RefSource")), e.findtext("PMID")) for e in links if e.get("RefType") == "Cites"]
        for place in ("PubmedData", "BookDocument"):
            for reference in record.node.iterfind(f"{place}/ReferenceList//Reference"):
                ids = {e.get("IdType"): words(e) for e in reference.iterfind("ArticleIdList/ArticleId")}
                citation = reference.find("Citation")
                walked.append(("" if citation is None else words(citation), ids.get("pubmed")))
        read = [(squeezed(entry.text), entry.ids.get("pmid")) for entry in record.article.cited_references]
        return differs(read, walked)

    report(capsys, "references", real_records, wrong)


def test_indexing(capsys: object, real_records: Sequence[Real]) -> None:
    """MeSH with qualifiers and major topics, chemicals, supplementary concepts, keywords."""

    def wrong(record: Real) -> object:
        article, citation = record.article, record.node.find("MedlineCitation")
        if citation is None:
            return None
        mesh = [
            (heading.findtext("DescriptorName"), [q.text for q in heading.iterfind("QualifierName")])
            for heading in citation.iterfind("MeshHeadingList/MeshHeading")
        ]
        chemicals = [
            (e.findtext("NameOfSubstance"), e.findtext("RegistryNumber"))
            for e in citation.iterfind("ChemicalList/Chemical")
        ]
        return (
            differs([(h.name, [q.name for q in h.qualifiers]) for h in article.mesh], mesh)
            or differs([(c.name, c.registry_number) for c in article.chemicals], chemicals)
            or differs(
                [s.name for s in article.supplementary_mesh],
                record.texts("MedlineCitation/SupplMeshList/SupplMeshName"),
            )
            or differs(
                [squeezed(k.term) for k in article.keywords if not _flat(record)],
                record.texts("MedlineCitation/KeywordList/Keyword") if not _flat(record) else [],
            )
        )

    report(capsys, "indexing", real_records, wrong)


def _flat(record: Real) -> bool:
    return record.node.find("MedlineCitation/KeywordList/Keyword/{*}math") is not None


def test_journal(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        journal, info = record.article.journal, "MedlineCitation/MedlineJournalInfo/"
        if record.node.tag != "PubmedArticle":
            return None
        read = [journal.title, journal.iso_abbreviation, journal.issn]
        paths = [ARTICLE + "Journal/Title", ARTICLE + "Journal/ISOAbbreviation", ARTICLE + "Journal/ISSN"]
        read += [journal.abbreviation, journal.nlm_id, journal.country, journal.issn_linking]
        paths += [info + "MedlineTA", info + "NlmUniqueID", info + "Country", info + "ISSNLinking"]
        return differs(read, ["".join(record.texts(path)) for path in paths])

    report(capsys, "journals", real_records, wrong)


def test_grants_data_banks_and_subjects(capsys: object, real_records: Sequence[Real]) -> None:
    def wrong(record: Real) -> object:
        article = record.article
        grants = [
            tuple(e.findtext(part) or "" for part in ("GrantID", "Acronym", "Agency", "Country"))
            for e in record.node.iterfind(ARTICLE + "GrantList/Grant")
        ]
        banks = [
            (e.findtext("DataBankName"), [n.text for n in e.iterfind("AccessionNumberList/AccessionNumber")])
            for e in record.node.iterfind(ARTICLE + "DataBankList/DataBank")
        ]
        subjects = _people(record, "MedlineCitation/PersonalNameSubjectList/PersonalNameSubject")
        return (
            differs([(g.number, g.acronym, g.agency, g.country) for g in article.grants], grants)
            or differs([(b.name, b.accessions) for b in article.data_banks], banks)
            or differs(_read_people(article.personal_subjects), subjects)
        )

    report(capsys, "grants, data banks, subjects", real_records, wrong)


def test_deleted_citations_are_named() -> None:
    """An update file's DeleteCitation list is told from records that are merely absent."""
    import pytest
    from pubmed_corpus import folder
    from vouched_pubmed.efetch import read_articles

    place = folder()
    if place is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    read = read_articles((place / "nlm_pubmed21n1298_DeleteCitation.xml").read_bytes())
    assert len(read.deleted) == 20
    assert all(pmid.isdigit() for pmid in read.deleted)
