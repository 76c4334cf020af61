"""Data links of one record (Scholix): grouped by the scheme of their target."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from vouched.api import Context

from vouched_europepmc.envelope import known_shape, read_envelope
from vouched_europepmc.markup import plain

__all__ = ["HAND_OFF", "Target", "ask", "read_links"]

# Counts of attention are no data.
DROPPED = "altmetric"
# Scheme of the target, lower case -> the kind of server that knows it.
HAND_OFF: Mapping[str, str] = {
    "uniprot": "a protein server (UniProt accession)",
    "interpro": "a protein family server (InterPro)",
    "pfam": "a protein family server (Pfam)",
    "pdb": "a structure server (PDB id)",
    "emdb": "a structure server (EMDB id)",
    "alphafold": "a structure server (AlphaFold DB)",
    "chebi": "a compound server (ChEBI id)",
    "chembl": "a compound server (ChEMBL id)",
    "pubchem": "a compound server (PubChem id)",
    "drugbank": "a compound server (DrugBank id)",
    "ena": "a sequence server (ENA, GenBank, DDBJ)",
    "refseq": "a sequence server (RefSeq)",
    "ensembl": "a gene server (Ensembl)",
    "refsnp": "a variant server (dbSNP)",
    "geo": "an expression server (GEO)",
    "arrayexpress": "an expression server (ArrayExpress)",
    "nct": "a trial registry (ClinicalTrials.gov)",
    "omim": "a disease server (OMIM)",
    "doi": "the repository behind the DOI",
}


class Target(msgspec.Struct, frozen=True):
    """One link: what it points to, its category, how it was obtained (tm_accession is text mining) and how often."""

    scheme: str
    accession: str
    url: str
    title: str
    category: str
    obtained_by: str
    relation: str
    publisher: str
    frequency: int | None


async def ask(ctx: Context, key: tuple[str, str]) -> Sequence[Target] | None:
    """All links of a record, as few as none; None where the service has no such record (404)."""
    return await ctx.http("europepmc").get(
        "{}/{}/datalinks", *key, params={"format": "json"}, read=read_links, answers={404: None}
    )


def read_links(body: bytes) -> Sequence[Target] | None:
    """Read an answer. A record without links has no list at all, and since 2025 no count either."""
    found = read_envelope(body, "hitCount", "dataLinkList", "request")
    with known_shape("A link"):
        return _targets(found)


def _targets(found: Mapping[str, Any]) -> list[Target]:
    targets: list[Target] = []
    for category in (found.get("dataLinkList") or {}).get("Category") or []:
        name = plain(str(category.get("Name") or ""))
        if name.lower() == DROPPED:
            continue
        for section in category.get("Section") or []:
            for link in (section.get("Linklist") or {}).get("Link") or []:
                targets.append(_target(link, name, str(section.get("ObtainedBy") or "")))
    return targets


def _target(link: Mapping[str, Any], category: str, obtained_by: str) -> Target:
    target = link.get("Target") or {}
    identifier = target.get("Identifier") or {}
    frequency = link.get("Frequency")
    return Target(
        scheme=str(identifier.get("IDScheme") or "other"),
        accession=str(identifier.get("ID") or ""),
        url=str(identifier.get("IDURL") or ""),
        title=plain(str(target.get("Title") or "")),
        category=category,
        obtained_by=str(link.get("ObtainedBy") or obtained_by),
        relation=str((link.get("RelationshipType") or {}).get("Name") or ""),
        publisher=plain(str((target.get("Publisher") or {}).get("Name") or "")),
        frequency=frequency if isinstance(frequency, int) else None,
    )
