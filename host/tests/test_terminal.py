"""What a person sees: Markdown in a pipe, bold and dim in a terminal, and nothing else that acts on it."""

import sys

import pytest
from vouched import terminal

ANSWER = """**ok** · 1 of 2

## rows (1)

1. A title with `**stars** and _marks_`
  - **text:**
    ````text
    **data** stays, # too
    ```
    _this too_
    ````
  - **note:** a `` code ` span ``

_Provenance: made · run `abc`_
"""


def test_in_a_pipe_the_text_is_as_it_is() -> None:
    assert terminal.shown(ANSWER) == ANSWER


def test_in_a_terminal_marks_become_bold_and_dim_and_data_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    bold, dim, plain = "\x1b[1m", "\x1b[2m", "\x1b[0m"
    assert terminal.shown(ANSWER).splitlines() == [
        f"{bold}ok{plain} · 1 of 2",
        "",
        f"{bold}rows (1){plain}",
        "",
        "1. A title with **stars** and _marks_",
        f"  - {bold}text:{plain}",
        "    **data** stays, # too",
        "    ```",
        "    _this too_",
        f"  - {bold}note:{plain} a code ` span",
        "",
        f"{dim}Provenance: made · run abc{plain}",
    ]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colour_gets_none(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv(name, value)
    assert terminal.shown(ANSWER) == ANSWER


def test_columns_wrap_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = terminal.columns("name", "word " * 30, 8).splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 60 for line in lines)
    assert lines[0].startswith("name      word")
    assert all(line.startswith(" " * 10 + "word") for line in lines[1:])
    assert terminal.columns("name", "", 8) == "name\n"
