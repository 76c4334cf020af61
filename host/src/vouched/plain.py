"""What a tool gives -> plain JSON data: no control characters, no keys, no numbers that JSON has no word for."""

import math
from typing import Any

import msgspec

from vouched.services.redact import Redactor
from vouched.settings import Settings
from vouched.text import clean

__all__ = ["data_redactor", "plain", "struck", "wording_redactor"]


def plain(value: Any) -> Any:
    """`value` as dicts with text keys, lists, texts, finite numbers, booleans and None."""
    return _cleaned(msgspec.to_builtins(value, str_keys=True))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(part) for key, part in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def data_redactor(settings: Settings) -> Redactor:
    """Strikes keys, and neither words nor e-mail addresses: an affiliation may rightly hold the reader's own."""
    return Redactor(settings, declared=(), addresses=False)


def wording_redactor(settings: Settings) -> Redactor:
    """Strikes keys and e-mail addresses of the user, for what the user asked: it is kept, and goes where answers go."""
    return Redactor(settings, declared=())


def struck(value: Any, redactor: Redactor) -> Any:
    """Plain data without what `redactor` strikes."""
    if isinstance(value, str):
        return redactor.strike(value)
    if isinstance(value, list):
        return [struck(part, redactor) for part in value]
    if isinstance(value, dict):
        return {key: struck(part, redactor) for key, part in value.items()}
    return value
