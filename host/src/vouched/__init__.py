"""Vouched: a host for biomedical literature tools."""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    # Read when asked: a metadata lookup costs milliseconds that most imports do not need.
    if name == "__version__":
        from importlib import metadata

        return metadata.version("vouched")
    raise AttributeError(f"module 'vouched' has no attribute {name!r}")
