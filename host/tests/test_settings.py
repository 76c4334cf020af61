"""Settings come from the environment and one file; what is not understood is refused at start, by name."""

from pathlib import Path

import pytest
from vouched.faults import InvalidArgument
from vouched.settings import load, truth


@pytest.mark.parametrize("word", ["false", "0", "no", "off", "FALSE ", "Off"])
def test_p109_false_words_are_false(word: str) -> None:
    assert load({"VOUCHED_OFFLINE": word}).offline is False


@pytest.mark.parametrize("word", ["true", "1", "yes", "on", " TRUE"])
def test_p109_true_words_are_true(word: str) -> None:
    assert load({"VOUCHED_OFFLINE": word}).offline is True


def test_p109_blank_is_absent_and_an_unknown_word_names_its_variable() -> None:
    assert load({"VOUCHED_OFFLINE": "  "}).offline is False
    with pytest.raises(InvalidArgument, match="VOUCHED_STRICT") as caught:
        load({"VOUCHED_STRICT": "maybe"})
    assert caught.value.path == "VOUCHED_STRICT"
    with pytest.raises(InvalidArgument, match="X"):
        truth("X", "2")


def test_p51_a_blank_key_is_no_key_and_so_is_an_unsubstituted_one() -> None:
    for value in ("", "  ", "${user_config.ncbi_api_key}"):
        assert load({"NCBI_API_KEY": value}).secrets.get("NCBI_API_KEY") is None


def test_secrets_never_show_themselves() -> None:
    settings = load({"NCBI_API_KEY": "SECRET123", "NCBI_EMAIL": "someone@example.org"})
    assert settings.secrets.get("NCBI_API_KEY") == "SECRET123"
    assert settings.email == "someone@example.org"
    assert "SECRET123" not in repr(settings)


def test_base_urls_of_sources_can_be_set() -> None:
    assert load({"VOUCHED_EUTILS_URL": "http://127.0.0.1:1/"}).source("eutils").url == "http://127.0.0.1:1/"


def test_the_file_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text('text = "json"\n[limits]\ndeadline = 5\n[sources.icite]\nrate = 1\nurl = "http://a/"\n', "utf-8")
    settings = load({"VOUCHED_CONFIG": str(file), "VOUCHED_TEXT": "toon", "VOUCHED_ICITE_URL": "http://b/"})
    assert (settings.text, settings.limits.deadline, settings.source("icite").rate) == ("toon", 5.0, 1.0)
    assert settings.source("icite").url == "http://b/"


@pytest.mark.parametrize("content", ["txet = 1", "[limits]\ndeadlin = 1", "text = 5", "not toml ["])
def test_a_wrong_file_is_refused_with_the_variable(content: str, tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text(content, "utf-8")
    with pytest.raises(InvalidArgument) as caught:
        load({"VOUCHED_CONFIG": str(file)})
    assert caught.value.path == "VOUCHED_CONFIG"


def test_lists_are_split_at_commas_and_spaces() -> None:
    assert load({"VOUCHED_PLUGINS": "pubmed, icite"}).plugins == ("pubmed", "icite")
    assert load({"VOUCHED_WITHOUT": "europepmc"}).without == ("europepmc",)
    assert load({}).plugins is None
