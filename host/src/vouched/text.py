"""Other people's text, made safe to carry: control characters out, markup flattened, case and accents folded."""

import html
import re
import unicodedata

__all__ = ["clean", "flatten_html", "fold"]

# C0 and C1 controls but tab and newline; zero-width and bidirectional controls can hide or reorder what people read.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
# A known inline or block tag only: `<70 … >70` and `p < 0.001` are text.
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|sc|small|span|br|p|div|h[1-6]|ul|ol|li|a|italic|bold|title|sec|abstract)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"</?(?:br|p|div|h[1-6]|ul|ol|li|sec|title)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """Without control, zero-width and bidirectional characters; carriage returns become newlines."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def flatten_html(text: str) -> str:
    """Plain one-line text of a string that may hold inline HTML and entities, decoded once per layer present.

    Known tags go, `<` and `>` that are text stay.
    """
    if "&" in text:
        decoded = html.unescape(text)
        # A second layer is decoded only where it is clearly one: an entity or an escaped known tag is left over.
        text = (
            html.unescape(decoded)
            if re.search(r"&(?:amp|lt|gt|quot|#\d+|#x[0-9a-f]+);", decoded, re.IGNORECASE)
            else decoded
        )
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", text))
    return _SPACE.sub(" ", clean(text)).strip()


def fold(text: str) -> str:
    """For comparing: case folded, accents and punctuation dropped, `ß` as ss, `ø` as o, white space collapsed."""
    text = text.translate(_LETTERS)
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))
    return _SPACE.sub(" ", kept).strip()


_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "ı": "i"}
)
