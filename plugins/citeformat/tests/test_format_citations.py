"""The tool: rows in input order, notices beside every citation, files for whole bibliographies, failures told."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from vouched.api import AbstractPart, Article, Notice, Owner, RecordStatus, Signal, Style, hookimpl
from vouched.host import Host

from plugins.citeformat.tests import invented

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
ALL = ["apa", "mla", "vancouver", "nlm", "ama", "bibtex", "biblatex", "ris", "nbib", "csl-json", "endnote-xml", "csv"]


async def cite(host: Host, **arguments: Any) -> dict[str, Any]:
    """The answer's data, checked against the tool's schema."""
    envelope = await ask(host, **arguments)
    assert "error" not in envelope, envelope
    return envelope["data"]  # type: ignore[no-any-return]


async def ask(host: Host, **arguments: Any) -> dict[str, Any]:
    result = await host.call("citeformat_format_citations", arguments)
    bound = host.registry.tool("citeformat_format_citations")
    assert bound
    jsonschema.Draft202012Validator(bound.output_schema).validate(result.structured)
    return result.structured


@pytest.mark.smoke
async def test_one_id_gives_an_apa_reference_by_default(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        data = await cite(host, ids="PMID: 99900001")
    (row,) = data["citations"]
    assert row["citations"] == {
        "apa": "Quill, A. B., Marrow, J.-L., & van der Lind, O. (2024). Glimmer syndrome in invented mice. "
        "Journal of Invented Results, 12(3), 737–738. https://doi.org/10.9999/jir.2024.1"
    }
    assert (row["input"], row["id"], row["title"]) == (
        "PMID: 99900001",
        "pmid:99900001",
        "Glimmer syndrome in invented mice",
    )
    assert (data["total_submitted"], data["total_formatted"]) == (1, 1)
    assert "2026-11-30" in data["source"]


async def test_the_alias_of_another_server_works(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        result = await host.call("pubmed_format_citations", {"pmids": ["99900001"], "style": "mla"})
    assert list(result.structured["data"]["citations"][0]["citations"]) == ["mla"]


@pytest.mark.parametrize("given", [ALL, ", ".join(ALL), "\n".join(f"- {name}" for name in ALL), json.dumps(ALL)])
async def test_several_formats_in_any_spelling(cite_host: MakeHost, given: Any) -> None:
    async with cite_host() as host:
        data = await cite(host, ids=["99900001"], format=given)
    assert list(data["citations"][0]["citations"]) == ALL


@pytest.mark.parametrize(
    "given",
    ["apa, bibtex", ["apa, bibtex"], "apa bibtex", "apa; bibtex", "apa|bibtex", "apa/bibtex", "apa and bibtex",
     "APA 7, bib", "`apa`, `bibtex`", "apa，bibtex", "apa, bibtex,"],
)  # fmt: skip
async def test_one_text_with_several_names_is_several_formats(cite_host: MakeHost, given: Any) -> None:
    async with cite_host() as host:
        envelope = await ask(host, ids=["99900001"], format=given)
    assert list(envelope["data"]["citations"][0]["citations"]) == ["apa", "bibtex"]
    assert "warnings" not in envelope


async def test_a_name_of_several_words_is_one_format(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await ask(host, ids=["99900001"], format="CSL JSON, EndNote XML, Modern Language Association")
    assert list(envelope["data"]["citations"][0]["citations"]) == ["csl-json", "endnote-xml", "mla"]
    assert "warnings" not in envelope


async def test_more_than_twelve_formats_are_refused_in_one_text_too(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await ask(host, ids=["99900001"], format=", ".join([*ALL, "one", "more"]))
    assert envelope["error"]["path"] == "format"
    assert "14 formats" in envelope["error"]["message"]


async def test_rows_stand_in_input_order_and_no_id_is_both_found_and_missing(cite_host: MakeHost) -> None:
    wanted = ["99900007", "99900399", "nonsense!", "99900001", "10.9999/JIR.2024.1", "99900001"]
    async with cite_host() as host:
        data = await cite(host, ids=wanted)
    assert [(row["position"], row["input"]) for row in data["citations"]] == [
        (1, "99900007"),
        (4, "99900001"),
        (5, "10.9999/JIR.2024.1"),
        (6, "99900001"),
    ]
    assert [(row["position"], row["state"]) for row in data["unavailable"]] == [(2, "not_found"), (3, "invalid")]
    assert all(row["reason"] for row in data["unavailable"])
    assert (data["total_submitted"], data["total_formatted"]) == (6, 4)


async def test_a_service_that_could_not_be_asked_makes_the_answer_partial(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await ask(host, ids=["99900001", "99900400"])
        missing = await ask(host, ids=["99900001", "99900399"])
    assert envelope["status"] == "partial"
    assert envelope["data"]["unavailable"][0]["state"] == "failed"
    assert missing["status"] == "ok"


async def test_p82_a_retraction_is_visible_in_every_format_and_beside_it(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        data = await cite(host, ids=["99900007"], format=ALL)
    (row,) = data["citations"]
    assert row["status"] == "retracted" or row["notices"][0]["ref_type"] == "RetractionIn"
    for name, text in row["citations"].items():
        assert "etract" in text or "RIN - " in text, name
    assert row["notices"] == [
        {"ref_type": "RetractionIn", "ref_source": "J Invent Res. 2025 Jan;13(1):9-10", "pmid": "99900009"}
    ]


async def test_p83_a_retraction_notice_is_not_itself_retracted(cite_host: MakeHost) -> None:
    notice = invented.article(notices=[Notice("RetractionOf", "J Invent Res. 2024;12(3):737-8", {"pmid": "99900001"})])
    async with cite_host([notice]) as host:
        data = await cite(host, ids=["99900001"], format=["apa", "mla", "nlm"])
    (row,) = data["citations"]
    assert row["notices"] == []
    assert "Retract" not in row["citations"]["apa"]
    assert "Retracted." not in row["citations"]["mla"]
    assert "Retraction of: J Invent Res." in row["citations"]["nlm"]


async def test_notices_keep_the_order_of_the_source(cite_host: MakeHost) -> None:
    types = ["ErratumIn", "CommentIn", "ExpressionOfConcernIn", "RetractionIn", "UpdateIn", "CorrectedandRepublishedIn"]
    notices = [Notice(type_, f"J Invent Res. 2025;13:{n}", note="a note") for n, type_ in enumerate(types)]
    async with cite_host([invented.article(notices=notices)]) as host:
        data = await cite(host, ids=["99900001"])
    assert [row["ref_type"] for row in data["citations"][0]["notices"]] == [
        "ErratumIn",
        "ExpressionOfConcernIn",
        "RetractionIn",
        "CorrectedandRepublishedIn",
    ]
    assert data["citations"][0]["notices"][0]["note"] == "a note"


async def test_p81_abstracts_stay_out_unless_asked_for(cite_host: MakeHost) -> None:
    article = invented.article(abstract=[AbstractPart("Mice glimmer.")], copyright="© 2024 Invented Society")
    exports = ["ris", "nbib", "endnote-xml", "csl-json"]
    async with cite_host([article]) as host:
        without = (await cite(host, ids=["99900001"], format=exports))["citations"][0]["citations"]
        with_them = (await cite(host, ids=["99900001"], format=exports, include_abstracts=True))["citations"][0]
    for name in exports:
        assert "Mice glimmer." not in without[name]
        assert "Mice glimmer." in with_them["citations"][name]
    assert "N1  - © 2024 Invented Society" in with_them["citations"]["ris"]


async def test_a_whole_bibliography_is_one_file_a_format(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        result = await host.call(
            "citeformat_format_citations",
            {
                "ids": ["99900001", "99900007", "99900001"],
                "format": ["bibtex", "ris", "endnote-xml", "csl-json"],
                "as_file": True,
            },
        )
        data = result.structured["data"]
        assert [file["name"] for file in data["files"]] == [
            "bibliography-bibtex.bib",
            "bibliography-ris.ris",
            "bibliography-endnote-xml.xml",
            "bibliography-csl-json.json",
        ]
        assert {link.uri for link in result.attachments} == {file["uri"] for file in data["files"]}  # type: ignore[union-attr]
        assert all("citations" not in row for row in data["citations"])
        session = host.context(Owner(client="python")).session
        kept = {file["format"]: await session.artifact(file["artifact_id"]) for file in data["files"]}
    notice = "Records from PubMed, U.S. National Library of Medicine, retrieved 2026-11-30"
    assert all(manifest.source_notice.startswith(notice) for manifest, _ in kept.values())
    assert all(file["entries"] == 2 for file in data["files"])
    assert kept["bibtex"][1].startswith(f"% {notice}".encode())
    assert kept["ris"][1].count(b"ER  - \r\n") == 2
    assert kept["endnote-xml"][1].startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    assert f"<!-- {notice}".encode() in kept["endnote-xml"][1]
    assert len(json.loads(kept["csl-json"][1])) == 2


async def test_several_spellings_of_one_paper_are_one_entry_of_a_file_and_said(cite_host: MakeHost) -> None:
    spellings = ["99900001", "PMID: 99900001", "https://doi.org/10.9999/JIR.2024.1", "99900007"]
    async with cite_host() as host:
        envelope = await ask(host, ids=spellings, format=["bibtex", "csv"], as_file=True)
        alone = await ask(host, ids=["99900001", "99900007"], format="bibtex", as_file=True)
    assert [file["entries"] for file in envelope["data"]["files"]] == [2, 2]
    assert [row["position"] for row in envelope["data"]["citations"]] == [1, 2, 3, 4]
    (warning,) = envelope["warnings"]
    assert "2 (PMID: 99900001) is 1" in warning
    assert "3 (https://doi.org/10.9999/JIR.2024.1) is 1" in warning
    assert "warnings" not in alone


async def test_two_papers_whose_citations_look_alike_are_two_entries_of_a_file(cite_host: MakeHost) -> None:
    twins = [invented.article(ids={"pmid": pmid}) for pmid in ("99900001", "99900002")]
    async with cite_host(twins) as host:
        envelope = await ask(host, ids=["99900001", "99900002"], format="apa", as_file=True)
    assert envelope["data"]["files"][0]["entries"] == 2
    assert "warnings" not in envelope


async def test_rows_of_csv_come_with_the_names_of_their_columns(cite_host: MakeHost) -> None:
    import csv

    async with cite_host() as host:
        result = await host.call("citeformat_format_citations", {"ids": ["99900001"], "format": "csv, apa"})
        without = await cite(host, ids=["99900001"])
        kept = await cite(host, ids=["99900001"], format="csv", as_file=True)
    data = result.structured["data"]
    columns = data["csv_columns"].split(",")
    (row,) = csv.reader([data["citations"][0]["citations"]["csv"].strip()])
    assert dict(zip(columns, row, strict=True))["journal"] == "Journal of Invented Results"
    assert data["csv_columns"] in result.text.replace("\\", "")
    assert "csv_columns" not in without
    assert "csv_columns" not in kept


async def test_no_record_at_all_gives_guidance(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        data = await cite(host, ids=["99900398"])
    assert data["citations"] == []
    assert "No record was returned" in data["notice"]


async def test_p106_an_outage_is_not_blamed_on_the_spelling(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        data = await cite(host, ids=["99900401", "99900398"])
    assert data["citations"] == []
    assert data["notice"] == "No record could be had: a service did not answer, as the rows say. Ask again later."


async def test_without_a_resolver_the_answer_says_so(cite_host: MakeHost) -> None:
    async with cite_host([]) as host:
        envelope = await ask(host, ids=["99900001"])
    assert envelope["status"] == "partial"
    assert envelope["data"]["unavailable"][0]["state"] == "not_checked"
    assert "No plugin that has records is installed" in envelope["data"]["notice"]


async def test_an_unknown_format_is_refused_with_the_known_ones(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        envelope = await ask(host, ids=["99900001"], format="turabian-of-nowhere")
        mixed = await ask(host, ids=["99900001"], format=["apa", "turabian-of-nowhere"])
    assert envelope["error"]["code"] == "invalid_argument"
    assert "vancouver" in envelope["error"]["expected"]
    assert list(mixed["data"]["citations"][0]["citations"]) == ["apa"]
    assert "turabian-of-nowhere" in mixed["warnings"][0]


async def test_many_long_citations_come_in_pages_and_as_a_file(cite_host: MakeHost) -> None:
    articles = [
        invented.article(ids={"pmid": str(99900500 + n)}, authors=invented.people(60), title=f"Study {n}.")
        for n in range(40)
    ]
    async with cite_host(articles) as host:
        ids = [str(99900500 + n) for n in range(40)]
        seen: list[str] = []
        cursor, pages = None, 0
        while pages < 20:
            envelope = await ask(host, ids=ids, format=["nlm", "bibtex"], cursor=cursor)
            assert bool(envelope["data"].get("files")) == (pages == 0)
            seen += [row["input"] for row in envelope["data"]["citations"]]
            pages += 1
            cursor = envelope.get("next_cursor")
            if not cursor:
                break
    assert seen == ids
    assert pages > 1


async def test_a_third_party_plugin_adds_a_style(cite_host: MakeHost) -> None:
    def render(article: Article, markup: str) -> str:
        return f"{article.authors[0].family}!{article.year()}"

    def broken(article: Article, markup: str) -> str:
        raise RuntimeError("secret detail")

    @hookimpl
    def styles() -> list[Style]:
        return [Style("shout", "text/plain", ".txt", render), Style("broken", "text/plain", ".txt", broken)]

    async with cite_host(more={"extra": SimpleNamespace(styles=styles)}) as host:
        data = await cite(host, ids=["99900001"], format=["shout", "apa", "broken"])
    (row,) = data["citations"]
    assert row["citations"]["shout"] == "Quill!2024"
    assert list(row["citations"]) == ["shout", "apa"]
    assert [text for text in row["warnings"] if text.startswith("style_failed")] == [
        "style_failed: broken (RuntimeError)"
    ]


async def test_markup_is_text_markdown_or_html_and_exports_ignore_it(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        html = (await cite(host, ids=["99900001"], format=["apa", "ris"], markup="html"))["citations"][0]["citations"]
        markdown = (await cite(host, ids=["99900001"], markup="markdown"))["citations"][0]["citations"]
    assert "<i>Journal of Invented Results</i>, <i>12</i>(3)" in html["apa"]
    assert "*Journal of Invented Results*, *12*(3)" in markdown["apa"]
    assert "<https://doi.org/10.9999/jir.2024.1>" in markdown["apa"]
    assert "T2  - Journal of Invented Results" in html["ris"]


async def test_warnings_say_what_to_check(cite_host: MakeHost) -> None:
    from vouched.api import Date, Locator

    odd = invented.article(
        title="GLIMMER SYNDROME IN INVENTED MICE", date=Date(), locator=Locator(text="12345"), authors_complete=False
    )
    bare = invented.article(ids={"pmid": "99900002"}, locator=Locator(), authors=[])
    async with cite_host([odd, bare]) as host:
        data = await cite(host, ids=["99900001", "99900002"])
    codes = [[text.partition(":")[0] for text in row["warnings"]] for row in data["citations"]]
    assert codes == [
        ["all_caps_title", "missing_year", "authors_incomplete", "article_number_guessed"],
        ["no_authors", "no_pages"],
    ]


async def test_the_catalogue_entry_is_small(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        for name in ("citeformat_format_citations", "citeformat_parse_bibliography"):
            bound = host.registry.tool(name)
            assert bound
            schema = json.dumps(bound.input_schema)
            assert len(name) + len(bound.tool.description) + len(schema) <= 2_000


async def test_p82_a_retracted_record_is_named_at_the_top_and_in_the_run(cite_host: MakeHost) -> None:
    status = RecordStatus("retracted", [Signal("retracted", "RetractionIn")])
    articles = [invented.article(), invented.article(ids={"pmid": "99900007"}, status=status)]
    async with cite_host(articles) as host:
        envelope = await ask(host, ids=["99900001", "99900007", "99900007"])
        sound = await ask(host, ids=["99900001"])
        run = await host.store.run(Owner(client="python"), envelope["provenance"]["run_id"])
    assert envelope["warnings"] == ["Retracted, withdrawn or of concern: pmid:99900007 (retracted)."]
    assert "warnings" not in sound
    assert (run.total, run.notes["given_ids"]) == (2, ["pmid:99900001", "pmid:99900007"])


async def test_an_answer_with_files_says_how_to_read_them(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        data = await cite(host, ids=["99900001"], format="bibtex", as_file=True)
        (file,) = data["files"]
        read = await host.call("vouched_read_session", {"action": "artifact", "artifact_id": file["artifact_id"]})
        without = await cite(host, ids=["99900001"], format="bibtex")
    assert (file["name"], file["size"] > 0) == ("bibliography-bibtex.bib", True)
    assert "vouched_read_session (action artifact" in data["notice"]
    assert "vouched export" in data["notice"]
    assert "@article{" in read.text
    assert "notice" not in without
