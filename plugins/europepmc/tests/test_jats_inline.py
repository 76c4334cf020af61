"""Mixed content as one line: citation numbers stand apart, numbers are never fused."""

import pytest
from lxml import etree
from vouched_europepmc.jats_inline import text_of
from vouched_europepmc.jats_math import linear, tex

NAMES = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'
PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)


def text(inside: str) -> str:
    return text_of(etree.fromstring(f"<p {NAMES}>{inside}</p>", PARSER))


def cite(number: str, inside: str = "") -> str:
    return f'<xref ref-type="bibr" rid="r{number}">{inside or number}</xref>'


CITATIONS = [
    (f"in plasma<sup>{cite('3')}</sup> was", "in plasma [3] was"),
    (f"in plasma{cite('3', '<sup>3</sup>')}was", "in plasma [3] was"),
    (f"in plasma{cite('3')}was", "in plasma [3] was"),
    (f"in plasma<sup>{cite('3')},{cite('4')}</sup>.", "in plasma [3,4]."),
    (f"in plasma<sup>{cite('3')}–{cite('5')}</sup>.", "in plasma [3–5]."),
    (f"in plasma{cite('3', '<sup>3</sup>')}<sup>,</sup>{cite('4', '<sup>4</sup>')} x", "in plasma [3,4] x"),
    (f"in plasma<sup>{cite('1')}</sup><sup>{cite('2')}</sup>", "in plasma [1,2]"),
    (f"in plasma [{cite('3')}, {cite('4')}].", "in plasma [3, 4]."),
    (f"in plasma [{cite('3')}–{cite('5')}].", "in plasma [3–5]."),
    (f"by Zandt et al.<sup>[{cite('3')}]</sup>was", "by Zandt et al. [3] was"),
    (f"in plasma{cite('3', '[3]')}, {cite('4', '[4]')}.", "in plasma [3], [4]."),
    (f"of calcinosis<sup>{cite('1')})</sup>.", "of calcinosis [1]."),
    (f"({cite('7', 'Zandt, 2001')})", "(Zandt, 2001)"),
    (f"Zandt ({cite('7', '2001')})", "Zandt (2001)"),
    (f"Zandt {cite('7', '2001')} says", "Zandt 2001 says"),
    (f"12 {cite('3')} patients", "12 [3] patients"),
    (f"5{cite('3', '<sup>3</sup>')}", "5 [3]"),
    ("in plasma<sup>3,4</sup> was", "in plasma [3,4] was"),
    ("It ended.<sup>3</sup> Then", "It ended. [3] Then"),
    ('12.5<xref ref-type="table-fn" rid="t1"><sup>a</sup></xref>', "12.5 [a]"),
    ('12.5<xref ref-type="table-fn" rid="t1">*</xref>', "12.5*"),
    ('see Figure<xref ref-type="fig" rid="f1">1</xref>', "see Figure 1"),
    ('see Fig. <xref ref-type="fig" rid="f1">1A</xref>', "see Fig. 1A"),
]


@pytest.mark.parametrize(("inside", "expected"), CITATIONS)
def test_citation_numbers_stand_apart_from_words(inside: str, expected: str) -> None:
    assert text(inside) == expected


NUMBERS = [
    ("10<sup>5</sup> cells", "10^5 cells"),
    ("10<sup>−5</sup> M", "10^−5 M"),
    ("2 × 10<sup>3</sup>4", "2 × 10^3 4"),
    ("log<sub>2</sub>4", "log2 4"),
    ("10<sub>2</sub>", "10_2"),
    ("CO<sub>2</sub> and H<sub>2</sub>O", "CO2 and H2O"),
    ("SO<sub>4</sub><sup>2−</sup>", "SO4^2−"),
    ("Ca<sup>2+</sup>", "Ca2+"),
    ("x<sub>1</sub><sup>2</sup>", "x1^2"),
    ("R<sup>2</sup> = 0.5", "R2 = 0.5"),
    ("cm<sup>2</sup>", "cm2"),
    ("the 10<sup>th</sup> day", "the 10th day"),
    ("12<sup>a</sup>", "12^a"),
    ("Otud3<sup>−/−</sup> mice", "Otud3−/− mice"),
    ("hexanes. <sup>1</sup>H NMR and <sup>13</sup>C", "hexanes. 1H NMR and 13C"),
    ("line<break/>break", "line break"),
    ("1<break/>2", "1 2"),
    ("<verse-line>the marsh</verse-line><verse-line>at night</verse-line>", "the marsh at night"),
    ("a&#160;b&#173;c\u200bd", "a bcd"),
    ("<bold>B</bold>old <italic>E. <sc>c</sc>oli</italic>", "Bold E. coli"),
    ("<!-- no -->a<?pi no?>b", "ab"),
]


