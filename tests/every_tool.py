"""One call of every tool that asks a service, over the invented records."""

from typing import Any

__all__ = ["CALLS"]

CALLS: dict[str, dict[str, Any]] = {
    "citeformat_format_citations": {"ids": ["99900001", "PMC99900005"], "format": ["apa", "ris"], "as_file": True},
    "europepmc_build_evidence_table": {
        "claim": "fictol shortens glimmer",
        "ids": ["99900001"],
        "terms": {"subject": ["fictol"], "object": ["glimmer"]},
    },
    "europepmc_fetch_article": {"ids": ["99900001"], "include_full_text": True},
    "europepmc_get_annotations": {"ids": ["99900001"]},
    "europepmc_get_citation_network": {"ids": ["99900001"]},
    "europepmc_get_database_links": {"ids": ["99900001"]},
    "europepmc_search_literature": {"query": "glimmer"},
    "europepmc_verify_quotes": {"quotes": [{"id": "99900001", "text": "Fictol shortens glimmer episodes"}]},
    "icite_get_citation_metrics": {"ids": ["99900001"]},
    "pubmed_check_references": {"references": ["Quillfeather AJ. Fictol shortens glimmer. J Invent Res. 2023"]},
    "pubmed_check_spelling": {"query": "glimmer"},
    "pubmed_convert_ids": {"ids": ["99900001"]},
    "pubmed_fetch_articles": {"ids": ["99900001"]},
    "pubmed_find_related": {"ids": ["99900001"]},
    "pubmed_lookup_citation": {"citations": [{"journal": "J Invent Res", "year": "2023", "volume": "12"}]},
    "pubmed_lookup_mesh": {"query": "glimmer"},
    "pubmed_search_articles": {"query": "glimmer", "summaries": True},
    "pubmed_test_strategy": {"strategy": "1. glimmer\n2. fictol\n3. #1 AND #2"},
}  # fmt: skip
