"""When two texts count as equal after a trip through LaTeX, whose readers give some signs back in another form."""

import re
import unicodedata

__all__ = ["folded", "spaced"]

# TeX has one hyphen, one space, one apostrophe where Unicode has several.
_TEX = str.maketrans(
    "\u2010\u2011\u2009\u202f\u2212\u02bc\u2044\u2206\u03d5\u2a7d\u2a7e", "--  -'/\u0394\u03c6\u2264\u2265"
)
_ONE = (
    "\u03f5\u03d5\u03d1\u223c\u2032\u02b9\u22c5\u2219\u0394\u03a9\u00b5\u2019\u2018"
    "\u201c\u201d\u00b0\u2223\u204e\u237a\u2217"
)
_OTHER = "\u03b5\u03c6\u03b8~''\u00b7\u00b7\u2206\u03a9\u03bc''\"\"\u2218|*\u03b1*"
# Capitals that look Latin are Latin in TeX, and so is the omicron.
_GREEK, _LATIN = (
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03bf\u03a1\u03a4\u03a7",
    "ABEZHIKMNOoPTX",
)
_SIGNS = str.maketrans(_ONE + _GREEK, _OTHER + _LATIN)


def spaced(text: str) -> str:
    """As TeX sets it: plain hyphens and spaces, `--` a dash."""
    return " ".join(text.translate(_TEX).replace("--", "\u2013").split())


def folded(text: str) -> str:
    """Without white space, compatibility forms and signs of one look made one."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).translate(_SIGNS))
