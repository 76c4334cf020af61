"""The words of a licence sentence: those that a plain grant is made of, and those that make it something else.

A grant is known by its own few words, in the languages that publishers print it in, and not by the absence of warning
words: a sentence that needs another word before it names a licence may speak of anything, and opens nothing. To let a
further phrasing open texts, add its words to `PLAIN`.
"""

__all__ = ["CUES", "FORBIDS", "HEDGES", "NAME_PARTS", "NEGATIONS", "PLAIN", "POINTING", "TAIL_HEDGES", "TAIL_PAID"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN = _words(
    # The thing and its kinds: this article.
    "this the a an it its our all each every these article articles work works paper document text publication content "
    "contents manuscript preprint pre print letter report review chapter book editorial commentary correction erratum "
    "corrigendum case study journal version here itself research now present original hybrid "
    # What was done with it.
    "is are was were has have been being made make makes available publish publishes published distributed licensed "
    "licenced released provided shared offered issued governed covered attributed accessible dedicated placed put lies "
    "waived prepared written employee employees appeared first originally used use uses reused reuse re copied copy "
    "redistributed redistribute distribute share adapt adapted downloaded download read accessed modify mine mined "
    "permitted allowed carries bears reproduction distribution incorporate therefore so freely free "
    # Under what.
    "under with by in into accordance according to of on behalf for through via at and as from that which terms term "
    "conditions condition licence license licensing creative commons attribution cc pd domain public dedication zero "
    "mark following international unported generic copyright copyrighted agreement model open oa access gold online "
    "electronic final full immediately worldwide publicly permanently purpose purposes c v "
    # Whose.
    "author authors author's authors' publisher owner holder holders licensee exclusive retain retains hold holds held "
    "retained reserved rights right grants grant granted agreed apply applied chosen choice reader readers user users "
    "anyone everyone you others extent law "
    # Where it can be read: "To view a copy of this licence, visit …".
    "view see visit please refer found html http https www deed be "
    # Spanish, Portuguese, Italian
    "este esta esto el la los las un una artículo articulo trabajo obra es está se ha sido publica publicado publicada "
    "todo contenido revista distribuye distribuido distribuida disponible licenciado licenciada bajo términos terminos "
    "condiciones licencia acceso abierto con por de del y en internacional artigo o os é um uma sob da do das dos "
    "licença termos condições acesso aberto distribuído distribuída disponível em questo articolo è distribuito "
    "distribuita pubblicato secondo termini della licenza aperto "
    # French, German
    "cet cette œuvre est libre accès publié publiée distribué distribuée diffusé mis mise disposition sous selon "
    "conformément aux modalités termes les des le il s'agit d'un à dieser dieses diese dies ein eine einer der die das "
    "den dem artikel beitrag werk arbeit ist wird steht unter lizenz lizenziert veröffentlicht verbreitet verfügbar "
    "zugang"
)
# Words that point at a licence: "More information: …".
POINTING = PLAIN | _words("information details detail more further")

# After these words a name may stand, of any words with a capital: "published by Invented Press", "© 2024 Ada Zandt".
# Where a set is given, one of its words has to stand before.
_DONE = _words(
    "published licensed licenced distributed released provided available issued owned held retained reserved granted "
    "written shared offered copyright"
)
CUES: dict[str, frozenset[str] | None] = {
    "©": None,
    "copyright": None,
    "licensee": None,
    "behalf": None,
    "journal": None,
    "by": _DONE,
    "in": _words("published appeared articles"),
    "of": _words("behalf journal publication"),
    "at": _words("available published access"),
}
NAME_PARTS = _words("a an and of the for on et al de la le du des van von der den da di dos del el bin y e und")

NEGATIONS = _words(
    "not no nor neither never none nothing nowhere without cannot hardly instead lacks excludes nicht kein keine "
    "keiner keinen keinem keines niemals ohne pas plus sans jamais não nao nem non ni sin nunca"
)
# Words that forbid a use which is named beside them.
FORBIDS = NEGATIONS | _words(
    "prohibited forbidden excluded excluding except requires require required permission permissions reserved contact"
)
# Words that make a grant a wish, a plan, a condition, a choice or a memory.
HEDGES = _words(
    "may can will shall would should could might must become becomes planned plan plans intend intends intended wish "
    "pending proposed requested request requests require requires required eventually soon later if when whenever once "
    "unless depending provided embargo embargoed month months year years week weeks day days until till after before "
    "effective since starting formerly previously erroneously incorrectly mistakenly wrongly error choose choosing opt "
    "option possible submitted either except"
)
# The same behind a licence, where "provided the work is cited" and "if changes were made" are plain.
TAIL_PAID = _words("fee fees paid pay payment charge member members subscription subscribers subscriber")
TAIL_HEDGES = HEDGES - _words("provided except if") | _words("upon on only or instead outside from as")
