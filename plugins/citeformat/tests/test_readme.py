"""Each promise of this plugin's README that no test of a module holds already."""

import inspect
import json
import re
import types
from collections.abc import Callable
from pathlib import Path

import pytest
import vouched_citeformat
from vouched.api import Date, ELocation, Locator, Notice, RecordStatus
from vouched.host import Host
from vouched_citeformat import caveats, csl, csl_fixes, mla
from vouched_citeformat.catalogue import STYLES
from vouched_citeformat.notices import SHOWN
from vouched_citeformat.whole import joined

from plugins.citeformat.tests import invented

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BY_NAME = {style.name: style for style in STYLES}
MakeHost = Callable[..., Host]


def listed(heading: str) -> set[str]:
    """The names in code spans of one item of a list."""
    (item,) = re.findall(rf"^- \*\*`{heading}`\*\*(.*?)(?=^- |^$)", README, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"`([a-z_]+|[A-Z][A-Za-z]+In)`", item))


def test_the_table_of_formats_names_every_format_and_its_file() -> None:
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|.*\| (.*) \|$", README.partition("## Formats")[2], re.MULTILINE)
    named = {name: comes for names, comes in rows for name in re.findall(r"`([a-z-]+)`", names)}
    assert list(named) == list(BY_NAME)
    for name, comes in named.items():
        assert comes in ("text, Markdown, HTML", f"`{BY_NAME[name].suffix}`")


def test_the_table_of_tools_names_every_tool() -> None:
    for tool in vouched_citeformat.tools():
        assert f"`citeformat_{tool.name}`" in README


def test_every_warning_is_named_and_can_happen() -> None:
    codes = set(re.findall(r"\b([a-z]+_[a-z_]+): ", inspect.getsource(caveats)))
    assert listed("warnings") == codes | {"style_failed"}
    bare = invented.article(ids={}, title="", authors=[], date=Date(), locator=Locator())
    told = {text.partition(":")[0] for text in caveats.caveats(bare)}
    assert told == {"no_title", "no_authors", "missing_year", "no_pages", "no_identifier"}


def test_a_notice_says_what_it_is_about() -> None:
    notice = invented.article(
        notices=[Notice("RetractionOf", "J Invent Res. 2018 May;7(5):S501-S509", {"pmid": "99900009"})],
        status=RecordStatus("none_found", is_notice=True),
    )
    assert caveats.caveats(notice) == ["is_notice: the record is itself a notice: Retraction of PMID: 99900009"]


def test_the_notices_are_those_of_the_code() -> None:
    assert set(SHOWN) <= listed("notices")


@pytest.mark.anyio
async def test_the_command_at_its_top_works(cite_host: MakeHost) -> None:
    (arguments,) = re.findall(r"vouched call citeformat_format_citations '(.*)'", README)
    article = invented.article(ids={"pmid": "18276894"})
    async with cite_host([article]) as host:
        result = await host.call("citeformat_format_citations", json.loads(arguments))
    data = result.structured["data"]
    assert list(data["citations"][0]["citations"]) == ["apa", "bibtex"]
    assert data["unavailable"][0]["input"] == "PMC3531190"


@pytest.mark.anyio
async def test_its_style_of_your_own_is_a_plugin_that_works(cite_host: MakeHost) -> None:
    (source,) = [block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "def styles" in block]
    module = types.ModuleType("shown")
    exec(source, module.__dict__)
    async with cite_host(more={"shown": module}) as host:
        result = await host.call("citeformat_format_citations", {"ids": "99900001", "format": "short, apa"})
    assert result.structured["data"]["citations"][0]["citations"]["short"] == "Quill 2024"


def test_mla_prints_article_numbers_supplements_and_retractions_as_it_says() -> None:
    numbered = invented.article(locator=Locator(), e_locations=[ELocation(type="pii", value="e12345")])
    assert ", p. e12345, " in mla.render(numbered, "text")
    supplement = invented.article(volume="19", issue="Suppl 1")
    assert "vol. 19, no. suppl. 1, " in mla.render(supplement, "text")
    assert mla.render(invented.retracted(), "text").endswith(" Retracted.")


def test_a_file_says_where_its_records_are_from_in_formats_that_have_comments_and_in_no_other() -> None:
    having = set()
    for style in STYLES:
        whole = joined(style, [style.render(invented.article(), "text")], "Records from nowhere.")
        if "Records from nowhere." in whole:
            having.add(style.name)
    assert having == {"bibtex", "biblatex", "endnote-xml"}


def test_titles_in_capitals_keep_them_and_apa_changes_the_word_after_a_colon_only() -> None:
    shouted = invented.article(title="GLIMMER SYNDROME IN INVENTED MICE")
    cased = invented.article(title="Glimmer Syndrome: a Study of Mice")
    for name in ("apa", "mla", "nlm", "ama"):
        assert "GLIMMER SYNDROME IN INVENTED MICE" in BY_NAME[name].render(shouted, "text")
    assert "Glimmer Syndrome: A Study of Mice" in BY_NAME["apa"].render(cased, "text")


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("apa", "(Retraction published 2025"),
        ("nlm", "Retraction in: "),
        ("vancouver", "Retraction in: "),
        ("ama", "Retraction in: "),
        ("mla", "Retracted."),
        ("bibtex", "note = {Retraction in: "),
        ("ris", "N1  - Retraction in: "),
        ("nbib", "RIN - "),
    ],
)
def test_a_retraction_stands_where_it_says_for_each_format(name: str, mark: str) -> None:
    assert mark in BY_NAME[name].render(invented.retracted(), "text")


def test_apa_has_a_parenthesis_with_each_retraction_notice() -> None:
    notices = [Notice("RetractionIn", f"J Invent Res. {year};1(1):9") for year in (2025, 2026)]
    text = BY_NAME["apa"].render(invented.article(notices=notices), "text")
    assert re.search(r"\(Retraction published 2025, .*; 2026, .*\)$", text)


def test_it_names_the_limit_of_csl_styles_and_the_modules_that_mend_the_engine() -> None:
    assert f"At most {csl.MOST} records a call" in README
    for module in (csl_fixes, csl.polished):
        assert Path(inspect.getsourcefile(module) or "").name in README
