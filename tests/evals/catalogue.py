"""The categories, in the order of the report."""

from collections.abc import Sequence

from tests.evals import cues, licences, protocol, quotations, reference, snippets, standing
from tests.evals.case import Category

__all__ = ["CATEGORIES"]

CATEGORIES: Sequence[Category] = (
    Category("retrieval", "PubMedQA", reference.retrieval, 0),
    Category("grounding", "PubMedQA", reference.grounding, 7),
    Category("refusal", "Retraction Watch", reference.refusal, 5),
    Category("licences of texts", "permissions of JATS files, read by eye", licences.texts, 31),
    Category("full text goes out", "what the invented papers were given", licences.papers, 20),
    Category("standing", "links and types of records, listed by hand", standing.standing, 22),
    Category("negex cues", "NegEx's published lists", cues.negex_cues, 56, cues.prepare),
    Category("negex false cues", "NegEx's published lists", cues.negex_false, 13),
    Category("negex scope ends", "NegEx's published lists", cues.negex_ends, 12),
    Category("negation traps", "grammar", cues.traps, 50),
    Category("hedges", "grammar; BioScope's cues", cues.hedges, 30),
    Category("quotations", "known alterations of corpus sentences", quotations.quotations, 200),
    Category("glued snippets", "recorded annotations", snippets.glued, 118),
    Category("anchored snippets", "recorded annotations of two abstracts", snippets.anchored, 16),
    Category("placed snippets", "offsets they were cut from", snippets.placed, 200, snippets.prepare),
    Category("cursors", "the lists that the services hold", protocol.cursors, 21),
    Category("ids", "the ids that corpus records carry", protocol.ids, 33),
    Category("faults", "recorded and documented errors", protocol.faults, 21),
)
