"""What goes on the wire, and which questions are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.faults import InternalFault, InvalidArgument
from vouched.remote import Source
from vouched.services.address import ask, is_private, question_of_url, refuse_base

from host.tests.services.support import LIB

BASE = "https://lib.example.org/api/"


def path_of(template: str, *segments: str) -> str:
    return ask(LIB, "GET", template, segments, {}, "application/json").path


@pytest.mark.parametrize(
    ("segment", "encoded"),
    [
        ("../..", "..%2F.."),
        ("a?b#c", "a%3Fb%23c"),
        ("https://evil.example/x", "https%3A%2F%2Fevil.example%2Fx"),
        ("..%2f", "..%252f"),
        ("10.1000/a<b>", "10.1000%2Fa%3Cb%3E"),
        ("\x00\n", "%00%0A"),
        ("naïve é", "na%C3%AFve%20%C3%A9"),
    ],
)
def test_a_segment_stays_one_segment(segment: str, encoded: str) -> None:
    assert path_of("works/{}/cites", segment) == f"works/{encoded}/cites"


@given(st.text(min_size=1))
def test_no_segment_ever_leaves_its_place(segment: str) -> None:
    try:
        path = path_of("a/{}/b", segment)
    except InvalidArgument:
        assert segment in (".", "..") or any(0xD800 <= ord(char) < 0xE000 for char in segment)
        return
    assert path.startswith("a/")
    assert path.endswith("/b")
    assert path.count("/") == 2
    assert not set("?#\\ ") & set(path)


@pytest.mark.parametrize("segment", ["", ".", ".."])
def test_segments_that_would_change_the_path_are_refused(segment: str) -> None:
    with pytest.raises(InvalidArgument, match="lib"):
        path_of("works/{}", segment)


@pytest.mark.parametrize(
    "template",
    ["/etc/passwd", "https://evil.example/x", "../x", "a/../../b", "a?b=c", "a#b", "a\\b", "//evil.example/x"],
)
def test_a_template_is_a_path_below_the_base(template: str) -> None:
    with pytest.raises(InternalFault, match="lib"):
        path_of(template)


def test_a_template_takes_as_many_segments_as_it_has_places() -> None:
    with pytest.raises(InternalFault, match="takes 2 segments, not 1"):
        path_of("{}/{}", "a")


def test_parameters_none_left_out_lists_repeated_booleans_lower_case() -> None:
    question = ask(LIB, "GET", "search", (), {"a": None, "id": [1, 2, None], "x": True, "f": 0.5}, "application/json")
    assert question.params == (("id", "1"), ("id", "2"), ("x", "true"), ("f", "0.5"))


def test_p55_order_key_contact_and_method_play_no_part_in_the_meaning() -> None:
    one = ask(LIB, "GET", "search", (), {"a": "1", "b": "2", "api_key": "k", "email": "e", "tool": "t"}, "x/y")
    two = ask(LIB, "POST", "searchPOST", (), {"b": "2", "a": "1"}, "x/y")
    assert one.meaning == two.meaning
    assert one.names == ["a", "b"]
    assert (
        ask(LIB, "GET", "search", (), {"a": ["1", "2"]}, "x/y").meaning
        != ask(LIB, "GET", "search", (), {"a": ["2", "1"]}, "x/y").meaning
    )


def test_p45_a_long_query_goes_as_a_form_to_the_path_for_forms() -> None:
    short = ask(LIB, "GET", "search", (), {"q": "x"}, "x/y")
    assert short.on_wire(BASE, [("tool", "t")]) == ("GET", f"{BASE}search?q=x&tool=t", b"")
    long = ask(LIB, "GET", "search", (), {"q": "x" * 9000}, "x/y")
    method, url, body = long.on_wire(BASE, [("tool", "t")])
    assert (method, url) == ("POST", f"{BASE}searchPOST")
    assert body == b"q=" + b"x" * 9000 + b"&tool=t"
    plain = Source("plain", BASE, rate=1)
    assert ask(plain, "GET", "search", (), {"q": "x" * 9000}, "x/y").on_wire(BASE, [])[0] == "GET"


def test_provenance_leads_back_to_the_question() -> None:
    asked = ask(LIB, "GET", "search/{}", ("a/b",), {"q": "x y", "id": ["1", "2"]}, "x/y")
    _, url, _ = asked.on_wire(BASE, [("tool", "vouched")])
    assert question_of_url(LIB, BASE, url, {}).meaning == asked.meaning
    form = {"q": "x y", "id": ["1", "2"], "tool": "vouched"}
    posted = ask(LIB, "POST", "search", (), {"q": "x y", "id": ["1", "2"]}, "x/y")
    assert question_of_url(LIB, BASE, f"{BASE}searchPOST", form).meaning == posted.meaning


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("192.168.0.1", True),
        ("169.254.169.254", True),
        ("100.64.0.1", True),
        ("0.0.0.0", True),
        ("224.0.0.1", True),
        ("::1", True),
        ("fd00::1", True),
        ("fe80::1%eth0", True),
        ("::ffff:127.0.0.1", True),
        ("64:ff9b::10.0.0.1", True),
        ("2002:7f00:1::", True),
        ("64:ff9b::8.8.8.8", False),
        ("printer.local", True),
        ("8.8.8.8", False),
        ("2606:4700::1111", False),
        ("lib.example.org", False),
    ],
)
def test_private_hosts(host: str, private: bool) -> None:
    assert is_private(host) is private


@pytest.mark.parametrize(
    "base",
    [
        "file:///etc/",
        "ftp://lib.example.org/",
        "gopher://x/",
        "lib.example.org/",
        "http:///x",
        "",
        "http://[::1/",
        "https://lib.example.org:99999/",
        "https://reader:secret@lib.example.org/",
        "https://lib.example.org/?token=secret/",
        "https://lib.example.org/#x/",
        "https://lib example.org/",
    ],
)
def test_only_http_addresses_are_asked(base: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        refuse_base(LIB, base, configured=True)
    assert caught.value.path == "VOUCHED_LIB_URL"
    assert "secret" not in str(caught.value)


def test_private_bases_are_refused_unless_the_user_set_them() -> None:
    for base in ("http://127.0.0.1/", "http://[::1]:8/", "http://10.0.0.7/x/", "http://localhost:1/"):
        with pytest.raises(InvalidArgument, match="private network"):
            refuse_base(LIB, base, configured=False)
        refuse_base(LIB, base, configured=True)
    refuse_base(LIB, BASE, configured=False)
