"""The documentation names every hook, every public name, every error code and every setting."""

import inspect
import os
import re
import subprocess
import sys
import tomllib
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from vouched import api, configuration, faces, hookspecs, settings, tooling
from vouched.faults import CODES
from vouched.host import Host
from vouched.journal import Owner
from vouched.remote import Post, Source
from vouched.settings import Limits, SessionSettings

DOCS = Path(__file__).parents[1] / "docs"


def words(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def test_every_hook_is_documented_with_its_arguments() -> None:
    text = words("plugins.md")
    for name in (*hookspecs.CONTRIBUTIONS, *hookspecs.PROVIDERS):
        arguments = ", ".join(inspect.signature(hookspecs.specification(name)).parameters)
        assert f"`{name}({arguments})`" in text


def test_every_public_name_is_documented() -> None:
    text = words("plugins.md")
    assert [name for name in api.__all__ if f"`{name}" not in text and f"{name}(" not in text] == []


def test_every_field_of_a_source_is_documented() -> None:
    text = words("plugins.md")
    shown = (*Source.__struct_fields__, *(f"{name}=" for name in Post.__struct_fields__))
    assert [name for name in shown if f"`{name}`" not in text and name not in text.partition("Post(")[2][:40]] == []


def test_every_error_code_is_documented() -> None:
    assert [code for code in CODES if f"`{code}`" not in words("answers.md")] == []


def test_every_limit_is_documented() -> None:
    text = words("configuration.md")
    shown = Limits.__struct_fields__
    assert all(name in text for name in (*shown, *SessionSettings.__struct_fields__))


def test_the_example_plugin_is_the_one_that_new_writes() -> None:
    from vouched.cli_start import MODULE

    assert MODULE in words("plugins.md")


def blocks(name: str, language: str = "python") -> list[str]:
    """The fenced examples of a page, in order."""
    return re.findall(rf"```{language}\n(.*?)```", words(name), re.DOTALL)


def test_the_plugin_and_its_test_in_the_documentation_run(tmp_path: Path) -> None:
    plugin, test = (next(b for b in blocks("plugins.md") if word in b) for word in ("def journals", "pytest.mark"))
    (tmp_path / "vouched_doaj.py").write_text(plugin, "utf-8")
    (tmp_path / "test_doaj.py").write_text(test, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_doaj.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert "2 passed" in done.stdout, done.stdout


@pytest.mark.anyio
async def test_the_contributions_in_the_documentation_load_and_answer(vouched_host: Callable[..., Host]) -> None:
    shelf = types.ModuleType("shelf")
    exec(next(b for b in blocks("plugins.md") if "ShelfResolver" in b), vars(shelf))
    async with vouched_host({"shelf": shelf}) as host:
        assert [(report.status, report.reason) for report in host.reports] == [("loaded", ""), ("loaded", "")]
        context = host.context()
        found, gone = await context.articles.get([api.Id("pmid", "99900001"), api.Id("pmid", "99900002")])
        assert isinstance(found, api.Article)
        assert isinstance(gone, api.Missing)
        assert (await context.text(found)).state == "granted"
        assert host.styles["shelf"].render(found, "text") == "On Shelves. PMID 99900001."
        assert (await faces.read_resource(host, "shelf://board/upper", Owner())).text == "Shelf upper."
        suggested = await faces.complete(host, "resource", "shelf://board/{name}", "name", "u", Owner())
        assert suggested == ["upper"]
        assert "shelves" in faces.prompt(host, "plan", {})[0].text


def test_the_configuration_in_the_documentation_is_read_and_shows_every_key(tmp_path: Path) -> None:
    (example,) = blocks("configuration.md", "toml")
    shown = tomllib.loads(example)
    file = tmp_path / "vouched.toml"
    file.write_text(example, "utf-8")
    configuration.load({"VOUCHED_CONFIG": str(file)})
    assert set(configuration._File.__struct_fields__) == set(shown)
    assert set(settings.HttpFace.__struct_fields__) == set(shown["http"])
    assert set(Limits.__struct_fields__) == set(shown["limits"])
    assert set(settings.SourceSettings.__struct_fields__) == set(shown["sources"]["europepmc"])


def test_every_option_of_a_tool_is_documented() -> None:
    options = set(inspect.signature(tooling.tool).parameters) - {"function"}
    assert [name for name in options if f"{name}=" not in words("plugins.md")] == []


def test_every_page_is_linked_from_the_start() -> None:
    readme = (DOCS.parents[1] / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"docs/{page.name}" not in readme] == []
    assert "(services.md)" in words("plugins.md")
    assert "(sessions.md)" in words("plugins.md")
