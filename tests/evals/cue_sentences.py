"""Sentences on two invented things, fictol and glimmer syndrome, with what a reader says of their relation.

NEGEX_… hold NegEx's English clinical lists as published (Chapman et al. 2001; the form that negspacy carries).
TRAPS and HEDGES are judged by grammar: who is denied or doubted what.
"""

from collections.abc import Mapping, Sequence

__all__ = ["HEDGES", "NEGEX_CUES", "NEGEX_ENDS", "NEGEX_FALSE", "ON_PURPOSE", "TRAPS", "Sentence"]

# (sentence, labels that it must have, labels that it must not have)
Sentence = tuple[str, frozenset[str], frozenset[str]]
NEGATED, HEDGED = frozenset({"negated"}), frozenset({"hedged"})
NONE: frozenset[str] = frozenset()

PRECEDING = [
    "absence of",
    "denied",
    "denies",
    "denying",
    "no sign of",
    "no signs of",
    "not",
    "not demonstrate",
    "symptoms atypical",
    "doubt",
    "negative for",
    "no",
    "versus",
    "without",
    "doesn't",
    "don't",
    "didn't",
    "wasn't",
    "weren't",
    "isn't",
    "aren't",
    "cannot",
    "can't",
    "couldn't",
    "never",
    "declined",
    "patient was not",
    "without indication of",
    "without sign of",
    "without signs of",
    "without any reactions or signs of",
    "no complaints of",
    "no evidence of",
    "no cause of",
    "evaluate for",
    "fails to reveal",
    "free of",
    "never developed",
    "never had",
    "did not exhibit",
    "rules out",
    "rule out",
    "rule him out",
    "rule her out",
    "rule patient out",
    "rule the patient out",
    "ruled out",
    "ruled him out",
    "ruled her out",
    "ruled patient out",
    "ruled the patient out",
    "r/o",
    "ro",
]
FOLLOWING = [
    "declined",
    "unlikely",
    "was not",
    "were not",
    "wasn't",
    "weren't",
    "was ruled out",
    "were ruled out",
    "free",
]
PSEUDO = [
    "no further",
    "not able to be",
    "not certain if",
    "not certain whether",
    "not necessarily",
    "without any further",
    "without difficulty",
    "without further",
    "might not",
    "not only",
    "no increase",
    "no significant change",
    "no change",
    "no definite change",
    "not extend",
    "not cause",
    "gram negative",
    "not rule out",
    "not ruled out",
    "not been ruled out",
    "not drain",
    "no suspicious change",
    "no interval change",
    "no significant interval change",
]
ENDS = [
    "although",
    "apart from",
    "as there are",
    "aside from",
    "but",
    "except",
    "however",
    "involving",
    "nevertheless",
    "still",
    "though",
    "which",
    "yet",
    "cause for",
    "cause of",
    "causes for",
    "causes of",
    "etiology for",
    "etiology of",
    "origin for",
    "origin of",
    "origins for",
    "origins of",
    "other possibilities of",
    "reason for",
    "reason of",
    "reasons for",
    "reasons of",
    "secondary to",
    "source for",
    "source of",
    "sources for",
    "sources of",
    "trigger event for",
]


BEFORE, AFTER = "The patients on fictol {} glimmer syndrome.", "On fictol glimmer syndrome {}."
FALSELY, ENDED = (
    "The patients on fictol had {} glimmer syndrome.",
    "There was no lantern sign {} fictol and glimmer syndrome.",
)
NEGEX_CUES: Sequence[Sentence] = [
    *((BEFORE.format(cue), NEGATED, NONE) for cue in PRECEDING),
    *((AFTER.format(cue), NEGATED, NONE) for cue in FOLLOWING),
]
NEGEX_FALSE: Sequence[Sentence] = [(FALSELY.format(cue), NONE, NEGATED) for cue in PSEUDO]
NEGEX_ENDS: Sequence[Sentence] = [(ENDED.format(end), NONE, NEGATED) for end in ENDS]

