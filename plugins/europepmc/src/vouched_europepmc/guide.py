"""Prompts to start from."""

from collections.abc import Mapping, Sequence

from vouched.api import Argument, Message, Prompt

__all__ = ["PROMPTS"]


def _evidence(values: Mapping[str, str]) -> Sequence[Message]:
    subject, of, scope = values.get("subject", ""), values.get("object", ""), values.get("scope", "")
    text = f"""Gather evidence on how {subject!r} and {of!r} are related{f" ({scope})" if scope else ""}.

1. europepmc_search_literature: a query for both, with spellings and synonyms joined by OR; exclude nothing silently.
2. europepmc_build_evidence_table with ids `last`, and up to eight spellings for subject and object.
3. Read every row: labels say which cues were found and how far they reach; a row is a candidate, not support. Look
   at the status of each paper before using it, and name ids without candidates with their reasons.
4. Before you quote a sentence, check it with europepmc_verify_quotes and keep to what its licence allows.
Answer with the sentences for, against and undecided, each with id, section and status; say what was not searched."""
    return [Message("user", text)]


PROMPTS: Sequence[Prompt] = (
    Prompt(
        "evidence",
        "Evidence on how two things are related, sentence by sentence, with licence and retraction status.",
        _evidence,
        (
            Argument("subject", "What acts: a gene, drug, exposure …", required=True),
            Argument("object", "What is acted on: a disease, outcome …", required=True),
            Argument("scope", "Population, years or kind of study"),
        ),
    ),
)
