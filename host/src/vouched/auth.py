"""Who is calling over HTTP: a file of tokens, one principal each. Beyond loopback nothing is served without it."""

import hashlib
import hmac
import ipaddress
import logging
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vouched.faults import InvalidArgument
from vouched.settings import HttpFace

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from vouched.host import Host

__all__ = ["TokenGate", "application", "is_loopback", "read_tokens"]

PRINCIPAL = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
MIN_TOKEN = 16
log = logging.getLogger("vouched.auth")


def is_loopback(host: str) -> bool:
    """Whether an address to bind to can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_tokens(path: str) -> dict[bytes, str]:
    """SHA-256 of token -> principal, from lines `principal:token`; `#` begins a comment.

    Raises:
        InvalidArgument: for a file that cannot be read, a bad line (by its number, never its text), a name used twice.
    """
    try:
        lines = Path(path).expanduser().read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The tokens file {path} cannot be read: {type(error).__name__}.", path="http.tokens_file"
        ) from None
    if os.name == "posix" and Path(path).expanduser().stat().st_mode & stat.S_IROTH:
        log.warning("every user of this machine can read the tokens file %s; chmod 600 it", path)
    tokens: dict[bytes, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        principal, _, token = line.strip().partition(":")
        token = token.strip()
        if not PRINCIPAL.fullmatch(principal) or len(token) < MIN_TOKEN or principal in tokens.values():
            raise InvalidArgument(
                f"Line {number} of the tokens file {path} is not `principal:token`, or its principal is there twice.",
                path="http.tokens_file",
                expected=f"a name of a-z 0-9 . _ - and a token of {MIN_TOKEN} characters or more",
            )
        tokens[hashlib.sha256(token.encode()).digest()] = principal
    if not tokens:
        raise InvalidArgument(f"The tokens file {path} holds no token.", path="http.tokens_file")
    return tokens


class TokenGate:
    """ASGI middleware: `Authorization: Bearer TOKEN` names the principal; anything else gets 401."""

    def __init__(self, app: "ASGIApp", tokens: dict[bytes, str]) -> None:
        self._app = app
        self._tokens = tokens

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        principal = self._principal(scope)
        if principal is None:
            from starlette.responses import JSONResponse

            refusal = JSONResponse({"error": "unauthorized"}, 401, {"WWW-Authenticate": 'Bearer realm="vouched"'})
            await refusal(scope, receive, send)
            return
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        # The SDK binds an HTTP session to the user that opened it.
        scope["user"] = AuthenticatedUser(AccessToken(token="-", client_id=principal, scopes=[]))  # noqa: S106
        scope["vouched.principal"] = principal
        await self._app(scope, receive, send)

    def _principal(self, scope: "Scope") -> str | None:
        header = dict(scope["headers"]).get(b"authorization", b"")
        kind, _, token = header.partition(b" ")
        if kind.lower() != b"bearer":
            return None
        given = hashlib.sha256(token.strip()).digest()
        found = None
        # Every token is compared, so that the time tells nothing.
        for known, principal in self._tokens.items():
            if hmac.compare_digest(known, given):
                found = principal
        return found


class _FreshStart:
    """A client that comes back with the id of a session long gone may begin anew: `initialize` drops that header."""

    LIMIT = 65_536

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        names = [name for name, _ in scope.get("headers", ())]
        if scope["type"] != "http" or scope.get("method") != "POST" or b"mcp-session-id" not in names:
            await self._app(scope, receive, send)
            return
        first = await receive()
        body = first.get("body", b"")
        if not first.get("more_body") and len(body) < self.LIMIT and _is_initialize(body):
            scope = {**scope, "headers": [(n, v) for n, v in scope["headers"] if n != b"mcp-session-id"]}
        sent = False

        async def again() -> Any:
            nonlocal sent
            if not sent:
                sent = True
                return first
            return await receive()

        await self._app(scope, again, send)


def _is_initialize(body: bytes) -> bool:
    import msgspec

    try:
        message = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        # Whoever reads it next says what is wrong with it.
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def application(host: "Host", face: HttpFace) -> "Starlette":
    """The HTTP application, at /mcp.

    Raises:
        InvalidArgument: beyond loopback without tokens; for more than one worker.
    """
    if face.workers != 1:
        raise InvalidArgument(
            "The HTTP face runs in one worker: sessions of the handshake protocols live in its memory.",
            path="http.workers",
            hint="Run several servers on ports of their own; they share one data folder.",
        )
    if not is_loopback(face.host) and not face.tokens_file:
        raise InvalidArgument(
            f"{face.host} can be reached from other machines, so the server starts only with authentication.",
            path="http.host",
            hint="Name a file of `principal:token` lines as tokens_file, or bind to 127.0.0.1.",
        )
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.middleware import Middleware

    from vouched.server import build

    local = ["127.0.0.1:*", "localhost:*", "[::1]:*"]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*local, *face.allowed_hosts],
        allowed_origins=[*(f"http://{name}" for name in local), *face.allowed_origins],
    )
    app = build(host).streamable_http_app(transport_security=security)
    app.user_middleware.append(Middleware(_FreshStart))
    if face.tokens_file:
        app.user_middleware.insert(0, Middleware(TokenGate, tokens=read_tokens(face.tokens_file)))
    return app
