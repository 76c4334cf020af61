"""What a citation says of corrections and retractions, read from NLM's own citation of the notice."""

import pytest
from vouched.api import Notice
from vouched_citeformat.notices import medline_lines, retraction_parts

from plugins.citeformat.tests import invented


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("Lancet. 2004 Mar 6;363(9411):750. doi: 10.9999/x.", ("2004", "The Lancet", "363", "9411", "750")),
        ("Rowe CE. Biochem J. 1977 Apr 15;164(1):287-8", ("1977", "Biochem J", "164", "1", "287-8")),
        ("Doe J, Roe K. J Invent Res. 2020;5:e77", ("2020", "Journal of Invented Results", "5", "", "e77")),
        ("J Invent Res. 2025 Jan", ("2025", "Journal of Invented Results", "", "", "")),
        ("no citation at all", ("", "", "", "", "")),
        ("", ("", "", "", "", "")),
    ],
)
def test_the_citation_of_a_retraction_is_read(source: str, parts: tuple[str, ...]) -> None:
    article = invented.article(notices=[Notice("RetractionIn", source)])
    assert retraction_parts(article) == [parts]


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("J A. 2021 Jun 7;66(12):", "J A. 2021 Jun 7;66(12)."),
        ("J A. 2021 Jun 6;:", "J A. 2021 Jun 6."),
        ("J A. 2021;:", "J A. 2021."),
        ("J A. 2021 Jun 7;:1", "J A. 2021 Jun 7:1."),
        ("J A. 2021 Jun 7;:1. doi: 10.9999/x;:2", "J A. 2021 Jun 7:1. doi: 10.9999/x;:2."),
        ("J A. 1999;5(3):7. doi: 10.9999/(SICI)1;:2", "J A. 1999;5(3):7. doi: 10.9999/(SICI)1;:2."),
    ],
)
def test_a_volume_or_pages_that_are_not_known_yet_leave_no_stray_signs(source: str, printed: str) -> None:
    article = invented.article(notices=[Notice("ErratumIn", source)])
    assert list(medline_lines(article)) == [f"Erratum in: {printed}"]


def test_each_notice_is_one_sentence() -> None:
    notices = [
        Notice("RetractionIn", "J A. 2020;1:1."),
        Notice("CommentIn", "J B. 2020;1:1"),
        Notice("ErratumIn", "J C. 2020;1:1"),
        Notice("UpdateIn", "", {"pmid": "99900005"}),
    ]
    assert list(medline_lines(invented.article(notices=notices))) == [
        "Retraction in: J A. 2020;1:1.",
        "Erratum in: J C. 2020;1:1.",
        "Update in: PMID: 99900005.",
    ]
