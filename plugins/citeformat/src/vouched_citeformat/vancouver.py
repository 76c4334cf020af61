"""Vancouver, as the ICMJE Recommendations sample it: NLM with six authors, short page ranges, no Epub date, no PMID.

Source: ICMJE, Samples of Formatted References. Retraction and erratum notes stay (sample 7 and 8 there).
"""

from vouched.api import Article

from vouched_citeformat.markup import Markup, finish
from vouched_citeformat.nlm import build

__all__ = ["render"]

AUTHORS = 6


def render(article: Article, markup: Markup) -> str:
    """One reference in Vancouver form: six authors, then `et al.` from seven on."""
    return finish(build(article, limit=AUTHORS, short_pages=True, second_date=False, ids=False), markup)