@pytest.mark.parametrize(("inside", "expected"), NUMBERS)
def test_numbers_are_never_fused_and_words_stay_whole(inside: str, expected: str) -> None:
    assert text(inside) == expected


def test_p72_a_float_leaves_the_sentence_whole() -> None:
    lifted: list[etree._Element] = []
    node = etree.fromstring("<p>See <table-wrap><table><tr><td>12</td><td>34</td></tr></table></table-wrap> below.</p>")
    assert text_of(node, lifted) == "See below."
    assert [item.tag for item in lifted] == ["table-wrap"]
    assert text_of(node) == "See 12 34 below."


MATH = [
    ("<m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup>", "x^2"),
    ("<m:msub><m:mi>x</m:mi><m:mn>10</m:mn></m:msub>", "x_10"),
    ("<m:msubsup><m:mi>x</m:mi><m:mn>1</m:mn><m:mn>2</m:mn></m:msubsup>", "x_1^2"),
    ("<m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac>", "1/2"),
    ("<m:mfrac><m:mrow><m:mi>a</m:mi><m:mo>+</m:mo><m:mi>b</m:mi></m:mrow><m:mi>c</m:mi></m:mfrac>", "(a + b)/c"),
    ("<m:msqrt><m:mi>n</m:mi></m:msqrt>", "√(n)"),
    ("<m:mroot><m:mi>n</m:mi><m:mn>3</m:mn></m:mroot>", "√[3](n)"),
    ("<m:mn>1</m:mn><m:mn>2</m:mn>", "1 2"),
    ("<m:mi>p</m:mi><m:mo>&lt;</m:mo><m:mn>0.05</m:mn>", "p < 0.05"),
    ("<m:mfenced><m:mi>a</m:mi><m:mi>b</m:mi></m:mfenced>", "(a, b)"),
    ("<m:munderover><m:mo>∑</m:mo><m:mi>i</m:mi><m:mi>n</m:mi></m:munderover>", "∑_i^n"),
    ("<m:mtable><m:mtr><m:mtd><m:mn>1</m:mn></m:mtd><m:mtd><m:mn>2</m:mn></m:mtd></m:mtr>"
     "<m:mtr><m:mtd><m:mn>3</m:mn></m:mtd><m:mtd><m:mn>4</m:mn></m:mtd></m:mtr></m:mtable>", "1, 2; 3, 4"),
    ("<m:semantics><m:mi>x</m:mi><m:annotation>x</m:annotation></m:semantics>", "x"),
    ("<m:mtext>rate of</m:mtext><m:mspace/><m:mi>k</m:mi>", "rate of k"),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "expected"), MATH)
def test_mathml_becomes_linear_text(inside: str, expected: str) -> None:
    assert linear(etree.fromstring(f"<m:math {NAMES}>{inside}</m:math>")) == expected


def test_tex_loses_its_preamble() -> None:
    source = r"\documentclass{minimal}\usepackage{x}\begin{document}$$E = mc^2$$\end{document}"
    assert tex(source) == "E = mc^2"
    assert tex("$x_1$") == "x_1"


def test_of_alternatives_one_is_read() -> None:
    """A formula in MathML, TeX and as a picture is one formula."""
    math = "<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>"
    both = f"<alternatives><tex-math>$x^2$</tex-math>{math}<graphic/></alternatives>"
    assert text(f"where <inline-formula>{both}</inline-formula> holds") == "where x^2 holds"
    assert text("<alternatives><graphic/><textual-form>none</textual-form></alternatives>") == ""


def test_a_formula_never_fuses_with_the_number_before_it() -> None:
    assert text("5 of 10<inline-formula><m:math><m:mn>3</m:mn></m:math></inline-formula>") == "5 of 10 3"


def test_a_formula_never_fuses_with_the_number_behind_it() -> None:
    half = "<m:math><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math>"
    assert text(f"<inline-formula>{half}</inline-formula>3 doses") == "1/2 3 doses"
    assert text("x<inline-formula>$y$</inline-formula>z") == "x$y$z"


def test_a_power_is_no_citation_where_citations_are_marked_up() -> None:
    """`weight/height<sup>2</sup>`: only in an article without any marked citation may a bare number set high be one."""

    def read(other: str) -> str:
        article = f"<article><p>weight/height<sup>2</sup></p><p>{other}</p></article>"
        return text_of(etree.fromstring(article, PARSER)[0])

    assert read(cite("3")) == "weight/height2"
    assert read("none") == "weight/height [2]"
