"""P52: keys and e-mail addresses get nowhere."""

import contextlib
import gzip
import io
import logging
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import Fault, UpstreamRejected
from vouched.services.redact import Redactor
from vouched.settings import Secrets, Settings
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

from host.tests.services.support import EMAIL, KEY, LIB, QUICK, context_for, emulated, exchanges, serving, settings_for

QUERY = "confidential words"


def redactor(**values: str) -> Redactor:
    return Redactor(Settings(Path("x"), email=values.pop("email", None), secrets=Secrets(values)))


def test_secrets_are_struck_as_they_are_and_percent_encoded() -> None:
    strike = redactor(LIB_KEY="a b+c/d", email=EMAIL).text
    assert strike(f"x a b+c/d y a%20b%2Bc%2Fd z a+b%2Bc%2Fd {EMAIL} reader%40example.org") == (
        "x REDACTED y REDACTED z REDACTED REDACTED REDACTED"
    )


def test_the_longer_secret_goes_first() -> None:
    assert redactor(A_KEY="abcd", B_KEY="abcdefgh").text("abcdefgh abcd") == "REDACTED REDACTED"


def test_query_strings_are_cut_off_urls() -> None:
    assert redactor().text("at https://x.example/y?q=1&z=2, or http://h/p") == "at https://x.example/y or http://h/p"


def test_words_are_not_torn_by_values_too_short_to_be_keys() -> None:
    assert redactor(A_KEY="ab").text("about") == "about"


@pytest.mark.anyio
async def test_p52_an_answer_that_echoes_key_and_address_is_kept_without_them(
    tmp_path: Path, emulator: Emulator
) -> None:
    """The emulated service repeats all that it gets; the cache serves it whole, and no file has a secret."""
    settings = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL}, archive=True)
    source = msgspec.structs.replace(LIB, ttl=60.0)
    async with serving(settings, source) as service:
        first, second = [await context_for(service).http("lib").get("x", params={"q": "again"}) for _ in range(2)]
    assert first.body == second.body
    assert KEY.encode() in first.body
    assert len(emulator.log("lib")) == 1
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    bodies = [gzip.decompress(content) for content in kept if content.startswith(b"\x1f\x8b")]
    assert len(bodies) == 1
    with contextlib.closing(sqlite3.connect(tmp_path / "cache.sqlite3")) as db:
        bodies += [zlib.decompress(body) for (body,) in db.execute("SELECT body FROM answer")]
    assert len(bodies) == 2
    for secret in (KEY.encode(), b"reader"):
        assert not [content for content in (*kept, *bodies) if secret in content]
    # With another key the kept answer is none, and is asked for anew.
    other = settings_for(tmp_path, emulator, env={"LIB_KEY": "OTHER456", "NCBI_EMAIL": EMAIL})
    async with serving(other, source) as service:
        third = await context_for(service).http("lib").get("x", params={"q": "again"})
    assert b"OTHER456" in third.body
    assert len(emulator.log("lib")) == 2


@pytest.mark.anyio
async def test_p52_no_cookie_and_no_header_with_a_secret_gets_into_the_cache(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        headers = (("set-cookie", "sid=c00kie"), ("x-asked", f"{asked.get('api_key')}"), ("x-plain", "words"))
        return Reply(b"{}", headers=headers)

    with emulated(Service("lib", "/api/", answer)) as emulator:
        settings = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY})
        async with serving(settings, msgspec.structs.replace(LIB, ttl=60.0)) as service:
            fresh, kept = [await context_for(service).http("lib").get("x") for _ in range(2)]
        assert len(emulator.log("lib")) == 1
    assert fresh.headers["x-asked"] == KEY
    assert (kept.headers["x-asked"], kept.headers["x-plain"]) == ("REDACTED", "words")
    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"words" in content
    assert b"c00kie" not in content
    assert KEY.encode() not in content


