"""The documentation names every hook, every public name, every error code and every setting."""

import inspect
from pathlib import Path

from vouched import api, hookspecs
from vouched.faults import CODES
from vouched.settings import Limits, SessionSettings

DOCS = Path(__file__).parents[1] / "docs"


def words(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def test_every_hook_is_documented_with_its_arguments() -> None:
    text = words("plugins.md")
    for name in (*hookspecs.CONTRIBUTIONS, *hookspecs.PROVIDERS):
        arguments = ", ".join(inspect.signature(hookspecs.specification(name)).parameters)
        assert f"`{name}({arguments})`" in text


def test_every_public_name_is_documented() -> None:
    text = words("plugins.md")
    assert [name for name in api.__all__ if f"`{name}" not in text and f"{name}(" not in text] == []


def test_every_error_code_is_documented() -> None:
    assert [code for code in CODES if f"`{code}`" not in words("answers.md")] == []


def test_every_limit_is_documented() -> None:
    text = words("configuration.md")
    shown = {
        "deadline",
        "request_timeout",
        "answer_chars",
        "body_bytes",
        "cache_bytes",
        "queue_depth",
        "retry_after_max",
    }
    assert shown <= set(Limits.__struct_fields__)
    assert all(name in text for name in (*shown, *SessionSettings.__struct_fields__))


def test_the_example_plugin_is_the_one_that_new_writes() -> None:
    from vouched.cli_start import MODULE

    assert MODULE in words("plugins.md")
