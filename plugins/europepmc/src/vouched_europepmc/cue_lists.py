"""Words that negate or hedge a statement: data.

Negations, false negations and words that end a scope are those of NegEx (Chapman et al., J Biomed Inform 2001;34:301),
with the phrases that research prose adds to clinical notes; hedges follow the speculation cues of the BioScope corpus
(Vincze et al., BMC Bioinformatics 2008;9 Suppl 11:S9). `~` stands for an adverb that may come in between.

Deviations: NegEx asks whether a finding is there, this whether a statement is affirmed: "no increase", "no change"
and "not cause" negate, "might not" negates and hedges; "versus", "declined", "free", "evaluate for", "ro", "still",
"involving", "cause of" and its like do not count, since in research prose they compare, measure, ask, name and specify.
"""

from collections.abc import Sequence
from typing import Literal

from vouched_europepmc.evidence_rows import Kind

__all__ = ["CUES", "ENDS", "INNER", "PHRASAL", "Direction"]

# Where the words lie that a cue speaks of: after it, before it, or on both sides; never beyond its clause.
Direction = Literal["forward", "backward", "both"]

_DO, _BE, _HAVE = "do does did", "is are was were be been", "has have had"
_CAN = "can could would should will must need"


def _denied(words: str) -> list[str]:
    return [f"{word}{end}" for word in words.split() for end in (" not yet", " not", "n't")]


# A verb that is denied speaks of subject and object ("an effect of X on Y was not found").
_VERBS: Sequence[str] = [
    *_denied(_DO), *_denied(_BE), *_denied(_HAVE), *_denied(_CAN),
    "cannot", "can't", "won't", "never", "failed to", "fails to", "fail to", "was unable to", "were unable to",
    "is unable to", "are unable to", "no longer", "hardly", "nonsignificant", "non-significant", "nonsignificantly",
    "not significant", "not significantly", "not statistically significant", "unlikely", "may not", "might not",
    "by no means", "in no way", "in no case", "in none of", "at no time", "under no circumstances",
]  # fmt: skip
_FORWARD: Sequence[str] = [
    "no", "not", "not yet", "none", "neither", "nor", "without", "absence of", "lack of", "lacks", "lacked", "lacking",
    "denied", "denies", "denying", "symptoms atypical", "negative for", "free of", "no sign of", "no signs of",
    "no evidence of",
    "no evidence for", "no evidence that", "fails to reveal", "rules out", "rule out", "ruled out", "rather than",
    "instead of", "failure to", "inability to", "unable to", "doubt", "r/o",
    *(f"{verb} {whom} out" for verb in ("rule", "ruled", "rules") for whom in ("him", "her", "patient", "the patient")),
]  # fmt: skip
_BACKWARD: Sequence[str] = [
    "was ruled out", "were ruled out", "has been ruled out", "have been ruled out", "was absent", "were absent",
    "is absent", "are absent", "was lacking", "were lacking", "is lacking", "are lacking", "was negative",
    "were negative", "tested negative", "was denied", "were denied",
]  # fmt: skip

