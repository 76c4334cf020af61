"""What can go wrong, by name: every failure that a caller may see is one of these."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

__all__ = [
    "CLASSES",
    "CODES",
    "Blocked",
    "DeadlineExceeded",
    "Fault",
    "InternalFault",
    "InvalidArgument",
    "LicenceDenied",
    "NotFound",
    "OfflineFault",
    "ProviderFailed",
    "QueueFull",
    "RateLimited",
    "UpstreamInvalid",
    "UpstreamRejected",
    "UpstreamTimeout",
    "UpstreamUnreachable",
]


class Fault(Exception):
    """A failure with a code from the closed list, a sentence for people, and the way out.

    Attributes:
        code: one of `CODES`; stable, for programs.
        message: what happened, one or two sentences, never a secret, a query string or a body.
        retryable: whether the same call may succeed later.
        hint: what to do instead.
        retry_after: seconds to wait, where the service said so.
        source: the remote service that failed.
        path: the place in the arguments, as in `ids[3]`.
        expected, example: what an argument should look like.
        status: HTTP status of the exchange, 0 where there was none.
    """

    code: ClassVar[str] = "internal"
    retry_by_default: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        retryable: bool | None = None,
        retry_after: float | None = None,
        source: str = "",
        path: str = "",
        expected: str = "",
        example: str = "",
        status: int = 0,
    ) -> None:
        # Readers pass on what a service said, which need not be text.
        self.message = str(message)
        super().__init__(self.message)
        self.hint = hint
        self.retryable = self.retry_by_default if retryable is None else retryable
        self.retry_after = retry_after
        self.source = source
        self.path = path
        self.expected = expected
        self.example = example
        self.status = status

    def __copy__(self) -> Self:
        """The same facts in an exception of its own, whatever arguments a subclass takes."""
        copied = type(self).__new__(type(self), *self.args)
        copied.__dict__.update(self.__dict__)
        return copied


class InvalidArgument(Fault):
    """The caller's arguments are wrong; nothing was executed."""

    code = "invalid_argument"


class NotFound(Fault):
    """The thing asked for does not exist where it was looked for."""

    code = "not_found"


class QueueFull(Fault):
    """Shed before anything was sent: too many requests wait, or this one would start past its deadline."""

    code = "queue_full"
    retry_by_default = True


class RateLimited(Fault):
    """The service answered 429 and the wait does not fit into the call's deadline."""

    code = "rate_limited"
    retry_by_default = True


class UpstreamUnreachable(Fault):
    """No connection, a cut connection, or a gateway that could not reach the service."""

    code = "upstream_unreachable"
    retry_by_default = True


class UpstreamTimeout(Fault):
    """The service did not answer in time."""

    code = "upstream_timeout"
    retry_by_default = True


class UpstreamInvalid(Fault):
    """The service answered something that is not an answer: an HTML page, a stub, a truncated body."""

    code = "upstream_invalid"
    retry_by_default = True


class UpstreamRejected(Fault):
    """The service understood the request and refused it; the same request will be refused again."""

    code = "upstream_rejected"


class Blocked(Fault):
    """The service has blocked this address; more requests make it worse."""

    code = "blocked"


class DeadlineExceeded(Fault):
    """The call's time was over before it had anything to answer."""

    code = "deadline_exceeded"
    retry_by_default = True


class LicenceDenied(Fault):
    """The licence policy itself failed, so everything is denied."""

    code = "licence_denied"


class OfflineFault(Fault):
    """The call runs offline and this request was never recorded."""

    code = "offline"


class ProviderFailed(Fault):
    """A plugin that replaces a service of the host failed."""

    code = "provider_failed"


class InternalFault(Fault):
    """A defect in the host or in a plugin."""

    code = "internal"


CLASSES: Mapping[str, type[Fault]] = {
    cls.code: cls
    for cls in (
        InvalidArgument,
        NotFound,
        QueueFull,
        RateLimited,
        UpstreamUnreachable,
        UpstreamTimeout,
        UpstreamInvalid,
        UpstreamRejected,
        Blocked,
        DeadlineExceeded,
        LicenceDenied,
        OfflineFault,
        ProviderFailed,
        InternalFault,
    )
}
CODES: Sequence[str] = tuple(sorted(CLASSES))
