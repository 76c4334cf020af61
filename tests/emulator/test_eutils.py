"""EFetch, ESummary, EPost, ELink, ESpell, EInfo, and E-utilities for db=mesh and db=pmc."""

import pytest
from lxml import etree

from tests import emulator
from tests.emulator.conftest import Caller


def root_of(content: bytes) -> "etree._Element":
    return etree.fromstring(content)


def test_efetch_gives_records_in_the_order_asked_and_leaves_unknown_out(joined: Caller) -> None:
    answer = joined.get("eutils", "efetch.fcgi", db="pubmed", id="99900003,1,99900001,abc", retmode="xml")
    pmids = [e.text for e in root_of(answer.content).iterfind("PubmedArticle/MedlineCitation/PMID")]
    assert pmids == ["99900003", "99900001"]


def test_efetch_of_unknown_records_is_an_empty_set(joined: Caller) -> None:
    answer = joined.get("eutils", "efetch.fcgi", db="pubmed", id="1", retmode="xml")
    assert (answer.status_code, len(root_of(answer.content))) == (200, 0)


@pytest.mark.parametrize(
    ("ids", "status", "message"),
    [("", 200, "Supplied id parameter is empty."), ("abc", 400, "ID list is empty! Possibly it has no correct IDs.")],
)
def test_efetch_without_an_id(joined: Caller, ids: str, status: int, message: str) -> None:
    answer = joined.get("eutils", "efetch.fcgi", db="pubmed", id=ids, retmode="xml")
    assert answer.status_code == status
    assert root_of(answer.content).findtext("ERROR") == message
    assert b"<!DOCTYPE eEfetchResult" in answer.content


def test_long_urls_are_refused_and_posts_are_not(joined: Caller) -> None:
    ids = ",".join(["99900001"] * 2500)
    answer = joined.get("eutils", "efetch.fcgi", db="pubmed", id=ids)
    assert (answer.status_code, "Submitted URI too large!" in answer.text) == (414, True)
    assert joined.post("eutils", "efetch.fcgi", db="pubmed", id=ids).status_code == 200


def test_history_pages_and_expires(joined: Caller) -> None:
    posted = root_of(joined.post("eutils", "epost.fcgi", db="pubmed", id="99900001,99900002,99900003").content)
    kept = {"query_key": posted.findtext("QueryKey"), "WebEnv": posted.findtext("WebEnv")}
    answer = joined.get("eutils", "efetch.fcgi", db="pubmed", retstart=1, retmax=1, **kept)
    assert root_of(answer.content).findtext(".//PMID") == "99900002"
    emulator.behind(joined.server, "eutils").history.expire()
    expired = joined.get("eutils", "efetch.fcgi", db="pubmed", **kept)
    assert (expired.status_code, root_of(expired.content).findtext("ERROR")) == (400, "Unable to obtain query #1")
    summary = joined.get("eutils", "esummary.fcgi", db="pubmed", retmode="json", **kept)
    assert summary.json() == {"esummaryresult": ["Unable to obtain query #1"]}


def test_epost_errors(joined: Caller) -> None:
    wrong = root_of(joined.post("eutils", "epost.fcgi", db="nothing", id="1").content)
    assert wrong.findtext("ERROR") == "Invalid db name specified: nothing"
    empty = root_of(joined.post("eutils", "epost.fcgi", db="pubmed", id="x").content)
    assert empty.findtext("ERROR") == "Empty ID list; Nothing to store"
    assert len(empty) == 2


def test_esummary_json(joined: Caller) -> None:
    found = joined.get("eutils", "esummary.fcgi", db="pubmed", id="99900001,1", retmode="json").json()["result"]
    assert found["uids"] == ["99900001", "1"]
    assert found["1"] == {"uid": "1", "error": "cannot get document summary"}
    made = found["99900001"]
    assert (made["pubdate"], made["epubdate"], made["source"]) == ("2023 Mar 15", "2023 Feb 20", "J Invent Res")
    assert made["authors"][2] == {"name": "van der Zandt P", "authtype": "Author", "clusterid": ""}
    assert {"idtype": "pmcid", "idtypen": 5, "value": "pmc-id: PMC99900001;"} in made["articleids"]
    assert made["references"][0]["reftype"] == "Erratum in"
    assert (made["bookname"], made["pmcrefcount"]) == ("", "")


