"""MeSH records out of db=mesh's documents. The documents here are written after the documented names."""

import pytest
from vouched_pubmed.mesh import matched_by, read_heading

ASTHMA = {
    "uid": "68001249",
    "ds_recordtype": "descriptor",
    "ds_meshui": "D001249",
    "ds_scopenote": "A form of bronchial disorder.",
    "ds_meshterms": ["Asthma", "Asthmas", "Bronchial Asthma", "Asthma, Bronchial"],
    "ds_subheading": ["blood", "genetics"],
    "ds_idxlinks": [{"parent": 1, "treenum": "C08.127.108", "children": []}, {"treenum": "C08.127.108"}],
    "ds_yearintroduced": "",
}


def test_a_descriptor_has_tree_numbers_scope_note_and_entry_terms() -> None:
    heading = read_heading("68001249", ASTHMA)
    assert heading is not None
    assert (heading.ui, heading.kind, heading.name) == ("D001249", "descriptor", "Asthma")
    assert heading.search_term == '"Asthma"[mh]'
    assert heading.tree_numbers == ["C08.127.108"]
    assert heading.entry_terms == ["Asthmas", "Bronchial Asthma", "Asthma, Bronchial"]
    assert heading.qualifiers == ["blood", "genetics"]


@pytest.mark.parametrize(
    ("uid", "ui", "kind"),
    [
        ("68001249", "D001249", "descriptor"),
        ("67012345", "C012345", "supplementary_record"),
        ("81000150", "Q000150", "qualifier"),
        ("2052180", "", "other"),
    ],
)
def test_the_uid_tells_the_ui_of_older_records_only(uid: str, ui: str, kind: str) -> None:
    heading = read_heading(uid, {"ds_meshterms": ["X"]})
    assert heading is not None
    assert (heading.ui, heading.kind) == (ui, kind)


def test_the_record_type_counts_where_there_is_no_ui() -> None:
    heading = read_heading("2052180", {"ds_meshterms": ["X"], "ds_recordtype": "supplemental-record"})
    assert heading is not None
    assert (heading.kind, heading.search_term) == ("supplementary_record", '"X"[nm]')


def test_pointers_into_hidden_branches_are_no_tree_numbers() -> None:
    heading = read_heading("67999905", {"ds_meshterms": ["X"], "ds_idxlinks": [{"treenum": "@LANTERNS"}, "nonsense"]})
    assert heading is not None
    assert heading.tree_numbers == []


@pytest.mark.parametrize(
    ("query", "how"),
    [("ASTHMA", "heading"), ("d001249", "heading"), ("bronchial asthma", "entry_term"), ("bronchial", "words")],
)
def test_how_a_record_answers_is_said(query: str, how: str) -> None:
    heading = read_heading("68001249", ASTHMA)
    assert heading is not None
    assert matched_by(heading, query, ASTHMA) == how


@pytest.mark.parametrize("document", [{}, {"error": "cannot get document summary"}, {"ds_meshterms": []}])
def test_a_document_without_a_name_is_no_record(document: dict[str, object]) -> None:
    assert read_heading("1", document) is None
