"""Failures in BibTeX and RIS that users reported, 39 to 53: each stays mended."""

import re

import msgspec
import pytest
from vouched.api import Article, Author
from vouched_citeformat import apa, bibtex, ris
from vouched_citeformat.bibkeys import key

from plugins.citeformat.tests import gold, invented


def field(article: Article, name: str) -> str:
    """One field's value of the BibTeX entry."""
    found = re.search(rf"^  {name} = \{{(.*)\}},?$", bibtex.render(article, "text"), re.MULTILINE)
    return found[1] if found else ""


def titled(title: str, markup: str = "") -> Article:
    return invented.article(title=title, title_markup=markup)


@pytest.mark.parametrize("doi", ["10.4103/jehp.jehp_14_19", "10.1007/978-3-032-00942-5_12"])
def test_bug_39_p108_a_doi_with_an_underscore_stays_verbatim(doi: str) -> None:
    article = invented.article(ids={"doi": doi})
    assert field(article, "doi") == doi
    assert apa.render(article, "text").endswith(f"https://doi.org/{doi}")
    assert field(titled("Use of x_y in mice."), "title") == r"Use of x\_y in mice"


def test_bug_40_capitals_in_italics_survive_a_lower_casing_style() -> None:
    assert r"\textit{Klebsiella pneumoniae}" in field(gold.record("38591913"), "title")
    assert r"{{\textit{TERT}}}" in field(gold.record("27797938"), "title")
    assert r"{SnO\textsubscript{2}thin}" in field(gold.record("38914053"), "title")
    radioactive = titled("Use of 18F in mice.", "Use of <sup>18</sup>F in mice.")
    assert r"{\textsuperscript{18}F}" in field(radioactive, "title")


def test_bug_41_a_title_case_title_is_braced_at_acronyms_only() -> None:
    assert field(gold.record("24349601"), "title") == "Genes, Economics, and Happiness"
    assert field(gold.record("31542275"), "title").endswith("Results from the {MR} {CLEAN} Registry")


@pytest.mark.parametrize("item", ["32743745", "40498841", "30714901"])
def test_bug_42_greek_is_a_command_without_ensuremath(item: str) -> None:
    text = bibtex.render(gold.record(item), "text")
    assert re.search(r"\$\\(alpha|beta)\$", text)
    assert "ensuremath" not in text


@pytest.mark.parametrize("item", ["31789841", "26568896"])
def test_bug_43_p34_a_suffix_stands_in_the_middle(item: str) -> None:
    assert field(gold.record(item), "author").endswith(
        "Artino, Jr., Anthony R." if item == "31789841" else "Wise, Sr., John Pierce"
    )


def test_bug_44_p34_a_suffix_never_replaces_the_family_name() -> None:
    article = invented.article(authors=[Author(family="Washburn", given="Michael", initials="M", suffix="Jr")])
    assert field(article, "author") == "Washburn, Jr., Michael"


@pytest.mark.parametrize(
    "name",
    ["Council on Cardiopulmonary, Critical Care, Perioperative and Resuscitation", "Borland and Andersen Study Group"],
)
def test_bug_45_p32_a_group_is_one_braced_name(name: str) -> None:
    article = invented.article(authors=[Author(collective=name), *invented.people(1)])
    assert field(article, "author") == f"{{{name}}} and Familya0, Ann B."


def test_bug_45_a_family_name_that_bibtex_would_split_is_braced() -> None:
    article = invented.article(authors=[Author(family="Sand and Stone", given="Al"), Author(family="Two Words")])
    assert field(article, "author") == "{Sand and Stone}, Al and {Two Words}"


@pytest.mark.parametrize(
    ("family", "expected"),
    [("Lévesque", "levesque"), ("Łódź-Ørsted", "lodzorsted"), ("王", "glimmer"), ("", "glimmer")],
)
def test_bug_46_keys_are_ascii(family: str, expected: str) -> None:
    assert key(invented.article(authors=[Author(family=family, given="A")])) == f"{expected}2024-99900001"


def test_bug_47_keys_are_lower_case_and_unique_by_their_number() -> None:
    one = invented.article(authors=[Author(family="Liu")], ids={"pmid": "99900001"})
    two = invented.article(authors=[Author(family="LIU")], ids={"pmid": "99900002"})
    assert [key(one), key(two)] == ["liu2024-99900001", "liu2024-99900002"]
    without = [invented.article(ids={"doi": f"10.9999/{n}"}) for n in range(3)]
    keys = [key(article) for article in without]
    assert len(set(keys)) == 3
    assert all(re.fullmatch(r"[a-z0-9-]+", found) for found in keys)
    assert key(msgspec.structs.replace(without[0], ids={"doi": "10.9999/0".upper()})) == keys[0]


def ris_lines(article: Article) -> list[str]:
    return ris.render(article, "text").split("\r\n")


def test_bug_48_no_tag_is_empty() -> None:
    bare = Article(ids={"pmid": "99900003"})
    for article in (bare, invented.article(), invented.book(), invented.preprint(), invented.chapter()):
        assert [line for line in ris_lines(article) if re.fullmatch(r"[A-Z0-9]{2}  - *", line)] == ["ER  - "]


@pytest.mark.parametrize("make", [invented.article, invented.book, invented.preprint, invented.chapter])
def test_bug_49_ris_is_tags_with_crlf_and_nothing_else(make: object) -> None:
    text = ris.render(make(), "text")  # type: ignore[operator]
    assert text.endswith("ER  - \r\n")
    body = text.removesuffix("\r\n").split("\r\n")
    assert body[0].startswith("TY  - ")
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - [^\r\n]*", line) for line in body)
    assert any(line.startswith("PY  - ") for line in body)
    assert not any(line.startswith("Y1") for line in body)


def test_bug_50_p34_a_suffix_stands_last_in_ris() -> None:
    article = invented.article(authors=[Author(family="Cobb", given="F W", initials="FW", suffix="Jr")])
    assert "AU  - Cobb, F. W., Jr." in ris_lines(article)


def test_bug_51_sp_is_the_start_and_ep_the_end_only() -> None:
    lines = ris_lines(gold.record("37868702"))
    assert "SP  - 1142" in lines
    assert "EP  - 1147" in lines


def test_bug_52_a_group_has_a_trailing_comma_in_ris() -> None:
    article = invented.article(authors=[Author(collective="STRATA Investigators"), Author(collective="One, Two Group")])
    assert [line for line in ris_lines(article) if line.startswith("AU")] == [
        "AU  - STRATA Investigators,",
        "AU  - One, Two Group",
    ]


SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2[x]"


def test_bug_53_a_sici_doi_is_whole_everywhere() -> None:
    from urllib.parse import unquote

    article = invented.article(ids={"doi": SICI, "pmid": "99900001"})
    assert field(article, "doi") == SICI
    assert f"DO  - {SICI}" in ris_lines(article)
    for markup in ("text", "html", "markdown"):
        text = apa.render(article, markup)
        address = re.search(r"https://doi\.org/[^\s>]+", text)
        assert address is not None
        assert "<" not in address[0]
        assert unquote(address[0]) == f"https://doi.org/{SICI}"