def test_esummary_of_a_book_chapter(joined: Caller) -> None:
    made = joined.get("eutils", "esummary.fcgi", db="pubmed", id="99900013", retmode="json").json()["result"][
        "99900013"
    ]
    assert (made["doctype"], made["title"], made["publishername"]) == (
        "chapter",
        "Glimmer Syndrome",
        "Nowhere University Press",
    )


def test_esummary_xml_of_both_versions(joined: Caller) -> None:
    first = root_of(joined.get("eutils", "esummary.fcgi", db="pubmed", id="99900002,1").content)
    assert first.findtext("DocSum/Item[@Name='LangList']/Item") == "English"
    assert first.findtext("DocSum/Item[@Name='AuthorList']/Item") == "Hollowell TR Jr"
    assert first.findtext("ERROR") == "UID=1: cannot get document summary"
    second = root_of(joined.get("eutils", "esummary.fcgi", db="pubmed", id="99900002", version="2.0").content)
    assert second.find("DocumentSummarySet/DocumentSummary[@uid='99900002']") is not None


def test_esummary_limits_and_refusals(joined: Caller) -> None:
    many = ",".join(str(n) for n in range(1, 502))
    refused = joined.get("eutils", "esummary.fcgi", db="pubmed", id=many, retmode="json").json()
    assert refused["error"].startswith("Too many UIDs in request. Maximum number of UIDs is 500")
    assert "result" not in refused
    invalid = joined.get("eutils", "esummary.fcgi", db="pubmed", id="1,abc", retmode="json").json()
    assert (invalid["error"], invalid["result"]) == ("Invalid uid abc at position= 1", {"uids": []})
    empty = joined.get("eutils", "esummary.fcgi", db="pubmed", id="", retmode="json").json()
    assert empty == {"esummaryresult": ["Empty id list - nothing todo"]}
    plain = joined.get("eutils", "esummary.fcgi", db="pubmed")
    assert root_of(plain.content).findtext("ERROR") == "Neither query_key nor id specified"


def test_elink_makes_one_set_of_a_list_and_several_of_repeated_ids(joined: Caller) -> None:
    def sets(ids: object) -> list[list[str]]:
        answer = joined.get("eutils", "elink.fcgi", dbfrom="pubmed", db="pubmed", id=ids, retmode="json")
        return [found["ids"] for found in answer.json()["linksets"]]

    assert sets("99900001,99900002") == [["99900001", "99900002"]]
    assert sets(["99900001", "99900002"]) == [["99900001"], ["99900002"]]


@pytest.mark.parametrize(
    ("name", "pmid", "links"),
    [
        ("pubmed_pubmed_refs", "99900001", ["99900006", "99900005", "99900002"]),
        ("pubmed_pubmed_citedin", "99900002", ["99900014", "99900001"]),
        ("pubmed_pubmed_citedin", "99900020", None),
    ],
)
def test_elink_links_by_the_reference_lists(joined: Caller, name: str, pmid: str, links: list[str] | None) -> None:
    answer = joined.get("eutils", "elink.fcgi", dbfrom="pubmed", db="pubmed", id=pmid, linkname=name, retmode="json")
    found = answer.json()["linksets"][0].get("linksetdbs")
    assert (found[0]["links"] if found else None) == links


def test_elink_similar_holds_the_record_itself_first_and_scores(joined: Caller) -> None:
    wanted = {
        "dbfrom": "pubmed",
        "db": "pubmed",
        "id": "99900007",
        "linkname": "pubmed_pubmed",
        "cmd": "neighbor_score",
    }
    root = root_of(joined.get("eutils", "elink.fcgi", **wanted).content)
    links = [(e.findtext("Id"), int(e.findtext("Score", "0"))) for e in root.iter("Link")]
    assert links[0] == ("99900007", 2147483647)
    assert links[1][0] == "99900008"
    assert [score for _, score in links] == sorted((score for _, score in links), reverse=True)


