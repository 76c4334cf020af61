"""Formulae as one line: tokens apart, scripts marked, no two numbers fused."""

import pytest
from lxml import etree
from vouched_pubmed.mathml import linear

CASES = {
    "<mi>ω</mi>": "ω",
    "<msub><mi>T</mi> <mn>2</mn></msub>": "T_2",
    "<msubsup><mi>T</mi> <mn>2</mn> <mo>∗</mo></msubsup>": "T_2^∗",
    "<msup><mn>10</mn><mrow><mo>-</mo><mn>3</mn></mrow></msup>": "10^(- 3)",
    "<mrow><mi>b</mi> <msub><mi>c</mi> <mn>1</mn></msub></mrow>": "b c_1",
    "<mrow><mn>15</mn><mn>73</mn></mrow>": "15 73",
    "<mrow><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo><mo>=</mo><mn>2</mn></mrow>": "f(x) = 2",
    "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>": "(a + b)/c",
    "<msqrt><mi>x</mi></msqrt>": "√(x)",
    "<mroot><mi>x</mi><mn>3</mn></mroot>": "root(x, 3)",
    "<mover><mi>x</mi><mo>¯</mo></mover>": "x\u0304",
    "<munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover>": "∑_1^n",
    "<mmultiscripts><mi>He</mi><mprescripts/><none/><mn>3</mn></mmultiscripts>": "^3He",
    "<mfenced><mi>a</mi><mi>b</mi></mfenced>": "(a, b)",
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>": "[1, 2; 3]",
    "<semantics><mi>y</mi><annotation encoding='application/x-tex'>\\y</annotation></semantics>": "y",
    "<mi>x</mi><mo>\u2062</mo><mi>y</mi>": "x y",
    "plain words": "plain words",
    "<mfrac/>": "/",
    "<mmultiscripts/>": "",
    "<semantics/>": "",
}


@pytest.mark.parametrize(("inner", "line"), CASES.items(), ids=[line or "empty" for line in CASES.values()])
def test_a_formula_as_a_line(inner: str, line: str) -> None:
    for head in ('<math xmlns="http://www.w3.org/1998/Math/MathML">', "<math>"):
        assert linear(etree.fromstring(f"{head}{inner}</math>")) == line


def test_deep_nesting_still_gives_the_words() -> None:
    deep = "<mrow>" * 120 + "<mi>z</mi>" + "</mrow>" * 120
    assert linear(etree.fromstring(f"<math>{deep}</math>")) == "z"
