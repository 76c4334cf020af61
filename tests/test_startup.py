"""What a server loads before it can say what it offers: the work of a tool comes with its first call."""

import json
import subprocess
import sys

import pytest

# 74 when this was written: 37 of the host, and of each plugin the module of every tool (name, arguments, description,
# answer) and its tables of sources, resources and prompts. Each module costs up to a millisecond, and a reader of
# records or a table of patterns several. A new tool may add one or two.
MOST_MODULES = 80
# Needed by calls alone; together they cost as much as everything that is loaded.
LATE = ("asyncio", "ssl", "difflib", "statistics", "sqlite3", "lxml", "httpx", "mcp", "stamina", "pydantic")
CODE = f"""
import json, sys
from vouched.host import Host
from vouched.configuration import load
host = Host(load({{}}))
assert [report.name for report in host.reports if report.status != "loaded"] == []
listed = [(bound.name, bound.tool.description) for bound in host.registry.listed(host.settings)]
ours = sorted(name for name in sys.modules if name.split("_")[0].split(".")[0] == "vouched")
print(json.dumps({{"tools": len(listed), "ours": ours, "late": [name for name in {LATE!r} if name in sys.modules]}}))
"""


@pytest.mark.smoke
def test_listing_the_tools_loads_none_of_their_work() -> None:
    """With every plugin that ships; in a process of its own, since this one has loaded much already."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["tools"] == 20
    assert found["late"] == []
    assert [name for name in found["ours"] if name.endswith("_work")] == []
    assert len(found["ours"]) <= MOST_MODULES, found["ours"]