def test_elink_history_can_be_fetched(joined: Caller) -> None:
    wanted = {"dbfrom": "pubmed", "db": "pubmed", "id": "99900001", "linkname": "pubmed_pubmed_refs"}
    root = root_of(joined.get("eutils", "elink.fcgi", cmd="neighbor_history", **wanted).content)
    kept = {"query_key": root.findtext(".//QueryKey"), "WebEnv": root.findtext(".//WebEnv")}
    fetched = joined.get("eutils", "efetch.fcgi", db="pubmed", rettype="uilist", **kept)
    assert fetched.text.split() == ["99900006", "99900005", "99900002"]


def test_elink_between_pubmed_and_pmc(joined: Caller) -> None:
    there = joined.get("eutils", "elink.fcgi", dbfrom="pubmed", db="pmc", id="99900001", retmode="json").json()
    assert there["linksets"][0]["linksetdbs"][0]["links"] == ["99900001"]
    back = joined.get("eutils", "elink.fcgi", dbfrom="pmc", db="pubmed", id="PMC99900002", retmode="json").json()
    assert back["linksets"][0]["linksetdbs"][0]["links"] == ["99900002"]


def test_espell_corrects_and_always_carries_an_empty_error(joined: Caller) -> None:
    root = root_of(joined.get("eutils", "espell.fcgi", db="pubmed", term="glimmmer AND Lantren").content)
    assert root.findtext("CorrectedQuery") == "glimmer AND lantern"
    assert root.find("ERROR") is not None
    fine = root_of(joined.get("eutils", "espell.fcgi", db="pubmed", term="glimmer").content)
    assert fine.findtext("CorrectedQuery") == ""


def test_einfo_tells_build_and_fields(joined: Caller) -> None:
    found = joined.get("eutils", "einfo.fcgi", db="pubmed", retmode="json").json()["einforesult"]["dbinfo"][0]
    assert (found["dbname"], found["count"]) == ("pubmed", "20")
    root = root_of(joined.get("eutils", "einfo.fcgi").content)
    assert [e.text for e in root.iter("DbName")] == ["pubmed", "pmc", "mesh"]


def test_mesh_is_searched_by_word_heading_and_ui(joined: Caller) -> None:
    def found(term: str) -> list[str]:
        answer = joined.get("eutils", "esearch.fcgi", db="mesh", term=term, retmode="json")
        return answer.json()["esearchresult"]["idlist"]  # type: ignore[no-any-return]

    assert found("glimmer") == ["68999901"]
    assert found('"Lantern Fever"[MH]') == ["68999902"]
    assert found('"Lantern"[MH]') == []
    assert found("Q999907") == ["81999907"]
    assert found("lantern* OR glimmer") == ["68999902", "68999901", "67999905"]


def test_mesh_summaries_in_both_formats(joined: Caller) -> None:
    made = joined.get("eutils", "esummary.fcgi", db="mesh", id="68999901", retmode="json").json()["result"]["68999901"]
    assert (made["ds_meshui"], made["ds_idxlinks"][0]["treenum"]) == ("D999901", "C99.100.200")
    root = root_of(joined.get("eutils", "esummary.fcgi", db="mesh", id="67999905,5").content)
    assert root.findtext("DocSum/Item[@Name='DS_MeshTerms']/Item") == "LNT1 protein, imaginary"
    assert root.findtext(".//Item[@Name='TreeNum']") == "@LANTERNS"
    assert root.findtext("ERROR") == "UID=5: cannot get document summary"


def test_pmc_gives_full_texts_and_names_missing_ones(joined: Caller) -> None:
    root = root_of(joined.get("eutils", "efetch.fcgi", db="pmc", id="PMC99900015,99900001,7").content)
    assert [e.tag for e in root] == ["article", "article", "error"]
    assert root.findtext("error[@id='7']", "").startswith("The following PMCID is not available")
    found = joined.get("eutils", "esearch.fcgi", db="pmc", term="marsh lights", retmode="json").json()
    assert found["esearchresult"]["idlist"] == ["99900015"]


def test_other_databases_are_refused_as_in_an_outage(joined: Caller) -> None:
    answer = joined.get("eutils", "esearch.fcgi", db="gene", term="x")
    assert root_of(answer.content).findtext("ERROR") == "Search Backend failed: Database is not supported: gene"
