"""A prompt that takes a question to a documented systematic search."""

from collections.abc import Mapping, Sequence

from vouched.api import Argument, Message, Prompt

__all__ = ["SYSTEMATIC_SEARCH"]

STEPS = """Plan and run a systematic PubMed search.

Question: {question}
{limits}{known}
Work in these steps and show each result before the next:
1. Split the question into concepts (population, intervention or exposure, comparison, outcome) and say which of them
the search needs; few searches need all four.
2. For each concept look up its MeSH heading with pubmed_lookup_mesh, read scope note and tree, and collect entry terms
and free-text synonyms.
3. Write a numbered strategy: a line of headings (`heading[mh]`) and a line of words (`word*[tiab]`) for each concept,
a line that joins both by OR, and a last line that joins the concepts by AND.
4. Run pubmed_test_strategy{with_known}. Look at every `ignored` word, every hint and every known paper that is missed;
correct the line that misses it and test again.
5. Run the final query with pubmed_search_articles and complete=true; report the total, the counts before and after,
and anything incomplete.
6. Give the record of the search: the resource `vouched://run/RUN_ID/prisma` has query, translation, counts and date.
Say plainly what was not searched (other databases, trial registers) and what PubMed ignored. Do not judge a paper by
its title; retracted records are marked in `status`."""


def _render(values: Mapping[str, str]) -> Sequence[Message]:
    limits, known = values.get("limits", "").strip(), values.get("known", "").strip()
    text = STEPS.format(
        question=values["question"].strip(),
        limits=f"Limits: {limits}\n" if limits else "",
        known=f"Papers it must find: {known}\n" if known else "",
        with_known=f" with known = {known}" if known else "",
    )
    return [Message("user", text)]


SYSTEMATIC_SEARCH = Prompt(
    "systematic_search",
    "From a research question to a tested, documented PubMed search.",
    _render,
    (
        Argument("question", "the research question, in a sentence", required=True),
        Argument("limits", "years, languages, study types"),
        Argument("known", "PMIDs that the search must find"),
    ),
)
