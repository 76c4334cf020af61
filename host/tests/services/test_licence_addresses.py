"""An address counts for the place it leads to: what only looks like one of Creative Commons opens nothing."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.access import Access, Decision, Statement
from vouched.services.licence import TablePolicy
from vouched.services.licence_addresses import addresses, blanked
from vouched.services.licence_reading import read_field, read_statement

READ_ONLY = ("yes", *["unknown"] * 5)
DEED = "creativecommons.org/licenses/by/4.0/"
FOREIGN = [
    f"https://evil.example/{DEED}",
    f"https://evil.example/?u=https://{DEED}",
    f"https://evil.example/#//{DEED}",
    f"https://evil.example/a,{DEED}",
    f"https://evil.example/(http://{DEED})",
    f"https://evil.example;{DEED}",
    f"evil.example/{DEED}",
    f"evil.example/?u=https://{DEED}",
    f"//evil.example/{DEED}",
    f"/{DEED}",
    f"../{DEED}",
    f"x/{DEED}",
    f"mailto:a@{DEED}",
    f"https://creativecommons.org@evil.example/licenses/by/4.0/{DEED}",
    f"https://user:secret@{DEED}",
    f"https://evil.example\\@{DEED}",
    f"https://evil.example\\.{DEED}",
    f"https://evil.example%2f{DEED}",
    f"https://evil-{DEED}",
    f"https://evil.{DEED}",
    f"https://evil_{DEED}",
    "https://creativecommons.org.evil.example/licenses/by/4.0/",
    "https://creativecommons.organic/licenses/by/4.0/",
    "https://creativecommons.org%2eevil.example/licenses/by/4.0/",
    f"ftp://{DEED}",
    f"javascript://{DEED}",
    f"file:///{DEED}",
    f"https://web.archive.example/web/2020/https://{DEED}",
    "https://publisher.example/licences/CC-BY-4.0",
    "https://publisher.example/CC_BY/4.0?name=CC+BY",
    "https://publisher.example/creative-commons-attribution-license",
    "https://publisher.example/Creative/Commons/CC0",
    "https://publisher.example/public-domain-mark/CC0",
    "http://creativecommons.org/licenses/../by/4.0/",
    "http://creativecommons.org/x/licenses/by/4.0/",
    f"https://{DEED.replace('i', 'ı', 1)}",
    f"https://{DEED.replace('org', 'org.')}",
    f"https://{DEED.replace('.org', '。org')}",
    f"https://{DEED.replace('c', 'с', 1)}",
    "http://creativecommons.org/licenses/by%2d/4.0/",
    "http://creativecommons.org/?licenses/by/4.0/",
    "http://creativecommons.org/#/licenses/by/4.0/",
    "http://creativecommons.org/choose/?license=licenses/by/4.0/",
]
UNREAL = [
    "https://creativecommons.org/licenses/by/9.9/",
    "https://creativecommons.org/licenses/by/40/",
    "https://creativecommons.org/licenses/by/4.0.1/",
    "https://creativecommons.org/licenses/by/5.0/",
    "https://creativecommons.org/licenses/by-sa/3.1/us/",
    "https://creativecommons.org/licenses/by/2.1/",
    "https://creativecommons.org/publicdomain/zero/2.0/",
    "CC BY 9.9",
    "CC-BY-NC-5.0",
    "CC0 3.0",
    "Creative Commons Attribution 9.9 International License",
]


def decide(*statements: Statement, **facts: object) -> Decision:
    return TablePolicy().decide(Access(statements=list(statements), source="t", **facts))  # type: ignore[arg-type]


def ways(words: str) -> list[Decision]:
    """The words in each place where a licence may stand, in a record that is flagged open access."""
    facts = {"open": True, "in_archive": True, "licence": ""}
    return [
        decide(Statement(url=words), **facts),
        decide(Statement(licence_type=words), **facts),
        decide(Statement(text=words), **facts),
        decide(Statement(text=f"It is published under the terms at {words}."), **facts),
        decide(Statement(text=f"See the terms ({words}), which hold."), **facts),
        decide(**{**facts, "licence": words}),
    ]


@pytest.mark.parametrize("words", FOREIGN)
def test_an_address_elsewhere_opens_nothing_whatever_its_path_says(words: str) -> None:
    for decision in ways(words):
        assert decision.rule == "c", decision
        assert msgspec.structs.astuple(decision.uses) == READ_ONLY


@pytest.mark.parametrize("words", UNREAL)
def test_a_version_that_does_not_exist_opens_nothing_and_is_named(words: str) -> None:
    """ "Under Creative Commons Attribution 9.9" still says that some Creative Commons licence holds: reading only."""
    of_the_address, *others = ways(words)
    for decision in [of_the_address, *others] if "/" in words else others:
        assert msgspec.structs.astuple(decision.uses) == READ_ONLY
        assert "no version" in " ".join([decision.decided_by, *decision.also])


@pytest.mark.parametrize("words", [f"https://evil.example/{DEED}", "https://creativecommons.org/licenses/by/9.9/"])
def test_a_closed_record_stays_closed(words: str) -> None:
    decision = decide(Statement(url=words), open=False, licence="")
    assert decision.rule == "e"
    assert decision.uses.read == "no"


@pytest.mark.parametrize(
    "doubtful",
    [
        "https://web.archive.example/web/2020/http://creativecommons.org/licenses/by-nc/4.0/",
        "https://publisher.example/terms;https://creativecommons.org/licenses/by-nc/4.0/",
        "https://creativecommons.org/licenses/by-nc/9.9/",
        "CC BY-NC 9.9",
    ],
)
def test_what_opens_nothing_may_still_close(doubtful: str) -> None:
    """A stricter licence that is named in a doubtful way holds beside a clear one: the gate fails closed."""
    address = {"url" if "/" in doubtful else "licence_type": doubtful}
    for statement in (Statement(text=f"Under CC BY 4.0. {doubtful}"), Statement(text="Under CC BY 4.0.", **address)):
        decision = decide(statement, open=True, licence="cc by")
        assert (decision.rule, decision.uses.commercial) == ("a", "no")


def test_a_doubtful_kind_does_not_make_an_unstated_one_certain() -> None:
    decision = decide(
        Statement(text="Under a Creative Commons license.", url="https://creativecommons.org/licenses/by/9.9/")
    )
    assert (decision.rule, decision.uses.read, decision.uses.commercial) == ("a", "yes", "unknown")


@pytest.mark.parametrize(
    "words",
    [
        f"http://{DEED}",
        f"https://www.{DEED}",
        "HTTPS://CreativeCommons.ORG/Licenses/BY/4.0/",
        f"https://{DEED}deed.de",
        f"https://{DEED}legalcode",
        "https://creativecommons.org/licences/by/4.0",
        "https://creativecommons.org/licenses/by/4",
        "https://creativecommons.org/licenses/by/v4.0",
        "https://creativecommons.org:443/licenses/by/4.0/",
        "https://creativecommons.org//licenses/by/4.0/",
        f"https://{DEED}?ref=chooser-v1",
        f"https://{DEED}#terms",
        f"//{DEED}",
        DEED,
        f"www.{DEED}",
        f"https://{DEED}).",
        f"seehttp://{DEED}",
        f"http:// {DEED}",
        "http://creativecommons.org/licenses/ by/4.0/",
        "http://creativecommons.org/ licenses/ by/4.0/",
        f"<https://{DEED}>",
        f"“https://{DEED}”",
    ],
)
def test_the_ways_in_which_the_deed_itself_is_written(words: str) -> None:
    found = [address for address in addresses(words) if address.reading]
    assert [(address.reading.kind, address.reading.version) for address in found] == [("by", "4.0")]  # type: ignore[union-attr]
    assert not found[0].foreign
    for statement in (Statement(url=words), Statement(text=f"Under the terms of {words}")):
        assert [reading.spdx for reading in read_statement(statement)] == ["CC-BY-4.0"]


def test_two_addresses_of_one_text_are_both_read() -> None:
    text = (
        f"Text: https://{DEED}, data: http://creativecommons.org/publicdomain/zero/1.0/; code: https://evil.example/x."
    )
    assert [address.reading.kind for address in addresses(text) if address.reading] == ["by", "zero"]
    assert "evil" not in blanked(text)
    assert DEED in blanked(text)


@pytest.mark.parametrize(
    ("words", "name", "spdx"),
    [
        ("CC BY-SA 3.0 DE", "CC BY-SA 3.0 DE", "CC-BY-SA-3.0-DE"),
        ("CC BY 3.0 US", "CC BY 3.0 US", "CC-BY-3.0-US"),
        ("CC BY-SA 2.1 JP", "CC BY-SA 2.1 JP", "CC-BY-SA-2.1-JP"),
        ("CC BY 3.0 IGO", "CC BY 3.0 IGO", "CC-BY-3.0-IGO"),
        ("CC BY 4.0 DE", "CC BY 4.0", "CC-BY-4.0"),
        ("CC BY 4.0 OA", "CC BY 4.0", "CC-BY-4.0"),
        ("CC BY 3.0 OA", "CC BY 3.0", "CC-BY-3.0"),
    ],
)
def test_prose_keeps_its_port(words: str, name: str, spdx: str) -> None:
    """Version 4.0 has no ports; two capital letters that are no jurisdiction are words."""
    (found,) = read_statement(Statement(text=f"This article is under {words}."))
    assert (found.name, found.spdx) == (name, spdx)
    field = read_field(words)
    assert field is not None
    assert (field.name, field.spdx) == (name, spdx)


@given(st.text(max_size=20), st.text(max_size=20))
def test_nothing_written_round_an_address_elsewhere_opens_it(before: str, after: str) -> None:
    """Whatever stands in the path of another host, without white space, is never a statement."""
    path = "".join((before + DEED + after).split())
    assert not [
        reading for reading in read_statement(Statement(url=f"https://evil.example/{path}")) if not reading.doubt
    ]


CUT = [
    "licenses/by -nc/4.0/",
    "licenses/by- nc/4.0/",
    "licenses/by\n-nc-nd/4.0/",
    "licenses/by/ nc/4.0/",
    "licenses/by /nc",
    "licenses/by-/4.0/",
    "licenses/-by/4.0/",
    "licenses/by/4.0-nc/",
    "licenses/by/4.0nc/",
    "licenses/by,nc/4.0/",
    "licenses/by)nc/4.0/",
    "licenses/by/4.0/../../by-nc/4.0/",
    "licenses/by/../by-nc/4.0/",
    "licenses/by/-4.0/",
    "licenses/by/4.0/nc/",
    "licenses/by//nc/4.0/",
    "licenses/by?nc",
    "licenses/by#-nc",
    "licenses/by%2Dnc/4.0/",
    "licenses/by\u2011nc/4.0/",
    "licenses/by\u200b-nc/4.0/",
    "licenses/by+nc/4.0/",
]


@pytest.mark.parametrize("path", CUT)
def test_a_deed_s_path_that_is_broken_or_cut_short_promises_no_more_than_it_may(path: str) -> None:
    """`/licenses/by -nc/4.0/` is a BY-NC deed with a space in it; what is no deed's path opens nothing."""
    address = f"https://creativecommons.org/{path}"
    for statement in (
        Statement(url=address),
        Statement(text=f"This article is licensed under {address}"),
        Statement(text=f"This article is under this licence ({address}), which permits use."),
    ):
        decision = decide(statement, open=False, in_archive=True, licence="")
        assert decision.uses.commercial != "yes"
        assert decision.rule in ("a", "e")


@pytest.mark.parametrize(
    "end", ["),which", ".The", "/deed.de", "/legalcode.txt", "/rdf", "/;", "/?ref=x#y", '/"', "/us/"]
)
def test_what_stands_behind_a_whole_path_changes_nothing(end: str) -> None:
    address = f"https://creativecommons.org/licenses/by/3.0{end}"
    (found,) = read_statement(Statement(text=f"This article is under the terms of {address}"))
    assert (found.kind, found.version, found.doubt) == ("by", "3.0", "")


def test_a_second_deed_in_one_run_of_characters_is_seen() -> None:
    both = f"https://{DEED},https://{DEED.replace('by', 'by-nc')}"
    assert [address.reading.kind for address in addresses(both) if address.reading] == ["by", "by-nc"]
    assert decide(Statement(url=both)).uses.commercial == "no"
