"""When no source could be asked, the call fails as its sources did."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from vouched.api import Article, Context, Fault, Id, Missing, OfflineFault, RateLimited, UpstreamTimeout, hookimpl
from vouched.host import Host

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]


class Closed:
    """A resolver that has a fault for each of its ids, raised or told."""

    schemes = ("pmid",)
    rank = 10

    def __init__(self, faults: Mapping[str, Fault], raised: Fault | None = None) -> None:
        self.faults, self.raised = faults, raised

    async def resolve(self, ctx: Context, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        if self.raised:
            raise self.raised
        return {id_: Missing.of(self.faults[id_.value], "closed") for id_ in ids}


async def error(cite_host: MakeHost, resolver: Closed, *ids: str) -> dict[str, Any]:
    @hookimpl
    def resolvers() -> list[Closed]:
        return [resolver]

    async with cite_host([], more={"closed": SimpleNamespace(resolvers=resolvers)}) as host:
        result = await host.call("citeformat_format_citations", {"ids": list(ids)})
    return result.structured["error"]  # type: ignore[no-any-return]


OFFLINE = OfflineFault("This was never recorded.", hint="Go online once.", source="eutils")


@pytest.mark.parametrize("resolver", [Closed({"1": OFFLINE, "2": OFFLINE}), Closed({}, raised=OFFLINE)])
async def test_faults_of_one_kind_are_that_fault_with_its_hint(cite_host: MakeHost, resolver: Closed) -> None:
    told = await error(cite_host, resolver, "1", "2")
    assert (told["code"], told["hint"], told["message"]) == ("offline", "Go online once.", "This was never recorded.")
    assert told["retryable"] is False


async def test_faults_of_several_kinds_say_that_nobody_answered(cite_host: MakeHost) -> None:
    faults = {"1": RateLimited("Too many."), "2": UpstreamTimeout("Too slow.")}
    told = await error(cite_host, Closed(faults), "1", "2")
    assert told["code"] == "upstream_unreachable"
    assert "Too many." in told["message"]
    assert "Too slow." in told["message"]


async def test_a_failure_that_comes_of_no_fault_is_unreachable(cite_host: MakeHost) -> None:
    async with cite_host() as host:
        result = await host.call("citeformat_format_citations", {"ids": ["99900400"]})
    assert result.structured["error"]["code"] == "upstream_unreachable"
