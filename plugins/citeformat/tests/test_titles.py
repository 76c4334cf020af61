"""Capitals in titles, names of journals, and markup inside a citation."""

from types import ModuleType

import pytest
from vouched_citeformat import ama, apa, mla
from vouched_citeformat.journals import display
from vouched_citeformat.markup import dashes, end_with_stop, finish, italic, marked, smart_quotes, strip_stop
from vouched_citeformat.titlecase import all_caps, subtitle_capitals, title_case

from plugins.citeformat.tests import invented


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("the effect of a drug on mice", "The Effect of a Drug on Mice"),
        ("Depression across Three Cohorts Between Two", "Depression across Three Cohorts between Two"),
        ("what is it made of", "What Is It Made Of"),
        ("Joost A. M. Quill, a life", "Joost A. M. Quill, a Life"),
        ("sleep: a study", "Sleep: A Study"),
        ("effect of past abortions", "Effect of Past Abortions"),
        ("sleep? the answer", "Sleep? The Answer"),
        ("x-ray/CT of mTOR and p53 in SnO2 films", "X-Ray/CT of mTOR and p53 in SnO2 Films"),
        ("state-of-the-art follow-up", "State-of-the-Art Follow-Up"),
        ("toolkits—a brief overview", "Toolkits—a Brief Overview"),
        ("β-lactam α use", "β-Lactam α Use"),
        ("AN ALL CAPS TITLE OF A STUDY", "AN ALL CAPS TITLE OF A STUDY"),
        ("alzheimer’s disease", "Alzheimer’s Disease"),
        ("“quoted words” in titles", "“Quoted Words” in Titles"),
        ("", ""),
    ],
)
def test_mla_title_case(source: str, expected: str) -> None:
    assert title_case(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Sleep: a study", "Sleep: A study"),
        ("Sleep: mTOR and more", "Sleep: mTOR and more"),
        ("Sleep: p53 and more", "Sleep: p53 and more"),
        ("Sleep: p-value use", "Sleep: p-value use"),
        ("Why? because", "Why? Because"),
        ("Ratio 1:a", "Ratio 1:a"),
        ("Sleep: “quoted” use", "Sleep: “Quoted” use"),
    ],
)
def test_apa_capital_after_a_colon(source: str, expected: str) -> None:
    assert subtitle_capitals(source) == expected


def test_all_capitals_are_recognised_only_in_real_titles() -> None:
    assert all_caps("LIVER TRANSPLANTATION IN BRAZIL")
    assert not all_caps("DNA and RNA in mice")
    assert not all_caps("COVID-19")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Phronesis (Barcelona, Spain)", "Phronesis"),
        ("Lancet (London, England)", "The Lancet"),
        ("BMJ (Clinical research ed.)", "BMJ"),
        ("Europace : European pacing, arrhythmias", "Europace"),
        ("The Journal of odd studies (London, England : 1998)", "The Journal of Odd Studies"),
        ("Acta psychologica (Section B)", "Acta Psychologica (Section B)"),
        ("Revista de saude publica = Journal of public health", "Revista de Saude Publica"),
        ("Zeitschrift fur die gesamte Medizin", "Zeitschrift fur die Gesamte Medizin"),
        ("eLife", "eLife"),
        ("PloS one", "PLOS ONE"),
        ("AJNR. American journal of neuroradiology", "AJNR. American Journal of Neuroradiology"),
        ("Journal of self-study", "Journal of Self-Study"),
        ("", ""),
    ],
)
def test_journal_display(source: str, expected: str) -> None:
    assert display(source) == expected


@pytest.mark.parametrize(
    ("markup", "html"),
    [
        ("a <i>b</i> c", "a <i>b</i> c"),
        ("<i>a <sup>2</i></sup>", "<i>a <sup>2</sup></i>"),
        ("a</i> b", "a b"),
        ("a <i>b", "a <i>b</i>"),
        ("a<i> b </i>c", "a <i>b</i> c"),
        ("p &lt; 0.05 &amp; &lt;b&gt;", "p &lt; 0.05 &amp; &lt;b&gt;"),
        ("a<i></i>b", "ab"),
        ("<i>a<i>b</i></i>", "<i>ab</i>"),
    ],
)
def test_markup_always_nests(markup: str, html: str) -> None:
    assert finish(marked("x", markup), "html") == html


def test_italics_inside_italics_turn_upright() -> None:
    assert finish(italic(marked("x", "On <i>Mus</i> here")), "html") == "<i>On </i>Mus<i> here</i>"


@pytest.mark.parametrize(
    ("text", "outside", "inside"),
    [
        ("A title", "A title.", "A title."),
        ("A title?", "A title?", "A title?"),
        ("Is it “so?”", "Is it “so?”", "Is it “so?”"),
        ("A “word”", "A “word”.", "A “word.”"),
        ("[A translation]", "[A translation].", "[A translation]."),
        ("And so on…", "And so on…", "And so on…"),
        ("", ".", "."),
    ],
)
def test_a_stop_is_added_only_where_none_is(text: str, outside: str, inside: str) -> None:
    assert end_with_stop(text) == outside
    assert end_with_stop(text, inside_quotes=True) == inside


@pytest.mark.parametrize(("text", "expected"), [("A.", "A"), ("A...", "A..."), ("A?", "A?"), ("A..", "A.."), ("", "")])
def test_one_final_stop_goes(text: str, expected: str) -> None:
    assert strip_stop(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('A "word" here', "A “word” here"),
        ("mice's", "mice’s"),
        ("the 'so-called' rule", "the ‘so-called’ rule"),
        ('("word")', "(“word”)"),
        ("2'-O-methyl", "2'-O-methyl"),
    ],
)
def test_quotation_marks_are_curled(text: str, expected: str) -> None:
    assert smart_quotes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a*b_c", r"a\*b\_c"),
        ("1. First", r"1\. First"),
        ("# Head", r"\# Head"),
        ("- item", r"\- item"),
        ("a &lt; b", r"a \&lt; b"),
        ("a & b", "a & b"),
        ("x > y | z", r"x \> y \| z"),
    ],
)
def test_markdown_escapes_what_would_act(text: str, expected: str) -> None:
    assert finish(text, "markdown") == expected


def test_two_hyphens_are_a_dash_and_between_digits_a_range() -> None:
    assert dashes("surgeon--propagator, 6--7 April") == "surgeon—propagator, 6–7 April"
    assert dashes("a -- b --- c") == "a — b --- c"


@pytest.mark.parametrize("style", [apa, mla, ama])
def test_apa_mla_and_ama_print_a_dash_where_medline_has_two_hyphens(style: ModuleType) -> None:
    text = style.render(invented.article(title="Glimmer--a syndrome."), "text")
    assert "--" not in text
    assert "—" in text


def test_markup_without_text_does_not_hide_the_title() -> None:
    article = invented.article(title="Glimmer syndrome.", title_markup="<i></i>")
    assert "Glimmer syndrome" in apa.render(article, "text")


def test_a_preprint_without_a_title_leaves_no_gap() -> None:
    article = invented.article(kind="preprint", title="")
    assert "). [Preprint]." in apa.render(article, "text")


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("Genes with 5' tracts and 3'-UTRs", "Genes with 5' tracts and 3'-UTRs"),
        ("Care in the 1980's", "Care in the 1980’s"),
        ("The 'type 2' cells of Quill's mice", "The ‘type 2’ cells of Quill’s mice"),
    ],
)
def test_a_prime_after_a_digit_is_no_quotation_mark(source: str, printed: str) -> None:
    assert smart_quotes(source) == printed
