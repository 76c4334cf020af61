"""The history server: result lists kept under a WebEnv and a query key."""

import hashlib


class History:
    """Sessions of one emulator. `expire()` forgets them all, as the service does after some hours."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[str, list[int]]] = {}
        self._made = 0

    def keep(self, pmids: list[int], session: str = "") -> tuple[str, str]:
        """Keep a list in the session, or in a new one when it is unknown; returns WebEnv and query key."""
        if session not in self._sessions:
            self._made += 1
            session = "MCID_" + hashlib.sha256(str(self._made).encode()).hexdigest()[:24]
            self._sessions[session] = {}
        key = str(len(self._sessions[session]) + 1)
        self._sessions[session][key] = pmids
        return session, key

    def get(self, session: str, key: str) -> list[int] | None:
        return self._sessions.get(session, {}).get(key)

    def sets(self, session: str) -> dict[str, list[int]]:
        return self._sessions.get(session, {})

    def expire(self) -> None:
        self._sessions.clear()
