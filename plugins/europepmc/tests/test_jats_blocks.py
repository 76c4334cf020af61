"""Sections and blocks in reading order, with paths and stable ids. Invented articles."""

from vouched.api import Access, FullText, Statement
from vouched_europepmc.jats import read_jats


def read(body: str, rest: str = "", meta: str = "", flags: Access | None = None) -> FullText:
    front = f"<front><article-meta>{meta}</article-meta></front>"
    text = read_jats(f"<article>{front}<body>{body}</body>{rest}</article>".encode(), flags=flags)
    assert isinstance(text, FullText)
    return text


def outline(text: FullText) -> list[tuple[list[str], list[str]]]:
    return [(section.path, [block.text for block in section.blocks]) for section in text.sections]


def kinds(text: FullText) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for section in text.sections for block in section.blocks]


def test_p71_paragraphs_in_nested_sections_and_lists() -> None:
    text = read(
        "<sec><title>Methods</title><p>A</p><sec><title>Step 1</title><p>B</p>"
        "<list><list-item><p>C</p></list-item></list></sec></sec>"
    )
    assert outline(text) == [(["Methods"], ["A"]), (["Methods", "Step 1"], ["B", "C"])]


def test_p71_body_text_outside_of_any_section_keeps_its_place() -> None:
    text = read("<p>Before</p><sec><title>One</title><p>In</p></sec><p>After</p>Bare words")
    assert outline(text) == [([], ["Before"]), (["One"], ["In"]), ([], ["After", "Bare words"])]
    assert [section.id for section in text.sections] == ["body", "body.s1", "body-2"]


def test_a_paragraph_after_a_nested_section_stays_in_its_own() -> None:
    text = read("<sec id='s'><title>One</title><p>a</p><sec><title>Two</title><p>b</p></sec><p>c</p></sec>")
    assert outline(text) == [(["One"], ["a"]), (["One", "Two"], ["b"]), (["One"], ["c"])]
    assert [section.id for section in text.sections] == ["s", "s.s1", "s-2"]


def test_ids_are_the_document_s_own_or_made_from_the_place() -> None:
    text = read("<sec id='s1'><title>T</title><p id='p7'>a</p><p>b</p><p>c</p></sec>")
    assert [block.id for block in text.sections[0].blocks] == ["p7", "s1.2", "s1.3"]
    assert read("<sec id='s1'><title>T</title><p id='p7'>a</p><p>b</p><p>c</p></sec>") == text


def test_ids_that_occur_twice_are_told_apart() -> None:
    text = read("<p id='x'>a</p><p id='x'>b</p>")
    assert [block.id for block in text.sections[0].blocks] == ["x", "x-2"]


def test_labels_stand_before_titles_and_untitled_sections_add_nothing_to_the_path() -> None:
    text = read("<sec><label>2.1.</label><title>Samples</title><sec><p>a</p></sec></sec>")
    assert outline(text) == [(["2.1. Samples"], []), (["2.1. Samples"], ["a"])]


def test_a_paragraph_goes_on_around_a_list_and_a_quotation() -> None:
    text = read(
        "<p id='p'>We did: <list><list-item><label>(1)</label><p>one</p></list-item>"
        "<list-item><p>two</p></list-item></list>"
        " and said <disp-quote><p>so be it</p><attrib>A. Zandt</attrib></disp-quote> at last.</p>"
    )
    assert kinds(text) == [
        ("p", "We did:"), ("list_item", "(1) one"), ("list_item", "two"), ("p", "and said"), ("quote", "so be it"),
        ("other", "A. Zandt"), ("p", "at last."),
    ]  # fmt: skip
    assert text.sections[0].blocks[0].id == "p"


def test_lists_in_lists_and_several_paragraphs_in_one_item() -> None:
    inner = "<list><list-item><p>b</p></list-item></list>"
    text = read(
        f"<list><title>Aims</title><list-item><p>a</p>{inner}<p>c</p></list-item><list-item>d</list-item></list>"
    )
    assert kinds(text) == [
        ("heading", "Aims"), ("list_item", "a"), ("list_item", "b"), ("list_item", "c"), ("list_item", "d"),
    ]  # fmt: skip


