"""The seam of the licence gate."""

from typing import Protocol, runtime_checkable

from vouched.access import Access, Decision

__all__ = ["LicencePolicy"]


@runtime_checkable
class LicencePolicy(Protocol):
    """Decides what may be done with a text from neutral facts. One that raises denies everything."""

    def decide(self, access: Access | None) -> Decision: ...
