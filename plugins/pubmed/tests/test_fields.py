"""PubMed's field tags."""

import pytest
from vouched_pubmed.fields import FIELDS, fields_table, nearest_tag


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("Aithor", "au"), ("tittle", "ti"), ("jornal", "ta"), ("MeSH Term", "mh"), ("tiabs", "tiab"), ("zzzzqq", "")],
)
def test_p14_the_tag_that_was_meant_is_offered(wrong: str, right: str) -> None:
    assert nearest_tag(wrong) == right


def test_no_two_fields_share_a_spelling() -> None:
    spellings = [spelling for short, (_, others, _) in FIELDS.items() for spelling in (short, *others)]
    assert len(spellings) == len(set(spellings))


def test_the_table_has_a_row_for_every_field() -> None:
    assert fields_table().count("\n") == len(FIELDS) + 1
