"""Settings come from the environment and one file; what is not understood is refused at start, by name."""

from pathlib import Path

import pytest
from vouched.access import Uses
from vouched.configuration import load, truth
from vouched.faults import InvalidArgument
from vouched.settings import USES


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
    for shown in (repr(settings), str(settings), f"{settings.secrets!r} {settings.secrets}"):
        assert "SECRET123" not in shown
        assert "someone@example.org" not in shown


def test_keys_in_a_plugins_table_are_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text('email = "someone@example.org"\n[plugin.shelf]\ntoken = "SECRET123"\n', "utf-8")
    settings = load({"VOUCHED_CONFIG": str(file)})
    assert settings.plugin["shelf"]["token"] == "SECRET123"
    assert "SECRET123" not in repr(settings)
    assert "someone@" not in repr(settings)
    assert "shelf" in repr(settings)


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        ("limits", "deadline = 0"),
        ("limits", "deadline = -1"),
        ("limits", "deadline = nan"),
        ("limits", "request_timeout = inf"),
        ("limits", "attempts = 0"),
        ("limits", "queue_depth = 0"),
        ("limits", "body_bytes = 0"),
        ("limits", "cache_bytes = -1"),
        ("limits", "answer_chars = 10"),
        ("limits", "retry_wait = -0.5"),
        ("limits", "pace_factor = 0.5"),
        ("sources.icite", "rate = 0"),
        ("sources.icite", "rate = -3"),
        ("sources.icite", "in_flight = 0"),
        ("sources.icite", "ttl = -1"),
        ("session", "articles = -1"),
        ("session", "retention_days = -1"),
        ("http", "port = 70000"),
        ("http", "workers = 0"),
    ],
)
def test_a_bound_that_would_stop_everything_is_refused_by_name(table: str, setting: str, tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text(f"[{table}]\n{setting}\n", "utf-8")
    with pytest.raises(InvalidArgument, match=setting.split()[0]) as caught:
        load({"VOUCHED_CONFIG": str(file)})
    assert caught.value.path == "VOUCHED_CONFIG"


def test_small_bounds_are_bounds(tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text("[limits]\ndeadline = 0.2\ncache_bytes = 0\n[sources.icite]\nrate = 0.1\nin_flight = 1\n", "utf-8")
    settings = load({"VOUCHED_CONFIG": str(file)})
    assert (settings.limits.deadline, settings.limits.cache_bytes) == (0.2, 0)
    assert (settings.source("icite").rate, settings.source("icite").in_flight) == (0.1, 1)


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


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[limits]\nattempts = 0", "limits.attempts"),
        ("[limits]\ndeadlin = 1", "one of: deadline, request_timeout"),
        ("[sources.icite]\nspeed = 1", "one of: url, rate, in_flight, ttl"),
        ('[sources.icite]\nurl = "ftp://x/"', "sources.icite.url"),
        ("txet = 1", "one of: data, plugins, without"),
        ('[providers]\nsession = "Post gres"', "providers.session"),
        ('[tighten]\nsell = "no"', "tighten.sell"),
        ('[tighten]\nsell = "no"', "read, quote, mine, redistribute, commercial, derive"),
        ('[tighten]\ncommercial = "yes"', "tighten.commercial: It cannot be 'yes'. one of: unknown, no"),
        ("[tighten]\ncommercial = false", "tighten.commercial: It cannot be False. one of: unknown, no"),
        ("[sources.lib]\nrate = 1\n[sources.icite]\nrate = 0", "sources.icite.rate"),
        ('text = "html"', "text: Invalid enum value 'html'. one of: markdown, json, toon"),
        ("x = = 1", "line 1"),
    ],
)
def test_a_wrong_file_is_named_with_its_key_and_what_may_stand_there(content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text(content, "utf-8")
    with pytest.raises(InvalidArgument) as caught:
        load({"VOUCHED_CONFIG": str(file)})
    assert str(file) in caught.value.message
    assert said in f"{caught.value.message} {caught.value.expected}"


@pytest.mark.parametrize(
    ("name", "value"),
    [("VOUCHED_ICITE_URL", "ftp://x/"), ("VOUCHED_ICITE_URL", "https://"), ("VOUCHED_RECORDINGS", "/nowhere/at/all")],
)
def test_a_place_that_cannot_be_is_refused_by_its_variable(name: str, value: str) -> None:
    with pytest.raises(InvalidArgument, match=name) as caught:
        load({name: value})
    assert caught.value.path == name


def test_uses_that_may_be_tightened_are_those_of_the_gate() -> None:
    assert Uses.__struct_fields__ == USES


def test_variables_named_like_settings_that_are_none_are_kept_by_name() -> None:
    env = {"VOUCHED_OFLINE": "1", "VOUCHED_LIB_KEY": "x", "VOUCHED_LIB_URL": "http://a/", "VOUCHED_DATA": "/tmp/x"}
    assert load(env).unknown == ("VOUCHED_OFLINE",)
