"""ECitMatch: its line format and its quirks."""

import csv

import pytest

from tests import emulator
from tests.emulator.conftest import Caller


def match(caller: Caller, *lines: str) -> list[str]:
    answer = caller.get("eutils", "ecitmatch.cgi", db="pubmed", retmode="xml", bdata="\r".join(lines))
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text.splitlines()[: len(lines)] if answer.text.strip() else []


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("J Invent Res|2023|12|101|quillfeather aj|k|", "quillfeather aj|k|99900001"),
        ("journal of invented results|2021|10|755||k|", "|k|99900002"),
        ("9999-0001|2010|1|1|nobody n|k|", "nobody n|k|99900006"),
        ("J Invent Res|2022|12|101|quillfeather aj|k|", "quillfeather aj|k|99900001"),
        ("J Invent Res|2035|12|101|quillfeather aj|k|", "|k|NOT_FOUND"),
        ("J Invent Res|2023|12|999|x|k|", "|k|NOT_FOUND"),
        ("Nature of Nothing|2023|12|101|x|k|", "|k|NOT_FOUND;INVALID_JOURNAL"),
        ("J Invent Res|2024||||k|", "|k|AMBIGUOUS 99900018,99900014"),
        ("J Invent Res||||brontov ek|k|", "brontov ek|k|AMBIGUOUS (5 citations)"),
        ("|2023|12|101||k|", "|k|99900001"),
    ],
)
def test_results(joined: Caller, line: str, result: str) -> None:
    """Author and year may differ from the record; on a miss the author comes back empty."""
    found = match(joined, line)
    assert found == ["|".join(line.split("|")[:4]) + "|" + result]


def test_a_miss_without_a_journal_cuts_the_reply_short(joined: Caller) -> None:
    lines = ("J Invent Res|2023|12|101||a|", "|1991|88|99999|mann bj|b|", "J Invent Res|2021|10|755||c|")
    assert [line.rpartition("|")[2] for line in match(joined, *lines)] == ["99900001", ""]


def test_sparse_lines_are_not_echoed(joined: Caller) -> None:
    lines = ("||||brontov ek|a|", "J Invent Res|2021|10|755||b|", "too|few")
    assert match(joined, *lines)[0] == "J Invent Res|2021|10|755||b|99900002"


def test_lines_may_be_posted(joined: Caller) -> None:
    answer = joined.post("eutils", "ecitmatch.cgi", db="pubmed", bdata="J Invent Res|2021|10|755||b|\rx|1|2|3||c|")
    assert answer.text.splitlines()[0].endswith("|b|99900002")


def test_recorded_lines_get_their_recorded_results(whole: Caller) -> None:
    corpus = emulator.corpus_folder()
    assert corpus is not None
    with (corpus / "ecitmatch" / "ecitmatch_lines.tsv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    checked = 0
    for row in rows:
        request, wanted = row["request_line"], row["response_line"].removeprefix("(result) ").rpartition("|")[2]
        if request.count("|") >= 6 and not wanted.startswith("(response"):
            assert match(whole, request)[0].rpartition("|")[2] == wanted, request
            checked += 1
    assert checked >= 10
