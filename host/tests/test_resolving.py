"""Ids to articles and articles to texts: in rank order, the first wins, and nothing that failed is called missing."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from vouched import context as context_module
from vouched.api import (
    Access,
    Article,
    Context,
    FullText,
    Id,
    InvalidArgument,
    Missing,
    Ref,
    Scheme,
    TextAnswer,
    UpstreamTimeout,
)
from vouched.host import Host
from vouched.journal import Owner

from host.tests.made import Records, article, failing_store, plugin

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
ONE, TWO, THREE = (Id("pmid", str(number)) for number in (1, 2, 3))
DOI = Id("doi", "10.99999/x")
TIMEOUT = UpstreamTimeout("lib did not answer in time.", source="lib")


async def resolved(
    vouched_host: MakeHost, resolvers: Sequence[Any], ids: Sequence[Id | Ref]
) -> tuple[list[Any], list[str]]:
    async with vouched_host({"made": plugin(resolvers=resolvers)}) as host:
        context = host.context(Owner(client="test"))
        return await context.articles.get(ids), context.warnings


class Whim(BaseException):
    """Neither an error nor an exit."""


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), Whim()])
async def test_whatever_a_resolver_raises_costs_no_other_one(vouched_host: MakeHost, error: BaseException) -> None:
    resolvers = [Records(error), Records({"pmid:1": article("1", "other")}, rank=50)]
    (one, two), _ = await resolved(vouched_host, resolvers, [ONE, TWO])
    assert one.source == "other"
    assert (two.state, two.reason) == ("failed", f"Records of plugin made failed: {type(error).__name__}.")


async def test_resolvers_are_asked_in_rank_order_for_what_is_still_missing(vouched_host: MakeHost) -> None:
    general = Records({"pmid:1": article("1", "general"), "pmid:2": article("2", "general")}, rank=50)
    primary = Records({"pmid:1": article("1", "primary"), "pmid:2": Missing("not_found")}, rank=10)
    records, warnings = await resolved(vouched_host, [general, primary], [ONE, TWO])
    assert [record.source for record in records] == ["primary", "general"]
    assert (primary.asked, general.asked) == ([["pmid:1", "pmid:2"]], [["pmid:2"]])
    assert warnings == []


async def test_a_resolver_is_asked_only_for_kinds_that_it_knows(vouched_host: MakeHost) -> None:
    dois = Records({"doi:10.99999/x": article("9")}, schemes=["doi"])
    pmids = Records({"pmid:1": article("1")})
    records, _ = await resolved(vouched_host, [dois, pmids], [DOI, ONE])
    assert [record.ids["pmid"] for record in records] == ["9", "1"]
    assert (dois.asked, pmids.asked) == ([["doi:10.99999/x"]], [["pmid:1"]])


async def test_one_entry_per_element_in_order_and_equal_ids_asked_once(vouched_host: MakeHost) -> None:
    pmids = Records({"pmid:1": article("1"), "pmid:2": Missing("deleted", "PubMed deleted it.")})
    bad = Ref("no id", None, "It is not an id.")
    records, _ = await resolved(vouched_host, [pmids], [ONE, bad, TWO, Ref("PMID: 1", ONE)])
    assert records[0] is records[3]
    assert records[1] == Missing("invalid", "It is not an id.")
    assert records[2] == Missing("deleted", "PubMed deleted it.")
    assert pmids.asked == [["pmid:1", "pmid:2"]]


async def test_a_failure_outranks_a_not_found_elsewhere(vouched_host: MakeHost) -> None:
    """What could not be asked may have it."""
    resolvers = [Records(TIMEOUT, rank=10), Records({"pmid:1": Missing("not_found", source="other")}, rank=50)]
    (missing,), _ = await resolved(vouched_host, resolvers, [ONE])
    assert (missing.state, missing.source, missing.retryable) == ("failed", "lib", True)
    assert "in time" in missing.reason


async def test_a_state_with_a_name_outranks_both(vouched_host: MakeHost) -> None:
    resolvers = [Records(TIMEOUT), Records({"pmid:1": Missing("merged", merged_into="7")}, rank=50)]
    (missing,), _ = await resolved(vouched_host, resolvers, [ONE])
    assert missing.state == "merged"


async def test_an_id_that_nobody_resolves_was_not_checked(vouched_host: MakeHost) -> None:
    (missing,), _ = await resolved(vouched_host, [Records({})], [DOI])
    assert (missing.state, missing.reason) == ("not_checked", "No installed plugin resolves a doi.")
    (missing,), _ = await resolved(vouched_host, [], [ONE])
    assert missing.state == "not_checked"


@pytest.mark.parametrize("answers", [{}, {"pmid:1": None}, {"pmid:1": "a string"}])
async def test_an_id_that_a_resolver_forgot_failed(vouched_host: MakeHost, answers: Any) -> None:
    (missing,), _ = await resolved(vouched_host, [Records(answers)], [ONE])
    assert (missing.state, missing.reason) == ("failed", "Records of plugin made gave no answer for this id.")


async def test_a_defect_of_one_resolver_does_not_cost_what_others_have(
    vouched_host: MakeHost, caplog: pytest.LogCaptureFixture
) -> None:
    resolvers = [Records(ZeroDivisionError("inside")), Records({"pmid:1": article("1", "other")}, rank=50)]
    (one, two), warnings = await resolved(vouched_host, resolvers, [ONE, TWO])
    assert one.source == "other"
    assert (two.state, two.reason) == ("failed", "Records of plugin made failed: ZeroDivisionError.")
    assert warnings == ["pmid:1 comes from other; another source could not be asked."]
    assert "inside" in caplog.text


async def test_records_from_a_second_choice_are_said_once_for_all(vouched_host: MakeHost) -> None:
    second = Records({f"pmid:{n}": article(str(n), "second") for n in range(1, 201)}, rank=50)
    _, warnings = await resolved(vouched_host, [Records(TIMEOUT), second], [Id("pmid", str(n)) for n in range(1, 201)])
    assert warnings == ["pmid:1, pmid:2, pmid:3 and 197 more come from second; lib could not be asked."]


async def test_what_was_found_is_kept_in_the_session(vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(resolvers=[Records({"pmid:1": article("1")})])}) as host:
        context = host.context(Owner(client="test"))
        await context.articles.get([ONE, TWO])
        kept = await context.session.article(ONE)
        assert kept
        assert kept.title == "Invented 1"
        assert await context.session.article(TWO) is None


@pytest.mark.parametrize("error", [OSError("disk"), InvalidArgument("The store refuses."), None])
async def test_a_store_that_fails_or_hangs_does_not_cost_the_records(
    vouched_host: MakeHost, error: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "PATIENCE_SECONDS", 0.1)
    plugins = {
        "made": plugin(resolvers=[Records({"pmid:1": article("1")})]),
        "store": plugin(provide_session=lambda settings: failing_store(keep_articles=error)),
    }
    async with vouched_host(plugins) as host:
        context = host.context(Owner(client="test"))
        (record,) = await context.articles.get([ONE])
    assert record.title == "Invented 1"
    assert "could not be kept" in context.warnings[0]


async def test_a_scheme_that_a_plugin_brings_is_read_in_arguments_too(vouched_host: MakeHost) -> None:
    trial = Scheme("nct", r"(?:NCT:?)?NCT([0-9]{8})", lambda digits: f"NCT{digits}")
    found = Records({"nct:NCT00000001": article("1")}, schemes=[trial])
    async with vouched_host({"made": plugin(resolvers=[found])}) as host:
        from vouched import ids

        assert ids.parse("nct00000001", host.schemes).id == Id("nct", "NCT00000001")
        (record,) = await host.context().articles.get([Id("nct", "NCT00000001")])
    assert record.title == "Invented 1"


# Texts


class Texts:
    """A text source that gives one thing."""

    def __init__(self, given: Any, rank: int = 10) -> None:
        self.given = given
        self.rank = rank
        self.asked = 0

    async def find(self, ctx: Context, article: Article) -> Any:
        self.asked += 1
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


OPEN = Access(open=True, in_archive=True, licence="cc by", source="made")
CLOSED = Access(open=False, in_archive=True, licence=None, source="made")
SILENT = Access(open=True, in_archive=True, licence=None, source="made")


def full_text(access: Access = OPEN, **ids: str) -> FullText:
    return FullText(ids=ids or {"pmid": "1"}, source="made", access=access, sections=[])


async def text_of(vouched_host: MakeHost, sources: Sequence[Any], record: Article) -> TextAnswer:
    async with vouched_host({"made": plugin(texts=sources)}) as host:
        return await host.context().text(record)


async def test_a_text_whose_licence_lets_it_be_read_is_granted(vouched_host: MakeHost) -> None:
    answer = await text_of(vouched_host, [Texts(full_text())], article("1", access=OPEN))
    assert (answer.state, answer.text is not None) == ("granted", True)
    assert answer.decision.uses.read == "yes"


async def test_a_closed_article_is_restricted_and_its_text_not_even_fetched(vouched_host: MakeHost) -> None:
    source = Texts(full_text())
    answer = await text_of(vouched_host, [source], article("1", access=CLOSED))
    assert (answer.state, answer.text, source.asked) == ("restricted", None, 0)
    assert answer.decision.decided_by


async def test_the_text_s_own_facts_decide_over_what_the_record_said(vouched_host: MakeHost) -> None:
    answer = await text_of(vouched_host, [Texts(full_text(CLOSED))], article("1", access=OPEN))
    assert (answer.state, answer.text) == ("restricted", None)


async def test_a_text_of_another_paper_is_not_passed_on(vouched_host: MakeHost) -> None:
    """Identity is compared in canonical spelling; a version suffix is no other paper."""
    record = article("1", access=OPEN)
    record = Article(ids={"pmid": "1", "pmcid": "PMC7", "doi": "10.99999/A"}, title="x", source="made", access=OPEN)
    for ids in ({"pmid": "2"}, {"pmid": "1", "doi": "10.99999/b"}, {"pmcid": "PMC8.1"}):
        answer = await text_of(vouched_host, [Texts(full_text(**ids))], record)
        assert answer.state == "missing"
        assert answer.missing
        assert answer.missing.state == "identity_mismatch"
    for ids in ({"pmcid": "PMC7.2"}, {"doi": "10.99999/a"}, {"doi": "10.99999/a", "pmid": "1"}):
        assert (await text_of(vouched_host, [Texts(full_text(**ids))], record)).state == "granted"


async def test_a_source_that_failed_is_not_a_text_that_is_missing(vouched_host: MakeHost) -> None:
    nothing = Texts(Missing("not_in_pmc", "Not in PMC."), rank=20)
    answer = await text_of(vouched_host, [Texts(TIMEOUT), nothing], article("1", access=OPEN))
    assert answer.state == "failed"
    assert answer.missing
    assert answer.missing.source == "lib"
    answer = await text_of(vouched_host, [nothing], article("1", access=OPEN))
    assert answer.state == "missing"
    assert answer.missing
    assert answer.missing.state == "not_in_pmc"


@pytest.mark.parametrize("given", [ValueError("inside"), None, "a string"])
async def test_a_defect_of_one_source_does_not_cost_the_text_of_another(vouched_host: MakeHost, given: Any) -> None:
    answer = await text_of(vouched_host, [Texts(given), Texts(full_text(), rank=20)], article("1", access=OPEN))
    assert answer.state == "granted"
    answer = await text_of(vouched_host, [Texts(given)], article("1", access=OPEN))
    assert answer.state == "failed"


async def test_no_source_of_texts_is_said(vouched_host: MakeHost) -> None:
    answer = await text_of(vouched_host, [], article("1", access=OPEN))
    assert answer.missing
    assert answer.missing.reason == "No installed plugin gives full texts."


async def test_a_record_whose_licence_nobody_asked_for_is_asked_by_its_text(vouched_host: MakeHost) -> None:
    assert (await text_of(vouched_host, [Texts(full_text())], article("1"))).state == "granted"
    assert (await text_of(vouched_host, [Texts(full_text(SILENT))], article("1"))).decision.uses.quote == "unknown"
