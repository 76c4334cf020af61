"""The tool verify_quotes: what cannot be read makes a quotation not checkable, never absent."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]
SENTENCE = "Episodes of glimmer syndrome were shorter on fictol than on placebo (18.2 vs. 41.5 minutes)."


async def check(ask: Ask, *quotes: tuple[str, str] | tuple[str, str, str]) -> list[dict[str, Any]]:
    asked = [dict(zip(("id", "text", "section"), quote, strict=False)) for quote in quotes]
    rows: list[dict[str, Any]] = (await ask("verify_quotes", quotes=asked))["data"]["quotes"]
    return rows


async def test_each_quotation_has_its_outcome_in_order(ask: Ask) -> None:
    rows = await check(
        ask,
        ("99900001", SENTENCE),
        ("PMC99900001", SENTENCE.replace("18.2", "12.8")),
        ("99900001", "Fictol did reduce the number of episodes"),
        ("99900001", "Lanterns burn longer in the northern marsh."),
        ("99900001", "Fictol  shortens glimmer episodes"),
    )
    assert [row["position"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["outcome"] for row in rows] == ["exact", "altered", "altered", "absent", "whitespace_only"]
    assert rows[1]["changes"] == [{"kind": "number", "quoted": "12.8", "printed": "18.2"}]
    assert rows[2]["changes"] == [{"kind": "negation", "quoted": "", "printed": "not"}]
    assert (rows[0]["path"], rows[0]["block"], rows[0]["start"]) == ("Results", "s3.1", 0)


async def test_a_closed_text_makes_it_not_checkable_with_the_reason(ask: Ask) -> None:
    abstract, other = await check(
        ask, ("99900005", "We followed 88 people"), ("99900005", "In the second village glimmer syndrome was found")
    )
    assert abstract["outcome"] == "exact"
    assert other["outcome"] == "not_checkable"
    assert "link only" in other["reason"]


async def test_an_alteration_of_an_abstract_is_not_claimed_while_the_text_is_closed(ask: Ask) -> None:
    (row,) = await check(ask, ("99900005", "We followed 89 people with glimmer syndrome for ten years."))
    assert row["outcome"] == "not_checkable"
    assert row["changes"][0]["kind"] == "number"


async def test_a_number_that_is_only_grouped_otherwise_is_checked_in_an_abstract_too(
    ask: Ask, server: Any, core: Callable[..., Any]
) -> None:
    """The number is the same, so that no closed text could hold truer words."""
    closed = core(abstractText="We followed 1,204 people.", isOpenAccess="N", inPMC="N", inEPMC="N", pmcid=None)
    body = {"version": "6.9", "hitCount": 1, "request": {}, "resultList": {"result": [closed]}}
    server.misbehave("search", "body", body=body, times=None)
    (row,) = await check(ask, ("99900001", "We followed 1204 people."))
    assert (row["outcome"], [change["kind"] for change in row["changes"]]) == ("altered", ["formatting"])


async def test_p82_a_quotation_from_a_retracted_paper_says_so(ask: Ask) -> None:
    asked = [{"id": "99900009", "text": "Fictol cures lantern fever in a single day."}] * 2
    data = (await ask("verify_quotes", quotes=asked))["data"]
    assert [row["outcome"] for row in data["quotes"]] == ["exact", "exact"]
    (paper,) = data["papers"]
    assert (paper["status"], paper["quote"]) == ("retracted", "yes")
    assert paper["because"]
    assert paper["searched"] == ["title", "abstract", "full_text"]
    assert paper["signals"][0]["notice_id"] == "pmid:99900010"


async def test_an_unknown_or_bad_id_is_not_checkable(ask: Ask) -> None:
    unknown, bad = await check(ask, ("77777777", "whatever it says"), ("junk", "whatever it says"))
    assert unknown["outcome"] == bad["outcome"] == "not_checkable"
    assert unknown["reason"].startswith("not_found")
    assert bad["reason"].startswith("invalid")


async def test_a_section_narrows_where_it_exists(ask: Ask) -> None:
    results, methods = await check(ask, ("99900001", SENTENCE, "Results"), ("99900001", SENTENCE, "Methods"))
    assert (results["outcome"], results.get("mismatch")) == ("exact", None)
    assert (methods["outcome"], methods["path"], methods["mismatch"]) == ("exact", "Results", "section_differs")
    assert methods["reason"] == "not in a section called 'Methods'; it stands in 'Results'"


async def test_a_wrong_section_never_makes_a_verbatim_quotation_absent(ask: Ask) -> None:
    asked = [{"id": "99900001", "text": "Plasma LNT1 was unchanged (Figure 1).", "section": "Methods"}]
    answer = await ask("verify_quotes", quotes=asked)
    (row,) = answer["data"]["quotes"]
    assert (row["outcome"], row["path"], row["mismatch"]) == ("exact", "Results", "section_differs")
    assert any("Methods" in warning and "Results" in warning for warning in answer["warnings"])


async def test_words_that_stand_nowhere_are_absent_whatever_the_section(ask: Ask) -> None:
    (row,) = await check(ask, ("99900001", "Lanterns burn longer in the northern marsh.", "Methods"))
    assert (row["outcome"], row.get("mismatch")) == ("absent", None)


async def test_a_section_that_there_is_not_is_said_with_those_that_there_are(ask: Ask) -> None:
    answer = await ask("verify_quotes", quotes=[{"id": "99900001", "text": SENTENCE, "section": "Nowhere"}])
    (row,) = answer["data"]["quotes"]
    assert (row["outcome"], row["mismatch"]) == ("exact", "no_such_section")
    assert "Results" in row["reason"]
    assert any("Nowhere" in warning and "Methods" in warning for warning in answer["warnings"])


async def test_a_section_of_a_closed_text_is_not_called_wrong(ask: Ask) -> None:
    (row,) = await check(ask, ("99900005", "We followed 88 people", "Methods"))
    assert (row["outcome"], row["mismatch"]) == ("exact", "section_not_read")


async def test_a_text_that_cannot_be_asked_is_said(ask: Ask, server: Any) -> None:
    server.misbehave("*/fullTextXML", "status", status=503, times=None)
    answer = await ask("verify_quotes", quotes=[{"id": "99900001", "text": "No such words stand there."}])
    assert answer["status"] == "partial"
    assert answer["data"]["quotes"][0]["outcome"] == "not_checkable"


async def test_fifty_quotations_stand_in_one_answer(ask: Ask) -> None:
    answer = await ask("verify_quotes", quotes=[{"id": "99900001", "text": SENTENCE}] * 50)
    assert answer["data"]["outcomes"] == {"exact": 50}
    assert len(answer["data"]["quotes"]) == 50


async def test_p94_fifty_long_quotations_keep_a_row_each(ask: Ask, server: Any) -> None:
    words = " ".join(f"Sentence {number} tells of {number * 3} lanterns in the marsh." for number in range(60))
    text = LETTER.replace("Words.", words)
    server.misbehave("*/fullTextXML", "body", body=text.encode(), media="application/xml", times=None)
    quoted = words.replace("of 30 lanterns", "of 31 lanterns")
    answer = await ask("verify_quotes", quotes=[{"id": "99900001", "text": quoted}] * 50)
    rows = answer["data"]["quotes"]
    assert len(rows) == 50
    assert rows[49]["changes"] == [{"kind": "number", "quoted": "31", "printed": "30"}]
    assert len(rows[49]["sha256"]) == 64
    assert len(rows[49].get("printed", "")) < 200
    assert any("Printed words are cut" in warning for warning in answer["warnings"])


TABLE = """<table-wrap id="t1"><label>Table 1</label><caption><p>Donors</p></caption><table><thead><tr><th>Item</th>
<th>Fictol</th></tr></thead><tbody><tr><td>Mean age (SD)</td><td>45.2 (3.1)</td></tr><tr><td>12</td><td>345</td></tr>
</tbody></table><table-wrap-foot><fn><p>SD, deviation of the lanterns.</p></fn></table-wrap-foot></table-wrap>"""
LETTER = f"""<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="pmid">99900001</article-id><permissions>
<license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>CC BY</license-p></license></permissions>
<abstract><p>Glimmer syndrome is an invented disease of adults, and no treatment has been invented.</p></abstract>
<abstract abstract-type="summary"><title>Author Summary</title><p>Lanterns are kept in every village.</p></abstract>
</article-meta></front><body><p>Words.</p>{TABLE}</body><back><ref-list><ref id="r1"><element-citation>
<article-title>Marsh lights at night</article-title><source>J Invent Res</source></element-citation></ref></ref-list>
</back></article>"""


@pytest.mark.parametrize(
    ("quoted", "outcome", "path", "block"),
    [
        ("SD, deviation of the lanterns.", "exact", "Table 1", "t1.note1"),
        ("45.2 (3.1)", "exact", "Table 1", "t1.row1"),
        ("Mean age (SD) 45.2 (3.1)", "whitespace_only", "Table 1", "t1.row1"),
        ("345", "exact", "Table 1", "t1.row2"),
        ("Mean age (SD) 54.2 (3.1)", "altered", "Table 1", "t1.row1"),
        ("Marsh lights at night", "exact", "References", "r1"),
        ("Lanterns are kept in every village.", "exact", "Author Summary", "abstract-2.1"),
    ],
)
async def test_absent_means_absent_from_tables_references_and_summaries_too(
    ask: Ask, server: Any, quoted: str, outcome: str, path: str, block: str
) -> None:
    server.misbehave("*/fullTextXML", "body", body=LETTER.encode(), media="application/xml")
    (row,) = await check(ask, ("99900001", quoted))
    assert (row["outcome"], row["path"], row["block"], row["places"]) == (outcome, path, block, 1)
