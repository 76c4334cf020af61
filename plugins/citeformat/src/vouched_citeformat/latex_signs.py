"""What each sign is in LaTeX. Greek as `$\\beta$`; capitals that look Latin are Latin, since TeX has no others."""

from vouched_citeformat.markup import B0, B1, I0, I1, SUB0, SUB1, SUP0, SUP1, U0, U1

__all__ = ["ACCENTS", "latex_table"]

# TeX's own characters.
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}",
}  # fmt: skip
# Greek.
_GREEK = {
    "\u03b1": r"$\alpha$", "\u03b2": r"$\beta$", "\u03b3": r"$\gamma$", "\u03b4": r"$\delta$",
    "\u03b5": r"$\epsilon$", "\u03b6": r"$\zeta$", "\u03b7": r"$\eta$", "\u03b8": r"$\theta$", "\u03b9": r"$\iota$",
    "\u03ba": r"$\kappa$", "\u03bb": r"$\lambda$", "\u03bc": r"$\mu$", "\u03bd": r"$\nu$", "\u03be": r"$\xi$",
    "\u03bf": r"o", "\u03c0": r"$\pi$", "\u03c1": r"$\rho$", "\u03c2": r"$\varsigma$", "\u03c3": r"$\sigma$",
    "\u03c4": r"$\tau$", "\u03c5": r"$\upsilon$", "\u03c6": r"$\phi$", "\u03c7": r"$\chi$", "\u03c8": r"$\psi$",
    "\u03c9": r"$\omega$", "\u0391": r"A", "\u0392": r"B", "\u0393": r"$\Gamma$", "\u0394": r"$\Delta$",
    "\u0395": r"E", "\u0396": r"Z", "\u0397": r"H", "\u0398": r"$\Theta$", "\u0399": r"I", "\u039a": r"K",
    "\u039b": r"$\Lambda$", "\u039c": r"M", "\u039d": r"N", "\u039e": r"$\Xi$", "\u039f": r"O", "\u03a0": r"$\Pi$",
    "\u03a1": r"P", "\u03a3": r"$\Sigma$", "\u03a4": r"T", "\u03a5": r"$\Upsilon$", "\u03a6": r"$\Phi$",
    "\u03a7": r"X", "\u03a8": r"$\Psi$", "\u03a9": r"$\Omega$",
}  # fmt: skip
# Signs of mathematics.
_MATHS = {
    "\u2217": r"$\ast$", "\u237a": r"$\alpha$", "\u2213": r"$\mp$", "\u2225": r"$\parallel$", "\u22a5": r"$\perp$",
    "\u27e8": r"$\langle$", "\u27e9": r"$\rangle$", "\u2102": r"C", "\u2115": r"N", "\u211d": r"R", "\u2124": r"Z",
    "\u2264": r"$\leq$", "\u2265": r"$\geq$", "\u2260": r"$\neq$", "\u2248": r"$\approx$", "\u221e": r"$\infty$",
    "\u2212": r"$-$", "\u223c": r"$\sim$", "\u2192": r"$\rightarrow$", "\u2190": r"$\leftarrow$",
    "\u2194": r"$\leftrightarrow$", "\u2191": r"$\uparrow$", "\u2193": r"$\downarrow$", "\u2206": r"$\Delta$",
    "\u2207": r"$\nabla$", "\u2202": r"$\partial$", "\u2211": r"$\sum$", "\u221a": r"$\surd$", "\u2208": r"$\in$",
    "\u2209": r"$\notin$", "\u222b": r"$\int$", "\u2227": r"$\wedge$", "\u2228": r"$\vee$", "\u2229": r"$\cap$",
    "\u222a": r"$\cup$", "\u2261": r"$\equiv$", "\u226a": r"$\ll$", "\u226b": r"$\gg$", "\u2032": r"$^{\prime}$",
    "\u2033": r"$^{\prime\prime}$", "\u22c5": r"$\cdot$", "\u2219": r"$\cdot$", "\u2218": r"$\circ$",
    "\u2297": r"$\otimes$", "\u2295": r"$\oplus$", "\u2245": r"$\cong$", "\u2243": r"$\simeq$",
    "\u221d": r"$\propto$", "\u2282": r"$\subset$", "\u2286": r"$\subseteq$", "\u21d2": r"$\Rightarrow$",
    "\u21cc": r"$\rightleftharpoons$", "\u2113": r"$\ell$", "\u2215": r"$/$", "\u03d5": r"$\phi$",
    "\u03d1": r"$\vartheta$", "\u03f5": r"$\epsilon$", "\u25cf": r"$\bullet$", "\u2a7d": r"$\leq$",
    "\u2a7e": r"$\geq$", "\u2223": r"$\mid$", "\u2020": r"$\dagger$", "\u2605": r"$\star$",
}  # fmt: skip
# Spaces, hyphens and letters that the kernel does not define.
_TEXT = {
    "\u2010": r"-", "\u2011": r"-", "\u2009": r" ", "\u2002": r" ", "\u2003": r" ", "\u202f": r" ", "\u200a": r" ",
    "\u2015": r"---", "\u0131": r"{\i}", "\u1e9e": r"SS", "\u01c5": r"Dz", "\u02bc": r"'", "\u02b9": r"'",
    "\u2044": r"/", "\ufb01": r"fi", "\ufb02": r"fl",
}  # fmt: skip
# Combining accent -> TeX's accent command.
ACCENTS = {
    "\u0300": r"`", "\u0301": r"'", "\u0302": r"^", "\u0303": r"~", "\u0304": r"=", "\u0306": r"u", "\u0307": r".",
    "\u0308": r'"', "\u030a": r"r", "\u030b": r"H", "\u030c": r"v", "\u0323": r"d", "\u0327": r"c", "\u0328": r"k",
    "\u0331": r"b", "\u0326": r"c",
}  # fmt: skip
_SUBSCRIPTS = {chr(0x2080 + n): str(n) for n in range(10)} | {"\u208a": "+", "\u208b": "-"}
_SUPERSCRIPTS = {chr(0x2070 + n): str(n) for n in (0, 4, 5, 6, 7, 8, 9)} | {"\u207a": "+", "\u207b": "-", "\u207f": "n"}
_MARKS = {
    I0: r"\textit{", B0: r"\textbf{", SUB0: r"\textsubscript{", SUP0: r"\textsuperscript{",
    I1: "}", B1: "}", SUB1: "}", SUP1: "}", U0: "", U1: "",
}  # fmt: skip


def latex_table() -> dict[int, str]:
    """A table for `str.translate`: code point -> LaTeX."""
    table = _SPECIAL | _GREEK | _MATHS | _TEXT | _MARKS
    table |= {char: rf"\textsubscript{{{digit}}}" for char, digit in _SUBSCRIPTS.items()}
    table |= {char: rf"\textsuperscript{{{digit}}}" for char, digit in _SUPERSCRIPTS.items()}
    return {ord(char): value for char, value in table.items()}
