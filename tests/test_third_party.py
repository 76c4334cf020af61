"""The plugin that README.md shows is a real one: pip installs it, and its tool answers through the server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from vouched import cli_start
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import canned

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
FOUND = {
    "total": 2,
    "results": [{"bibjson": {"title": title}} for title in ("Journal of Invented Results", "Glimmer β")],
}
NONE = {"total": 0, "results": []}


def blocks(language: str) -> list[str]:
    """The fenced blocks of README.md in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def shown() -> tuple[str, str]:
    """The project file and the module that README.md shows."""
    (project,) = [block for block in blocks("toml") if "[project.entry-points.vouched]" in block]
    (module,) = [block for block in blocks("python") if "@hookimpl" in block]
    return project, module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin installed as README.md prints it, beside the tree."""
    folder = tmp_path_factory.mktemp("third-party")
    project = folder / "vouched-doaj"
    project.mkdir()
    printed, module = shown()
    (project / "pyproject.toml").write_text(printed, "utf-8")
    (project / "vouched_doaj.py").write_text(module, "utf-8")
    target = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    done = subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--target", str(target), str(project)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def doaj() -> Iterator[Emulator]:
    """DOAJ, as far as the plugin asks it."""
    with start([canned("doaj", {"search/journals/glimmer": FOUND, "search/journals/nothing": NONE})]) as server:
        yield server


def environment(site: Path, doaj: Emulator, data: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VOUCHED_", "NCBI_"))}
    return {**kept, **doaj.environment(), "PYTHONPATH": str(site), "VOUCHED_DATA": str(data)}


def test_readme_shows_what_new_writes() -> None:
    project, module = shown()
    assert project == cli_start.PROJECT.format(name="doaj")
    assert module == cli_start.MODULE
    assert len(module.splitlines()) <= 35


@pytest.mark.smoke
@pytest.mark.anyio
async def test_the_installed_plugin_answers_through_the_server(site: Path, doaj: Emulator, tmp_path: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "vouched", "serve"], env=environment(site, doaj, tmp_path / "data")
    )
    async with Client(server) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "pubmed_search_articles" in listed
        tool = listed["doaj_journals"]
        assert tool.description == "Find open-access journals by title or ISSN."
        assert tool.input_schema["properties"] == {"query": {"type": "string", "minLength": 2}}
        found = await client.call_tool("doaj_journals", {"query": "glimmer"})
        nothing = await client.call_tool("doaj_journals", {"query": "nothing"})
        short = await client.call_tool("doaj_journals", {"query": "g"})
    assert not found.is_error
    assert found.structured_content["data"] == {"total": 2, "titles": ["Journal of Invented Results", "Glimmer β"]}
    assert "Glimmer β" in found.content[0].text
    (source,) = found.structured_content["provenance"]["sources"]
    assert (source["source"], source["http_status"], len(source["content_sha256"])) == ("doaj", 200, 64)
    assert found.structured_content["provenance"]["versions"]["vouched-doaj"] == "0.1.0"
    assert nothing.structured_content["warnings"] == ["No journal matches 'nothing'; try fewer words."]
    assert short.structured_content["error"]["path"] == "query"
    assert len(doaj.log("doaj")) == 2


@pytest.mark.smoke
def test_the_command_line_shows_it_beside_the_others(site: Path, doaj: Emulator, tmp_path: Path) -> None:
    def run(*argv: str) -> str:
        command = [sys.executable, "-m", "vouched", *argv]
        env = environment(site, doaj, tmp_path / "data")
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert re.search(r"doaj +loaded +vouched-doaj 0\.1\.0\n +hooks: sources, tools\n", run("plugins"))
    assert re.search(r"doaj_journals +Find open-access journals by title or ISSN\.", run("tools"))
    assert "Glimmer β" in run("call", "doaj_journals", '{"query": "glimmer"}')
