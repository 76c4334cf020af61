"""Other people's text is made safe and stays whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.text import clean, flatten_html, fold


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A &lt;i&gt;GENE1&lt;/i&gt; variant in CSR&amp;amp;D.", "A GENE1 variant in CSR&D."),
        ("<i>E. coli</i> <h4>Background</h4> text", "E. coli Background text"),
        ("aged <70 or >70 years, p < 0.001", "aged <70 or >70 years, p < 0.001"),
        ("J&amp;K", "J&K"),
        ("m<sup>2</sup>", "m2"),
        ("c.7271T>G", "c.7271T>G"),
        ("visit<R>: x", "visit<R>: x"),
    ],
)
def test_p23_p67_known_markup_goes_and_real_signs_stay(text: str, plain: str) -> None:
    assert flatten_html(text) == plain


def test_control_and_direction_characters_go() -> None:
    assert clean("a\x00b\x1b[31m\u202ec\u00ad\r\nd") == "ab[31mc\nd"


@given(st.text())
def test_cleaning_is_idempotent(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("a", "b"), [("Müller, K.", "muller k"), ("Đorđević", "dordevic"), ("Ørsted", "orsted"), ("Weiß", "weiss")]
)
def test_names_fold_to_one_spelling(a: str, b: str) -> None:
    assert fold(a) == fold(b)