def test_where_texts_must_stay_exact_words_under_a_secret_name_are_no_secrets() -> None:
    secrets = {"LIB_KEY": "letters", "DB_TOKEN": "cancer", "CI_TOKEN": "ghp_0123456789", "OTHER_EMAIL": "a@b.example"}
    settings = Settings(Path("x"), email=EMAIL, secrets=Secrets(secrets))
    said = f"cancer letters ghp_0123456789 a@b.example {EMAIL}"
    exact = Redactor(settings, declared={"LIB_KEY", None})
    assert exact.strike(said) == "cancer REDACTED REDACTED REDACTED REDACTED"
    assert Redactor(settings).strike(said) == " ".join(["REDACTED"] * 5)
    assert Redactor(settings, declared=(), addresses=False).strike(said) == said.replace("ghp_0123456789", "REDACTED")


@pytest.mark.anyio
async def test_an_ordinary_word_in_the_environment_spoils_neither_provenance_nor_cache(
    tmp_path: Path, emulator: Emulator
) -> None:
    settings = settings_for(tmp_path, emulator, env={"DB_TOKEN": "fields", "APP_SECRET": "lib"})
    async with serving(settings, msgspec.structs.replace(LIB, ttl=60.0)) as service:
        for _ in range(2):
            context = context_for(service)
            await context.http("lib").get("x", params={"q": "fields"})
    [noted] = exchanges(context)
    assert noted.resolved_url == emulator.url("lib") + "x?q=fields&tool=vouched"
    assert noted.from_cache


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("status", {"status": 500}),
        ("status", {"status": 400, "body": f"bad request {KEY} {EMAIL}".encode(), "media": "text/plain"}),
        ("stall", {"seconds": 5}),
        ("redirect", {"to": "other_host"}),
        ("redirect", {"to": "same_host"}),
        ("reset", {}),
        ("html", {}),
        ("rate_limited", {"retry_after": None, "api_key": KEY}),
        ("body", {"body": {"error": "API key invalid", "api-key": KEY}, "status": 400}),
    ],
)
async def test_p52_no_secret_in_error_log_status_provenance_or_file(
    tmp_path: Path, emulator: Emulator, kind: str, options: dict[str, Any]
) -> None:
    limits = msgspec.structs.replace(QUICK, request_timeout=0.2, attempts=2)
    env = {"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL}
    settings = settings_for(tmp_path, emulator, limits=limits, env=env, archive=True)
    emulator.misbehave("lib", kind, times=None, **options)

    def read(body: bytes) -> Any:
        # A reader that quotes what it was given, as many do.
        raise UpstreamRejected(f"cannot read {body.decode()!r} from https://lib.example.org/x?api_key={KEY}")

    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setLevel(logging.DEBUG)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for name in ("httpx", "httpcore", "httpcore.http11", "httpcore.connection"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    try:
        async with serving(settings, msgspec.structs.replace(LIB, key_header="X-Key")) as service:
            context = context_for(service)
            with pytest.raises(Fault) as caught:
                await context.http("lib").get("x", params={"q": QUERY}, read=read)
            seen = [repr(service.status()), *context.warnings, repr(exchanges(context))]
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    fault = caught.value
    chained = [str(fault.__cause__), str(fault.__context__)]
    seen += [str(fault), fault.hint, repr(fault.args), *chained, text.getvalue()]
    seen += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert "lib" in text.getvalue()
    for secret in (KEY, EMAIL, "reader%40example.org"):
        assert not any(secret in place for place in seen), f"{secret} leaks"
    # The query stands in provenance alone.
    for words in (QUERY, "confidential+words"):
        assert not any(words in place for place in (str(fault), fault.hint, text.getvalue()))


@pytest.mark.anyio
async def test_retries_are_logged_here_and_not_by_stamina(
    tmp_path: Path, emulator: Emulator, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    emulator.misbehave("lib", "status", status=503)
    async with serving(settings_for(tmp_path, emulator)) as service:
        await context_for(service).http("lib").get("x")
    assert {record.name.partition(".")[0] for record in caplog.records} == {"vouched"}
