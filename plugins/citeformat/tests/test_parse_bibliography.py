"""Somebody's own library, read back: every entry, its ids and fields; what cannot be read is told."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from vouched.host import Host
from vouched_citeformat import bibtex, nbib, read_bibtex, read_nbib, read_ris, ris
from vouched_citeformat.read_common import detect

from plugins.citeformat.tests import invented

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]

ZOTERO_RIS = """TY  - JOUR
TI  - Glimmer syndrome
AU  - Quill, Ada
AU  - The Glimmer Group,
PY  - 2020/05/03/
T2  - J Invent Res
SP  - 1
EP  - 9
UR  - https://doi.org/10.9999/jir.2020.5
N1  - PMID: 99900011
ER  -

TY  - JOUR
T1  - Second study
A1  - Marrow, Jean-Luc
Y1  - 2019
JO  - J Invent Res
AN  - WOS:000999000
ER  -
"""
LIBRARY = r"""
@comment{not an entry}
@string{jir = "Journal of Invented Results"}
@article{quill2020,
  author = {Quill, Ada B. and {The Glimmer and Gleam Group} and Marrow, Jr., Jean-Luc},
  title = {{Glimmer} \& gleam: the {$\beta$}-form of \textit{Mus invented} (P\textless{}0.05)},
  journal = jir,
  year = 2020, volume = {12}, number = {3}, pages = {737--738},
  doi = {10.9999/jir\_2020.5},
}
@article{broken, title = {Never closed
@misc{second, author={Ada B. Quill}, title={Second {Study}}, eprint={99900012}, eprinttype={pubmed}, date={2021-03-04}}
"""


async def parse(host: Host, **arguments: Any) -> dict[str, Any]:
    result = await host.call("citeformat_parse_bibliography", arguments)
    bound = host.registry.tool("citeformat_parse_bibliography")
    assert bound
    jsonschema.Draft202012Validator(bound.output_schema).validate(result.structured)
    return result.structured


def test_ris_of_other_programs_is_read() -> None:
    one, two = read_ris.read(ZOTERO_RIS)
    assert one.ids == {"pmid": "99900011", "doi": "10.9999/jir.2020.5"}
    assert one.fields == {
        "title": "Glimmer syndrome",
        "journal": "J Invent Res",
        "year": "2020",
        "pages": "1-9",
        "kind": "article",
        "authors": "Quill, Ada; The Glimmer Group",
    }
    assert two.ids == {}
    assert (two.position, two.fields["title"], two.fields["year"]) == (2, "Second study", "2019")


def test_an_accession_number_of_another_database_is_no_pmid() -> None:
    text = "TY  - JOUR\nTI  - A\nAN  - 12345678\n{}ER  - \n"
    (other,) = read_ris.read(text.format("DB  - Embase\n"))
    (own,) = read_ris.read(text.format("DP  - NLM\n"))
    assert other.ids == {}
    assert own.ids == {"pmid": "12345678"}


def test_bibtex_of_other_programs_is_read() -> None:
    found = list(read_bibtex.read(LIBRARY))
    first = found[0]
    assert first.key == "quill2020"
    assert first.ids == {"doi": "10.9999/jir_2020.5"}
    assert first.fields["title"] == "Glimmer & gleam: the β-form of Mus invented (P<0.05)"
    assert first.fields["authors"] == "Quill, Ada B.; The Glimmer and Gleam Group; Marrow, Jean-Luc, Jr."
    assert (first.fields["journal"], first.fields["pages"]) == ("Journal of Invented Results", "737-738")
    last = found[-1]
    assert last.ids == {"pmid": "99900012"}
    assert (last.fields["authors"], last.fields["year"]) == ("Quill, Ada B.", "2021")
    assert any(entry.text and not entry.fields for entry in found)


def test_a_name_that_bibtex_would_refuse_costs_no_entry() -> None:
    """Too many commas, an empty name, a brace too few: people write them, and the rest of the file is still read."""
    text = "@misc{a, author={Quill, Ada, B., C., D. and Marrow, Jean-Luc}, title={One}}\n"
    text += "@misc{b, author={, , ,}, title={Two}}\n@misc{c, author={Quill,}, title={Three}}"
    one, two, three = read_bibtex.read(text)
    assert one.fields["authors"] == "Quill, Ada, B., C., D.; Marrow, Jean-Luc"
    assert (two.fields["title"], three.fields["authors"]) == ("Two", "Quill")


@pytest.mark.parametrize("more", ["others", "et al.", "et al", "et. al."])
def test_a_list_of_authors_that_goes_on_has_no_author_of_that_name(more: str) -> None:
    (entry,) = read_bibtex.read(f"@article{{x, author={{Quill, Ada and {more}}}, title={{Glimmer}}}}")
    assert entry.fields["authors"] == "Quill, Ada"
    (record,) = read_ris.read(f"TY  - JOUR\nAU  - Quill, Ada\nAU  - {more}\nTI  - Glimmer\nER  - \n")
    assert record.fields["authors"] == "Quill, Ada"


def test_people_whose_names_only_look_like_more_are_kept() -> None:
    (entry,) = read_bibtex.read("@article{x, author={Others, Ada and Al, Et}, title={Glimmer}}")
    assert entry.fields["authors"] == "Others, Ada; Al, Et"


def test_an_entry_with_a_field_twice_or_a_key_that_came_before_is_read_like_any_other() -> None:
    text = "@misc{a, title={One}, title={Other}, author={Ada Quill and Jean-Luc Marrow}}\n@misc{a, title={Two}}"
    one, two = read_bibtex.read(text)
    assert one.fields["authors"] == "Quill, Ada; Marrow, Jean-Luc"
    assert one.fields["title"] == "Other"
    assert two.fields["title"] == "Two"


def test_a_string_that_is_defined_twice_is_no_unread_entry() -> None:
    assert list(read_bibtex.read('@string{j = "A"}\n@string{j = "B"}')) == []


def test_the_parsers_log_stays_silent_for_our_reads_and_for_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    import logging
    import threading

    from vouched_citeformat.quiet import quiet

    splitter = logging.getLogger("bibtexparser.splitter")
    before = (splitter.level, splitter.disabled, splitter.propagate, list(splitter.filters))
    assert any(entry.text for entry in read_bibtex.read(LIBRARY))
    assert caplog.records == []
    with quiet("bibtexparser.splitter"):
        other = threading.Thread(target=splitter.warning, args=("of another thread",))
        other.start()
        other.join()
        splitter.warning("ours")
    assert [record.message for record in caplog.records] == ["of another thread"]
    assert (splitter.level, splitter.disabled, splitter.propagate, splitter.filters) == before


def test_nbib_with_continued_lines_and_several_records_is_read() -> None:
    text = (
        nbib.render(invented.article(title=f"{'Glimmer ' * 20}end."), "text")
        + "\n"
        + nbib.render(invented.chapter(), "text")
    )
    one, two = read_nbib.read(text.replace("\n", "\r\n"))
    assert one.fields["title"] == f"{'Glimmer ' * 20}end"
    assert one.ids == {"pmid": "99900001", "doi": "10.9999/jir.2024.1", "pmcid": "PMC99900001"}
    assert one.fields["authors"] == "Quill, Ada B; Marrow, Jean-Luc; van der Lind, Oskar"
    assert (two.fields["kind"], two.fields["journal"]) == ("chapter", "InventedReviews")


@pytest.mark.parametrize(("module", "name"), [(ris, "ris"), (bibtex, "bibtex"), (nbib, "nbib")])
def test_the_format_is_recognised(module: Any, name: str) -> None:
    assert detect("\ufeff" + module.render(invented.article(title="@article{x} TY  - JOUR"), "text")) == name


async def test_the_list_becomes_an_artifact_that_other_tools_take(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await parse(host, text=ZOTERO_RIS)
        data = envelope["data"]
        assert (data["format"], data["total"], data["with_pmid"], data["with_doi"], data["without_id"]) == (
            "ris",
            2,
            1,
            1,
            1,
        )
        cited = await host.call("citeformat_format_citations", {"ids": f"artifact:{data['artifact_id']}"})
        assert cited.structured["data"]["unavailable"][0]["input"] == "99900011"


async def test_a_kept_bibliography_is_read_back(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        made = await host.call(
            "citeformat_format_citations", {"ids": ["99900001", "99900007"], "format": "bibtex", "as_file": True}
        )
        (file,) = made.structured["data"]["files"]
        data = (await parse(host, artifact=file["artifact_id"]))["data"]
    assert data["total"] == data["with_pmid"] == 2
    assert data["references"][0]["fields"]["title"] == "Glimmer syndrome in invented mice"


async def test_unread_entries_are_told(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await parse(host, text=LIBRARY)
    assert envelope["data"]["unread"]
    assert "could not be read" in envelope["warnings"][0]


@pytest.mark.parametrize(
    "arguments", [{}, {"text": "x", "artifact": "y"}, {"text": "just prose"}, {"text": "x", "format": "ris"}]
)
async def test_what_is_no_bibliography_is_refused(cite_host: MakeHost, arguments: dict[str, str]) -> None:
    async with cite_host() as host:
        envelope = await parse(host, **arguments)
    assert envelope["error"]["code"] == "invalid_argument"


async def test_an_unknown_artifact_is_not_found(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await parse(host, artifact="nothing-here")
    assert envelope["error"]["code"] == "not_found"


def test_parsed_references_are_plain_json() -> None:
    import msgspec

    encoded = json.loads(msgspec.json.encode(list(read_ris.read(ZOTERO_RIS))))
    assert set(encoded[0]) == {"ids", "fields", "position"}
