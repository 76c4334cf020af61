"""Each promise of this plugin's README that no test of a module holds already."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vouched_icite
from vouched.configuration import load
from vouched.testing.emulator import Emulator
from vouched_icite import client, rows
from vouched_icite.get_citation_metrics import Counts, get_citation_metrics

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
Hosts = Callable[..., Any]


def test_the_table_of_arguments_names_every_argument() -> None:
    table = README.partition("| argument |")[2].partition("\n\n")[0]
    named = {
        name for first in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", first)
    }
    parameters = set(inspect.signature(get_citation_metrics.function).parameters) - {"ctx"}
    assert named == parameters


def test_the_sum_that_it_prints_is_that_of_the_counts() -> None:
    (printed,) = re.findall(r"`([a-z_ +]+) = inputs`", README)
    assert set(printed.split(" + ")) | {"inputs"} == set(Counts.__struct_fields__)


def test_the_figures_it_gives_are_those_of_the_code() -> None:
    (source,) = vouched_icite.sources()
    assert f"{client.A_REQUEST} PMIDs a request" in README
    assert (source.rate, "budget of 2 starts a second" in " ".join(README.split())) == (2, True)
    assert (source.ttl, "kept for six hours" in " ".join(README.split())) == (6 * 3_600, True)
    assert f"{rows.SHOWN_LINKS} a row" in README
    assert f"the first {rows.MOST_CHECKED}" in README


def test_every_metric_that_it_explains_is_explained_in_the_answer() -> None:
    for name in ("nih_percentile", "citation_count", "apt"):
        assert f"**{name}**" in README
        assert name in rows.MEANING
    assert "median NIH-funded" in README
    assert "median NIH-funded" in rows.MEANING["relative_citation_ratio"]


@pytest.mark.anyio
async def test_both_names_of_the_tool_and_the_command_at_its_top_work(icite: Emulator, host: Hosts) -> None:
    import json

    (arguments,) = re.findall(r"vouched call icite_get_citation_metrics '(.*)'", README)
    async with host(icite) as asked:
        for name in ("icite_get_citation_metrics", "get_citation_metrics"):
            result = await asked.call(name, json.loads(arguments))
            assert result.structured["data"]["counts"]["inputs"] == 2
            assert result.structured["data"]["sort_by"] == "relative_citation_ratio"


def test_its_environment_variable_sends_the_plugin_elsewhere() -> None:
    assert "VOUCHED_ICITE_URL" in README
    settings = load({"VOUCHED_ICITE_URL": "http://127.0.0.1:9/icite/"})
    assert settings.source("icite").url == "http://127.0.0.1:9/icite/"
