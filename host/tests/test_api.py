"""What plugins may import, and what importing it costs."""

import ast
import subprocess
import sys
from pathlib import Path

import vouched
from vouched import api


def test_the_public_names_are_sorted_and_complete() -> None:
    tree = ast.parse(Path(api.__file__).read_text("utf-8"))
    imported = {a.asname or a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert api.__all__ == sorted(imported)
    assert all(hasattr(api, name) for name in api.__all__)


def test_public_names_have_docstrings() -> None:
    undocumented = [
        name
        for name in api.__all__
        if isinstance(getattr(api, name), type) and not (getattr(api, name).__doc__ or "").strip()
    ]
    assert undocumented == []


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib import metadata

    assert vouched.__version__ == metadata.version("vouched")


def test_nothing_heavy_is_imported_by_the_host() -> None:
    """After `Host()`, with every installed plugin, neither mcp, httpx nor lxml is there."""
    heavy = ("mcp", "mcp_types", "httpx", "lxml", "stamina", "pydantic", "sqlite3")
    code = (
        "import sys, vouched.host as h; from vouched.configuration import load; h.Host(load({}));"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