# Look like cues and are none.
_FALSE: Sequence[str] = [
    "not only", "not just", "not merely", "not simply", "not solely", "not exclusively", "no further", "not able to be",
    "without any further", "without further", "without difficulty", "gram negative", "gram-negative", "no doubt",
    "without doubt", "without a doubt", "not to mention", "not least", "no less than", "no more than", "no fewer than",
    "not more than", "not less than", "no matter", "more likely", "less likely", "as likely", "likely to",
    "action potential", "action potentials", "membrane potential", "membrane potentials", "resting potential",
    "evoked potential", "evoked potentials", "redox potential", "zeta potential", "water potential",
]  # fmt: skip
# A negation of a negation: the statement stands.
_DOUBLE: Sequence[str] = [
    "not uncommon", "not uncommonly", "not unusual", "not infrequent", "not infrequently", "not insignificant",
    "not inconsiderable", "not negligible", "not without", "never without", "not absent", "not unaffected",
    "not devoid of", "not free of", "not lacking", "no lack of", "no absence of", "did not fail to", "does not fail to",
    "do not fail to", "never failed to", "not unlike", "not dissimilar", "not independent of", "not inconsistent with",
    "not unrelated to", "not unexpected", "not impossible",
]  # fmt: skip
# "Cannot be excluded" leaves open what it seems to deny.
_OPEN: Sequence[str] = [
    f"{verb} ~ {end}"
    for verb in (
        "cannot be", "cannot", "can not be", "can not", "can't be", "could not be", "could not", "couldn't be",
        "may not be", "should not be", "has not been", "have not been", "not been", "was not", "were not", "is not",
        "are not", "did not", "does not", "do not", "not",
    )
    for end in ("excluded", "exclude", "ruled out", "rule out", "discounted", "discount", "dismissed")
]  # fmt: skip
# "It is not known if …" asks; it denies nothing. A verb before "not" counts to it.
_UNSETTLED: Sequence[str] = [
    *(f"{denial} {state}" for denial in ("not", "not yet") for state in ("certain", "known", "clear", "established")),
    "unknown", "uncertain", "undetermined",
]  # fmt: skip
_HEDGES_BOTH: Sequence[str] = [
    "may", "might", "could", "may not", "might not", "possibly", "probably", "presumably", "perhaps", "conceivably",
    "potentially", "apparently", "seemingly", "seems", "seem", "seemed", "appears", "appear", "appeared", "likely",
    "unlikely", "not necessarily", "is thought to", "are thought to", "was thought to", "is believed to",
    "are believed to", "was believed to", "is assumed to", "are assumed to", "unclear whether",
    "unclear if", "whether",
    *(f"{state} {word}" for state in _UNSETTLED for word in ("if", "whether")),
]  # fmt: skip
_HEDGES_FORWARD: Sequence[str] = [
    "suggest", "suggests", "suggested", "suggesting", "suggestive of", "hypothesize", "hypothesise", "hypothesized",
    "hypothesised", "hypothesis that", "hypothesis of", "hypotheses that", "speculate", "speculated", "speculation",
    "postulate", "postulated", "propose that", "proposed that", "presume", "presumed", "assume that", "assumed that",
    "putative", "possible", "probable", "potential", "possibility", "probability that", "implies that", "imply that",
    "implying", "raises the question", "remains to be", "remain to be", "to be determined", "tend to", "tends to",
    "tended to", "indicative of", "theoretically",
]  # fmt: skip
_HEDGES_BACKWARD: Sequence[str] = [
    "is unclear", "are unclear", "was unclear", "remains unclear", "remain unclear", "is unknown", "are unknown",
    "remains unknown", "remain unknown", "is possible", "are possible", "is probable", "is uncertain", "are uncertain",
    "remains uncertain", "remain uncertain", "remains controversial", "is controversial", "is debated",
    "remains elusive", "remains to be determined", "remains to be shown", "remains to be established",
    "remain to be determined", "is suspected", "was suspected", "is plausible", "is speculative", "remains speculative",
]  # fmt: skip

# A longer phrase is taken before a shorter one that it holds; one phrase may be of two kinds.
CUES: Sequence[tuple[str, Kind, Direction]] = [
    *((phrase, "negation", "both") for phrase in _VERBS),
    *((phrase, "negation", "forward") for phrase in _FORWARD),
    *((phrase, "negation", "backward") for phrase in _BACKWARD),
    *((phrase, "none", "forward") for phrase in _FALSE),
    *((phrase, "double_negation", "both") for phrase in _DOUBLE),
    *((phrase, "hedge", "both") for phrase in (*_OPEN, *_HEDGES_BOTH)),
    *((phrase, "hedge", "forward") for phrase in _HEDGES_FORWARD),
    *((phrase, "hedge", "backward") for phrase in _HEDGES_BACKWARD),
]
# Prepositions: what they deny ends at the next comma ("Without fictol, episodes were longer").
PHRASAL = frozenset({"without", "absence of", "lack of", "free of", "rather than", "instead of"})
# Inside the scope of another negation these turn it round ("no patient without fictol had glimmer syndrome").
INNER = frozenset({"without", "absence of", "lack of", "lacked", "lacks", "lacking", "free of", "failed to", "fail to"})
# Where a clause, and with it every scope, ends.
ENDS: Sequence[str] = [
    "although", "apart from", "aside from", "as there are", "but", "except", "however", "nevertheless", "nonetheless",
    "though", "whereas", "while", "despite", "in spite of", "because", "secondary to", "in contrast to",
    "in contrast with", "unlike", "as opposed to", "which", "yet",
]  # fmt: skip