# Where the plugin departs from NegEx's clinical lists: why, in which frame, for which phrases. The gold stays NegEx's.
DEPARTURES: Sequence[tuple[str, str, Sequence[str]]] = [
    ("'versus' compares two arms in research prose and denies neither", BEFORE, ("versus",)),
    ("'declined' is a fall that was measured, not a patient's refusal", BEFORE, ("declined",)),
    ("'declined' is a fall that was measured, not a patient's refusal", AFTER, ("declined",)),
    ("'evaluate for' asks a question, and a question denies nothing", BEFORE, ("evaluate for",)),
    ("'ro' without its stroke is the Ro antigen (anti-Ro), not 'rule out'", BEFORE, ("ro",)),
    ("'free' behind a noun is mostly an adjective of the next one ('free drug')", AFTER, ("free",)),
    (
        "'might not' doubts a denial: labelled negated and hedged, so that the polarity is not lost",
        FALSELY,
        ("might not",),
    ),
    (
        "no increase and no change are results in research prose: they deny an effect",
        FALSELY,
        tuple(cue for cue in PSEUDO if cue.startswith("no ") and cue.endswith(("increase", "change"))),
    ),
    (
        "a denied verb denies the relation ('did not cause', 'did not extend survival')",
        FALSELY,
        ("not extend", "not cause", "not drain"),
    ),
    (
        "'involving' and 'still' narrow or continue what is denied ('no trial involving X')",
        ENDED,
        ("involving", "still"),
    ),
    (
        "a denied cause, origin, reason or source is a denied relation ('is not a cause of X')",
        ENDED,
        tuple(end for end in ENDS if end.endswith((" for", " of"))),
    ),
]
ON_PURPOSE: Mapping[str, str] = {
    frame.format(phrase): reason for reason, frame, phrases in DEPARTURES for phrase in phrases
}

TRAPS: Sequence[Sentence] = [
    # Not only … but (also) affirms both.
    ("Fictol shortened glimmer syndrome not only in adults but also in children.", NONE, NEGATED),
    ("Not only fictol but also rest shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol was not only safe but also effective in glimmer syndrome.", NONE, NEGATED),
    ("Fictol not merely shortened but abolished glimmer syndrome.", NONE, NEGATED),
    # What cannot be excluded is left open.
    ("An effect of fictol on glimmer syndrome cannot be excluded.", HEDGED, NEGATED),
    ("We could not rule out an effect of fictol on glimmer syndrome.", HEDGED, NEGATED),
    ("That fictol worsens glimmer syndrome cannot be completely ruled out.", HEDGED, NEGATED),
    ("A role of fictol in glimmer syndrome has not been excluded.", HEDGED, NEGATED),
    # "But" and its like end the scope.
    ("Placebo did not help, but fictol shortened glimmer syndrome.", NONE, NEGATED),
    ("Fever was not lowered, but glimmer syndrome was shortened by fictol.", NONE, NEGATED),
    ("Although weight did not change, fictol shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol shortened glimmer syndrome, whereas placebo had no effect.", NONE, NEGATED),
    ("Fictol shortened glimmer syndrome; no deaths occurred.", NONE, NEGATED),
    ("No deaths occurred, and fictol shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol, which was not studied before, shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol (but not placebo) shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol rather than placebo shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol shortened glimmer syndrome without serious adverse events.", NONE, NEGATED),
    # What is left out, or denied of some people, is not denied of the rest.
    ("Fictol, but not rest, shortened glimmer syndrome.", NONE, NEGATED),
    ("Fictol shortened glimmer syndrome in patients who did not smoke.", NONE, NEGATED),
    ("No patients who took fictol had glimmer syndrome.", NEGATED, NONE),
    ("The effect of fictol on glimmer syndrome in patients who smoke was not significant.", NEGATED, NONE),
    ("Fictol was safe but not associated with glimmer syndrome.", NEGATED, NONE),
    # A question denies nothing.
    ("It is not known if fictol shortens glimmer syndrome.", HEDGED, NEGATED),
    ("It was not yet clear whether fictol shortens glimmer syndrome.", HEDGED, NEGATED),
    # A negation of a negation affirms.
    ("Glimmer syndrome was not uncommon on fictol.", NONE, NEGATED),
    ("No patient without fictol escaped glimmer syndrome.", NONE, NEGATED),
    ("Fictol did not fail to shorten glimmer syndrome.", NONE, NEGATED),
    ("Fictol was not without effect on glimmer syndrome.", NONE, NEGATED),
    ("It is not impossible that fictol shortens glimmer syndrome.", NONE, NEGATED),
    # Real negations, in the shapes that hide them.
    ("Fictol did not shorten glimmer syndrome.", NEGATED, NONE),
    ("Neither fictol nor rest shortened glimmer syndrome.", NEGATED, NONE),
    ("An effect of fictol on glimmer syndrome was not observed.", NEGATED, NONE),
    ("There was no evidence that fictol shortens glimmer syndrome.", NEGATED, NONE),
    ("Fictol failed to shorten glimmer syndrome.", NEGATED, NONE),
    ("Fictol has not yet been shown to shorten glimmer syndrome.", NEGATED, NONE),
    ("The effect of fictol on glimmer syndrome was not statistically significant.", NEGATED, NONE),
    ("Fictol lacks any effect on glimmer syndrome.", NEGATED, NONE),
    ("Rest, but not fictol, shortened glimmer syndrome.", NEGATED, NONE),
    ("Fictol did not change weight, sleep, or glimmer syndrome.", NEGATED, NONE),
    ("Placebo rather than fictol shortened glimmer syndrome.", NEGATED, NONE),
    ("Glimmer syndrome couldn\u2019t be shortened by fictol.", NEGATED, NONE),
    # Look like cues and are none.
    ("NO release by fictol shortened glimmer syndrome.", NONE, NEGATED),
    ("In trial no. 5, fictol shortened glimmer syndrome.", NONE, NEGATED),
    ("There is no doubt that fictol shortens glimmer syndrome.", NONE, NEGATED),
    ("Fictol shortened glimmer syndrome in no less than 40 patients.", NONE, NEGATED),
    ("Fictol is sold by a not-for-profit company and shortened glimmer syndrome.", NONE, NEGATED),
    ("Patients on fictol were more likely to leave glimmer syndrome behind.", NONE, HEDGED | NEGATED),
    ("Fictol changed the membrane potential in glimmer syndrome.", NONE, HEDGED | NEGATED),
    ("In May 2020 fictol shortened glimmer syndrome.", NONE, HEDGED | NEGATED),
]

