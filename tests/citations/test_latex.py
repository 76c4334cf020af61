"""The gold bibliography through BibTeX and pdfLaTeX: accents in UTF-8, Greek and mathematics as commands, no error.

Only Chinese, Japanese and Korean names are left out: pdfLaTeX has no font for them.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from vouched.api import Article
from vouched_citeformat import bibtex
from vouched_citeformat.names import cjk

from tests.citations.records import corpus, gold_articles

pytestmark = pytest.mark.slow

DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\begin{document}
\nocite{*}
\bibliographystyle{%s}
\bibliography{all}
\end{document}
"""
# Scripts that pdfLaTeX has no font for without further packages.
_OTHER_SCRIPTS = re.compile("[\u0400-\u052f\u0590-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def compiled(articles: Sequence[Article], folder: Path, style: str) -> tuple[list[str], str]:
    """(errors of pdfLaTeX and BibTeX, the bibliography as BibTeX set it)."""
    if shutil.which("pdflatex") is None or shutil.which("bibtex") is None:
        pytest.skip("pdflatex is not installed (Debian package texlive-latex-base)")
    (folder / "all.bib").write_text("\n".join(bibtex.render(article, "text") for article in articles), "utf-8")
    (folder / "main.tex").write_text(DOCUMENT % style, "utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "main.tex"]
    errors: list[str] = []
    for command in (latex, ["bibtex", "main"], latex):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
        said = done.stdout.decode("utf-8", "replace").splitlines()
        errors += [line for line in said if line.startswith(("!", "I found no", "I was expecting", "Repeated entry"))]
    assert (folder / "main.pdf").exists()
    return errors, (folder / "main.bbl").read_text("utf-8")


@pytest.mark.parametrize("style", ["plain", "alpha"])
def test_the_gold_bibliography_compiles(tmp_path: Path, style: str) -> None:
    articles = [article for article in gold_articles() if not any(cjk(author) for author in article.authors)]
    if not articles:
        pytest.skip("the gold set is not here (VOUCHED_SHARED)")
    errors, bibliography = compiled(articles, tmp_path, style)
    assert errors == []
    assert bibliography.count("\\bibitem") == len(articles)
    for kept in ("TERT", "Klebsiella", "CREB", "{GeneReviews®}"):
        assert kept in bibliography


def test_the_corpus_compiles(tmp_path: Path) -> None:
    articles = [article for article in corpus() if not _OTHER_SCRIPTS.search(bibtex.render(article, "text"))]
    errors, bibliography = compiled(articles, tmp_path, "plain")
    assert errors == []
    assert bibliography.count("\\bibitem") == len(articles)
    assert len(articles) > 0.95 * len(corpus())
