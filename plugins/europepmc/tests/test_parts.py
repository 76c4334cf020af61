"""A full text in pieces: reading order, an outline, sections by name."""

from vouched.api import Access, Block, Figure, FullText, Reference, Section, Table
from vouched_europepmc.parts import chosen, inventory, joined, length, outline, pieces

TEXT = FullText(
    ids={"pmid": "1"},
    access=Access(),
    sections=[
        Section("s1", ["Methods"], [Block("s1.1", "One."), Block("s1.2", "Two.")]),
        Section("s1.s1", ["Methods", "Step 1"], [Block("s1.s1.1", "Three.")]),
        Section("s2", ["Results"], [Block("s2.1", "Four.")]),
    ],
    tables=[Table("t1", "Table 1.", "Caption", [["A", "B"]], [["1", "2"]], ["Note"], ["Methods", "Step 1"])],
    figures=[Figure("f1", "Fig. 1", "Seen", [])],
    references=[Reference("r1", title="T", source="S", year="1999"), Reference("r2", text="Whole")],
)


def test_w13_tables_follow_their_section_and_loose_figures_the_text() -> None:
    assert [part.id for part in joined(pieces(TEXT))] == ["s1", "s1.s1", "t1", "s2", "f1", "references"]
    assert [len(part.blocks) for part in joined(pieces(TEXT))] == [2, 1, 0, 1, 0, 0]


def test_r11_the_outline_counts_what_stands_under_each_path() -> None:
    sizes = {entry.path: entry.chars for entry in outline(pieces(TEXT))}
    assert sizes["Methods"] == 8
    assert sizes["Methods > Step 1"] == len("Three.")
    assert sizes["Methods > Step 1 > Table 1"] == len("Table 1.CaptionNoteAB12")
    assert sizes["Fig. 1"] == len("Fig. 1Seen")
    assert inventory(pieces(TEXT)) == "3 sections, 1 table, 1 figure, 2 references"
    assert sum(sizes.values()) == sum(map(length, pieces(TEXT)))


def test_p76_parts_are_chosen_by_title_label_id_or_kind() -> None:
    def ids(*names: str) -> list[str]:
        return [part.id for part in joined(chosen(pieces(TEXT), names))]

    assert ids("step") == ["s1.s1", "t1"]
    assert ids("table 1") == ids("tables") == ids("T1") == ["t1"]
    assert ids("methods") == ["s1", "s1.s1", "t1"]
    assert ids("References", "figures") == ["f1", "references"]
    assert ids("Discussion", " ") == []
