"""Any CSL style: found where the user says, parents followed, every failure told by its name, never a raw exception."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.host import Host
from vouched_citeformat import csl

from plugins.citeformat.tests import invented

pytest.importorskip("citeproc")
FOLDER = Path(__file__).parent / "csl"
MakeHost = Callable[..., Host]
DEPENDENT = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info><title>Child</title><id>child</id>
    <link href="http://www.zotero.org/styles/{parent}" rel="independent-parent"/>
    <updated>2026-11-30T00:00:00Z</updated></info>
</style>
"""


async def cite(host: Host, **arguments: Any) -> dict[str, Any]:
    result = await host.call("citeformat_format_citations", arguments)
    return result.structured


def settings(*where: Path) -> dict[str, Any]:
    return {"plugin": {"citeformat": {"csl": [str(path) for path in where]}}}


@pytest.mark.anyio
async def test_a_style_of_the_user_s_folder_is_used_by_name(cite_host: MakeHost) -> None:
    async with cite_host(**settings(FOLDER)) as host:
        envelope = await cite(host, ids=["99900001"], format=["invented-author-date", "apa"], markup="html")
    (row,) = envelope["data"]["citations"]
    assert row["citations"]["invented-author-date"] == (
        "Quill, A. B., Marrow, J.-L., &amp; van der Lind, O. (2024). <i>Glimmer syndrome in invented mice</i>. "
        "Journal of Invented Results, 12, 737–738."
    )
    assert "apa" in row["citations"]


@pytest.mark.anyio
async def test_a_retraction_is_visible_in_a_csl_style(cite_host: MakeHost) -> None:
    async with cite_host(**settings(FOLDER)) as host:
        envelope = await cite(host, ids=["99900007"], format="invented-author-date")
    text = envelope["data"]["citations"][0]["citations"]["invented-author-date"]
    assert text.endswith("Retraction in: J Invent Res. 2025 Jan;13(1):9-10.")


@pytest.mark.anyio
async def test_more_than_a_hundred_records_are_refused_for_csl_only(cite_host: MakeHost) -> None:
    ids = [str(99900001 + n) for n in range(101)]
    async with cite_host(**settings(FOLDER)) as host:
        refused = await cite(host, ids=ids, format=["apa", "invented-author-date"])
        taken = await cite(host, ids=ids, format="apa")
    assert refused["error"]["code"] == "invalid_argument"
    assert "at most 100" in refused["error"]["expected"]
    assert "error" not in taken


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not xml at all", "cannot be read"),
        ("<style xmlns='http://purl.org/net/xbiblio/csl'><citation/></style>", "has no bibliography"),
        ("<html/>", "has no bibliography"),
        (DEPENDENT.format(parent="no-such-parent"), "needs its parent style no-such-parent"),
        (DEPENDENT.format(parent="broken"), "needs its parent style broken"),
    ],
)
async def test_a_style_that_cannot_be_used_is_named_and_the_others_work(
    cite_host: MakeHost, tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "broken.csl").write_text(content)
    async with cite_host(**settings(tmp_path)) as host:
        envelope = await cite(host, ids=["99900001"], format=["broken", "apa"])
    (row,) = envelope["data"]["citations"]
    assert list(row["citations"]) == ["apa"]
    (warning,) = [text for text in row["warnings"] if text.startswith("style_failed")]
    assert "broken" in warning
    assert said in warning


def test_a_dependent_style_takes_its_parent_s_rules(tmp_path: Path) -> None:
    (tmp_path / "child.csl").write_text(DEPENDENT.format(parent="invented-author-date"))
    where = [tmp_path, FOLDER]
    path = csl.find("child", where)
    assert path is not None
    style = csl.style("child", path, where)
    assert style.render(invented.article(), "text").startswith(
        "Quill, A. B., Marrow, J.-L., & van der Lind, O. (2024). "
    )


@pytest.mark.parametrize("name", ["../secret", "a/b", "", "x" * 200, "Ünknown", ".hidden"])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.csl").write_text("<style/>")
    assert csl.find(name, [tmp_path / "inner", tmp_path]) is None


def test_a_single_file_may_be_named() -> None:
    assert csl.find("invented-notes", [FOLDER / "invented-notes.csl"]) == FOLDER / "invented-notes.csl"
    assert csl.find("invented-quotes", [FOLDER / "invented-notes.csl"]) is None


def test_one_style_object_renders_again_and_again_the_same() -> None:
    """The engine writes on its own tree; what it wrote must not show in the next reference."""
    style = csl.style("invented-author-date", FOLDER / "invented-author-date.csl", [FOLDER])
    makers = (invented.book, invented.article, invented.chapter)
    once = [style.render(make(), "text") for make in makers]
    assert [style.render(make(), "text") for make in makers] == once


def test_an_external_entity_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    text = (FOLDER / "invented-author-date.csl").read_text("utf-8")
    head, _, rest = text.partition("\n")
    evil = f'{head}\n<!DOCTYPE style [<!ENTITY x SYSTEM "file://{secret}">]>\n{rest}'.replace(
        '<text value="."/>', '<text value="."/><!-- x --><text value="end"/>'
    ).replace("<title>Invented author-date</title>", "<title>&x;</title>")
    (tmp_path / "evil.csl").write_text(evil)
    style = csl.style("evil", tmp_path / "evil.csl", [tmp_path])
    assert "top secret" not in style.render(invented.article(), "text")
