"""The protocol's own conformance suite and its Inspector against `vouched serve`: `nox -s conformance` (needs npm)."""
