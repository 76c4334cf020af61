"""The services of NCBI that this plugin asks."""

from collections.abc import Sequence

from vouched.api import Post, Source

__all__ = ["EUTILS", "IDCONV", "NOTICE", "SOURCES"]

# Who is to be named as the source of what is kept or passed on.
NOTICE = "PubMed, U.S. National Library of Medicine"

# Rates: NCBI allows 3 requests a second without an API key and 10 with one (E-utilities help, chapter 2).
EUTILS = Source(
    "eutils",
    "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/",
    rate=3,
    keyed_rate=10,
    key_env="NCBI_API_KEY",
    key_param="api_key",
    contact={"tool": "tool", "email": "email"},
    # A GET fails with 414 somewhere above 16,000 characters; a form takes any size.
    post=Post(over=1500),
    ttl=900,
    terms="https://www.ncbi.nlm.nih.gov/home/about/policies/",
    title="PubMed (NCBI E-utilities)",
)
IDCONV = Source(
    "idconv",
    "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/",
    rate=3,
    contact={"tool": "tool", "email": "email"},
    ttl=86_400,
    terms="https://pmc.ncbi.nlm.nih.gov/tools/id-converter-api/",
    title="PMC ID Converter",
)
SOURCES: Sequence[Source] = (EUTILS, IDCONV)
