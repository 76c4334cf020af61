"""What is said of a query that Europe PMC reads in another way than it was meant."""

import pytest
from vouched_europepmc.query_hints import hints


@pytest.mark.parametrize(
    ("query", "piece"),
    [
        ("stroke and aspirin not children", "`and`"),
        ("“heart failure” AND statin", "quotation marks"),
        ("essential NEAR/1 oil", "`NEAR/1`"),
        ("aspirin[Title] AND stroke[MeSH Terms]", "`[Title]`"),
        ("sepsis[tiab]", "`[tiab]`"),
        ("statin.ti,ab.", "`.ti,ab.`"),
        ("statin:ti,ab", "`:ti,ab`"),
        ("TITLE-ABS-KEY(sepsis)", "`TITLE-ABS-KEY(`"),
        ("diabet$ AND insulin", "`diabet$`"),
    ],
)
def test_p21_foreign_syntax_is_named(query: str, piece: str) -> None:
    assert any(piece in hint for hint in hints(query)), hints(query)


@pytest.mark.parametrize(
    "query",
    [
        'TITLE:"stroke and aspirin" AND (KW:"not only" OR AUTH:"Orr N")',
        "FIRST_PDATE:[2020-01-01 TO 2021-01-01] AND N2 OR W12",
        "[18F]FDG AND [Fe] AND covid*",
        "not-for-profit AND EXT_ID:1",
        "NOT SRC:PPR",
    ],
)
def test_p21_its_own_syntax_is_left_alone(query: str) -> None:
    assert hints(query) == []