def test_definitions_boxes_code_formulae_and_statements() -> None:
    text = read(
        "<def-list><title>Terms</title><def-item><term>RF</term><def><p>Radio frequency</p></def></def-item></def-list>"
        "<boxed-text><label>Box 1</label><caption><title>Key points</title></caption><p>One.</p></boxed-text>"
        "<boxed-text><p>Two.</p></boxed-text>"
        "<code>x  =  1</code><disp-formula id='e1'><tex-math>$$E=mc^2$$</tex-math><label>(1)</label></disp-formula>"
        "<statement><label>Theorem 1</label><p>It holds.</p></statement><p><disp-formula>y</disp-formula></p>"
        "<speech><speaker>A</speaker><p>Hello.</p></speech>"
    )
    assert kinds(text) == [
        ("heading", "Terms"), ("definition", "RF: Radio frequency"), ("boxed", "One."), ("boxed", "Two."),
        ("code", "x = 1"), ("formula", "E=mc^2 (1)"), ("heading", "Theorem 1"), ("p", "It holds."), ("formula", "y"),
        ("quote", "A Hello."),
    ]  # fmt: skip
    assert ["Box 1 Key points"] in [section.path for section in text.sections]


def test_footnotes_follow_the_paragraph_they_stand_in() -> None:
    text = read("<p>Words<fn id='n'><label>1</label><p>A note.</p></fn> go on.</p><p>Next.</p>")
    assert kinds(text) == [("p", "Words go on."), ("footnote", "1 A note."), ("p", "Next.")]


def test_figures_have_label_caption_and_path() -> None:
    text = read(
        "<sec><title>Results</title><p>See <fig id='f1'><label>Figure 1</label><caption><title>Mice.</title>"
        "<p>They ran.</p></caption><graphic/><attrib>After Roe</attrib><alt-text>mice</alt-text></fig>.</p></sec>"
    )
    (figure,) = text.figures
    assert (figure.id, figure.label, figure.path, figure.access) == ("f1", "Figure 1", ["Results"], None)
    assert figure.caption == "Mice. They ran. After Roe"
    assert kinds(text) == [("p", "See .")]


def test_a_figure_with_rights_of_its_own_says_so() -> None:
    credit = "<permissions><copyright-statement>© Another Press</copyright-statement></permissions>"
    flags = Access(open=True, in_archive=True, licence="cc by", source="t")
    text = read(f"<p>x</p><fig id='f1'><caption><p>Old.</p></caption>{credit}</fig>", flags=flags)
    access = text.figures[0].access
    assert access is not None
    assert access.licence is None
    assert access.statements == [Statement(text="© Another Press", place="figure", object="f1", line=1)]
    assert text.figures[0].caption == "Old."


def test_captions_of_media_and_groups_are_blocks() -> None:
    text = read(
        "<fig-group><caption><title>Both</title></caption><fig><caption><p>a</p></caption></fig></fig-group>"
        "<supplementary-material><label>S1</label><caption><p>Data.</p></caption></supplementary-material>"
    )
    assert kinds(text) == [("caption", "Both"), ("caption", "S1 Data.")]
    assert [figure.caption for figure in text.figures] == ["a"]


def test_back_matter_and_floats_come_last_under_their_titles() -> None:
    text = read(
        "<p>Main.</p>",
        "<floats-group><boxed-text><p>Float.</p></boxed-text></floats-group>"
        "<back><ack><p>We thank A.</p></ack><fn-group><fn><p>None declared.</p></fn></fn-group>"
        "<app-group><app><title>Appendix A</title><p>More.</p></app></app-group>"
        "<glossary><def-list><def-item><term>X</term><def><p>Y</p></def></def-item></def-list></glossary>"
        "<notes><title>Data</title><p>On request.</p></notes></back>",
    )
    assert [(section.kind, section.path, section.blocks[0].text) for section in text.sections] == [
        ("body", [], "Main."),
        ("floats", [], "Float."),
        ("back", ["Acknowledgements"], "We thank A."),
        ("back", ["Footnotes"], "None declared."),
        ("back", ["Appendix A"], "More."),
        ("back", ["Glossary"], "X: Y"),
        ("back", ["Data"], "On request."),
    ]


def test_abstracts_come_first_with_their_kind_and_language() -> None:
    text = read(
        "<p>Main.</p>",
        meta="<abstract><sec><title>Aim</title><p>a</p></sec></abstract>"
        "<abstract abstract-type='plain-language-summary'><p>b</p></abstract>"
        "<trans-abstract xml:lang='fr'><p>c</p></trans-abstract><abstract><title>Highlights</title><p>d</p></abstract>",
    )
    assert outline(text)[:4] == [
        (["Abstract", "Aim"], ["a"]),
        (["Plain language summary abstract"], ["b"]),
        (["Abstract (fr)"], ["c"]),
        (["Highlights"], ["d"]),
    ]
    assert {section.kind for section in text.sections[:4]} == {"abstract"}


def test_unknown_elements_lose_no_word() -> None:
    text = read("<strange>words <odd>inside</odd></strange><strange><p>a paragraph</p> and a tail</strange>")
    assert [block for _, block in kinds(text)] == ["words inside", "a paragraph", "and a tail"]
