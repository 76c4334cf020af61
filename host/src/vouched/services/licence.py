"""The licence gate (being written)."""
import msgspec
class ReuseCard(msgspec.Struct, frozen=True):
    """Uses, conditions, attribution line."""
