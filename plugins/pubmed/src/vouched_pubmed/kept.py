"""What a cursor goes on from, kept as an artifact between two calls."""

from vouched.api import Context, InvalidArgument, NotFound

__all__ = ["kept"]


async def kept(ctx: Context, artifact_id: str) -> bytes:
    """The content of an artifact that a cursor names.

    Raises:
        InvalidArgument: naming `cursor`, where it is gone or another session's.
    """
    try:
        _, content = await ctx.session.artifact(artifact_id)
    except NotFound:
        raise InvalidArgument(
            "What this cursor goes on from is not kept, or not in this session.",
            path="cursor",
            hint="Leave `cursor` out to begin again.",
        ) from None
    return content
