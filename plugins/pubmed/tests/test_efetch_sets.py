"""Whole sets and files: versions, streaming in constant memory, properties over any bytes."""

import contextlib
import gzip
import io
import string
from pathlib import Path

import pubmed_xml as made
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Article, Fault, UpstreamInvalid
from vouched_pubmed.efetch import EFetchSet, Problem, iter_articles, read_articles


def test_the_newest_version_wins_and_names_the_others() -> None:
    body = made.whole(
        made.article(title="First.", version="1"),
        made.article(title="Third.", version="3"),
        made.article(title="Second.", version="2"),
        made.article(title="Other.", pmid="99900002"),
    )
    newest, other = read_articles(body).articles
    assert (newest.title, newest.version, newest.other_versions) == ("Third.", "3", ["1", "2"])
    assert (other.version, other.other_versions) == ("", [])


def test_all_versions_of_a_real_record() -> None:
    from pubmed_corpus import folder

    place = folder()
    if place is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    (found,) = read_articles((place / "nlm_30271887_all_versions.xml").read_bytes()).articles
    assert (found.ids["pmid"], found.version, found.other_versions) == ("30271887", "4", ["1", "2", "3"])


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_is_streamed_as_it_is_read_whole(packed: bool, tmp_path: Path) -> None:
    records = [made.article(pmid=str(99900001 + n), title=f"Title {n}.") for n in range(7)]
    records.insert(3, made.article(pmid="99900003", title="Newer.", version="2"))
    body = made.whole(*records)
    path = tmp_path / ("set.xml.gz" if packed else "set.xml")
    path.write_bytes(gzip.compress(body) if packed else body)
    streamed = list(iter_articles(path))
    assert streamed == read_articles(body).articles
    assert list(iter_articles(io.BytesIO(body))) == streamed


def test_a_damaged_file_gives_what_stands_before_the_damage() -> None:
    body = made.whole(*(made.article(pmid=str(99900001 + n)) for n in range(3)))[:-300]
    found = iter_articles(io.BytesIO(body))
    assert isinstance(next(found), Article)
    with pytest.raises(UpstreamInvalid):
        list(found)


def test_a_record_that_cannot_be_read_is_a_problem_in_the_stream() -> None:
    deep = made.article(title="<i>" * 210 + "x" + "</i>" * 210, pmid="99900009")
    first, second = iter_articles(io.BytesIO(made.whole(deep, made.article())))
    assert isinstance(first, Problem)
    assert isinstance(second, Article)


def test_a_single_record_may_be_the_root() -> None:
    assert read_articles(made.article().encode()).articles[0].ids["pmid"] == "99900001"


@given(st.binary(max_size=300))
def test_any_bytes_give_an_answer_or_a_typed_fault(body: bytes) -> None:
    with contextlib.suppress(Fault):
        assert isinstance(read_articles(body), EFetchSet)


@given(st.binary(max_size=60), st.integers(0, 900))
def test_a_set_with_bytes_smuggled_in_gives_an_answer_or_a_typed_fault(noise: bytes, place: int) -> None:
    body = made.whole(made.article("<AuthorList><Author><LastName>D</LastName></Author></AuthorList>"))
    with contextlib.suppress(Fault):
        assert isinstance(read_articles(body[:place] + noise + body[place:]), EFetchSet)


NAMES = """PMID Article Journal JournalIssue PubDate Year MedlineDate ArticleTitle Abstract AbstractText AuthorList
Author LastName Pagination MedlinePgn ELocationID MeshHeadingList MeshHeading DescriptorName OtherID KeywordList Keyword
CommentsCorrectionsList CommentsCorrections RefSource History PubMedPubDate ArticleIdList ArticleId ReferenceList
Reference Citation Book BookTitle GrantList Grant DataBankList DataBank i sub math"""
TAGS = st.sampled_from(NAMES.split())
WORDS = st.text(string.ascii_letters + string.digits + " .-;é", max_size=12)
TREES = st.recursive(
    WORDS,
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inner, max_size=4)),
    max_leaves=25,
)


@given(TREES, st.sampled_from(["MedlineCitation", "PubmedData", "BookDocument", "PubmedBookData"]))
def test_elements_in_any_order_and_nesting_are_read_or_named(inner: str, place: str) -> None:
    """Whatever stands where: the record comes, or is a problem; the one beside it always comes."""
    kind = "PubmedBookArticle" if place.startswith(("Book", "PubmedBook")) else "PubmedArticle"
    body = made.whole(f"<{kind}><{place}>{inner}</{place}></{kind}>", made.article(pmid="99900009"))
    answer = read_articles(body)
    assert len(answer.articles) + sum(problem.unread for problem in answer.problems) == 2
    assert answer.articles[-1].ids["pmid"] == "99900009"


@given(st.lists(st.integers(1, 60), max_size=12))
def test_one_record_for_each_pmid_in_the_order_of_the_answer(numbers: list[int]) -> None:
    answer = read_articles(made.whole(*(made.article(pmid=str(number)) for number in numbers)))
    assert [article.ids["pmid"] for article in answer.articles] == [str(number) for number in dict.fromkeys(numbers)]