HEDGES: Sequence[Sentence] = [
    (text, HEDGED, NONE)
    for text in (
        "Fictol may shorten glimmer syndrome.",
        "Fictol might shorten glimmer syndrome.",
        "Fictol could shorten glimmer syndrome.",
        "Fictol possibly shortens glimmer syndrome.",
        "Fictol probably shortens glimmer syndrome.",
        "These data suggest that fictol shortens glimmer syndrome.",
        "Our findings are suggestive of an effect of fictol on glimmer syndrome.",
        "We hypothesize that fictol shortens glimmer syndrome.",
        "Fictol appears to shorten glimmer syndrome.",
        "Fictol seems to shorten glimmer syndrome.",
        "Fictol is thought to shorten glimmer syndrome.",
        "Fictol is a potential treatment of glimmer syndrome.",
        "A putative effect of fictol on glimmer syndrome was seen.",
        "Whether fictol shortens glimmer syndrome was studied.",
        "It is unclear whether fictol shortens glimmer syndrome.",
        "The role of fictol in glimmer syndrome remains unknown.",
        "The effect of fictol on glimmer syndrome remains to be determined.",
        "An effect of fictol on glimmer syndrome is possible.",
        "An effect of fictol on glimmer syndrome is unlikely.",
        "It is likely that fictol shortens glimmer syndrome.",
        "Perhaps fictol shortens glimmer syndrome.",
        "The results imply that fictol shortens glimmer syndrome.",
        "This raises the question of fictol in glimmer syndrome.",
        "Fictol does not necessarily shorten glimmer syndrome.",
    )
] + [
    (text, NONE, HEDGED)
    for text in (
        "Fictol shortened glimmer syndrome.",
        "Fictol shortened glimmer syndrome, which suggests a new pathway.",
        "Rest may help, but fictol shortened glimmer syndrome.",
        "Fictol cured glimmer syndrome in 40 of 60 patients.",
        "Although others may disagree, fictol shortened glimmer syndrome.",
        "Fictol shortened glimmer syndrome; its mechanism is unknown.",
    )
]  # fmt: skip
