"""What comes with the plugin's import, and what its hooks give."""

import subprocess
import sys

import pytest
import vouched_citeformat

HEAVY = ("lxml", "citeproc", "rispy", "bibtexparser", "pylatexenc", "httpx", "mcp")
CODE = """
import sys
import vouched.api
import vouched_citeformat
assert not any(name.startswith("vouched_citeformat.") for name in sys.modules)
list(vouched_citeformat.styles()), list(vouched_citeformat.tools())
print(*sys.modules)
"""


@pytest.mark.smoke
def test_importing_the_plugin_and_asking_its_hooks_pulls_in_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    modules = {name.partition(".")[0] for name in done.stdout.split()}
    assert modules.isdisjoint(HEAVY)


def test_the_hooks_give_every_style_and_both_tools() -> None:
    assert [style.name for style in vouched_citeformat.styles()] == [
        "apa",
        "mla",
        "vancouver",
        "nlm",
        "ama",
        "bibtex",
        "biblatex",
        "ris",
        "nbib",
        "csl-json",
        "endnote-xml",
        "csv",
    ]
    assert [tool.name for tool in vouched_citeformat.tools()] == ["format_citations", "parse_bibliography"]
