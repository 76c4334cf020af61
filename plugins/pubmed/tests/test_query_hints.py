"""What PubMed reads otherwise than its writer meant is pointed at."""

import pytest
from vouched_pubmed.query_hints import hints


@pytest.mark.parametrize(
    ("query", "piece"),
    [
        ("stroke and aspirin not children", "`and` in lower case"),
        ("stroke AND aspirin not children", "`not` in lower case"),
        ("“heart failure” AND statin", "quotation marks"),
        ("essential NEAR/1 oil", "`NEAR/1`"),
        ("essential adj3 oil", None),
        ("essential ADJ3 oil", "`ADJ3`"),
        ("asthma.ti,ab.", "Ovid"),
        ("asthma:ti,ab,kw", "Embase"),
        ("exp Asthma/", "explodes"),
        ("colo?r", None),
        ("behavio$", "wildcard"),
        ("TITLE-ABS-KEY(asthma)", "syntax of other databases"),
        ("ast*", "four characters"),
        ("(asthma OR copd", "parentheses do not balance"),
        ('"asthma OR copd', "quotation marks do not balance"),
        ("lung W/3 cancer", "`W/3`"),
        ("lung n/5 cancer", None),
    ],
)
def test_p21_foreign_or_weak_syntax_is_named(query: str, piece: str | None) -> None:
    said = " ".join(hints(query))
    assert (piece in said) if piece else not said


@pytest.mark.parametrize(
    "query",
    [
        "asthma AND (child* OR adolescent*) NOT review[pt]",
        '"sleep and dreaming"[tiab]',
        "10.1016/j.cell.2020.01.001[doi]",
        "2020/01/01:2020/12/31[dp]",
        "smith j[au]",
        '"heart failure"[tiab:~3]',
        "interleukin-1beta AND TNF-alpha",
        "T-cell N Engl J Med[ta]",
        "p<0.05 & more",
        "N95 respirator* AND W6 epitope",
        "does aspirin prevent stroke?",
    ],
)
def test_good_pubmed_syntax_raises_no_hint(query: str) -> None:
    assert hints(query) == []
