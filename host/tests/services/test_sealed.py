"""Secrets taken out of bodies, and put in again."""

from hypothesis import given
from hypothesis import strategies as st
from vouched.services.sealed import Seal

FORMS = {"email": ["reader@example.org", "reader%40example.org"], "LIB_KEY": ["SECRET123"], "OTHER": ["SECRET"]}
PIECES = st.sampled_from(
    [
        b"SECRET123",
        b"SECRET",
        b"reader@example.org",
        b"reader%40example.org",
        b"<a>",
        b"\xff\x01",
        b"words ",
        b"<email:0>",
    ]
)


@given(st.lists(PIECES).map(b"".join))
def test_what_was_taken_out_comes_back(body: bytes) -> None:
    seal = Seal(FORMS)
    closed = seal.close(body)
    assert not [form for forms in FORMS.values() for form in forms if form.encode() in closed]
    assert seal.open(closed) == body


@given(st.binary())
def test_bodies_without_a_secret_are_left_as_they_are(body: bytes) -> None:
    assert Seal(FORMS).close(body) == body
    assert Seal().open(Seal().close(body)) == body


def test_the_longer_secret_is_the_one_that_stands_there() -> None:
    seal = Seal(FORMS)
    assert seal.names(seal.close(b"SECRET123 reader@example.org")) == ["LIB_KEY", "email"]


def test_what_is_not_known_stays_closed() -> None:
    closed = Seal(FORMS).close(b"of reader@example.org")
    assert Seal().open(closed) == closed
    assert Seal({"email": ["other@example.org"]}).open(closed) == b"of other@example.org"


def test_marks_are_safe_whatever_a_secret_is_called_or_says() -> None:
    """Neither a value that looks like a mark's name nor a name with odd characters breaks them."""
    seal = Seal({"email": ["LIB_KEY"], "LIB_KEY": ["email"], "ODD KEY(x86)": ["a.*b"]})
    body = b"email LIB_KEY a.*b axxb"
    assert seal.open(seal.close(body)) == body
    assert seal.names(seal.close(body)) == ["LIB_KEY", "ODD_KEY_x86_", "email"]
