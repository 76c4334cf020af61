"""The PMC ID converter: PMID, PMCID and DOI of what lies in PMC, and only of that."""

from collections.abc import Sequence
from urllib.parse import unquote

import msgspec
from vouched.api import Context, Fault, Id, RateLimited, UpstreamInvalid, UpstreamRejected, canonical, clean

__all__ = ["NOT_IN_PMC", "SHORT_DOI", "Conversion", "convert", "is_short_doi", "read_idconv"]

MOST = 200
NOT_IN_PMC = "not_in_pmc"
SHORT_DOI = "It is a short DOI; give the full one, as doi.org shows it."
_ID_TYPES = ("pmid", "pmcid", "doi")


class Conversion(msgspec.Struct, omit_defaults=True, frozen=True):
    """What the converter says of one id.

    Attributes:
        pmid, pmcid, doi: canonical, "" where it gives none.
        state: found; not_in_pmc; rejected (it does not take the id); failed (it could not be asked).
        reason: in words; retryable: whether a failure may pass.
    """

    pmid: str = ""
    pmcid: str = ""
    doi: str = ""
    state: str = "found"
    reason: str = ""
    retryable: bool = False


def is_short_doi(id_: Id) -> bool:
    """Whether it is of the form `10/abc12`, which stands for a DOI but is in nobody's records."""
    return id_.scheme == "doi" and id_.value.startswith("10/")


def _value(record: dict[str, object], scheme: str) -> str:
    known = canonical(scheme, str(record.get(scheme) or ""))
    return known.value if known else ""


def _conversion(record: dict[str, object]) -> Conversion:
    message = clean(str(record.get("errmsg") or ""))[:200]
    if record.get("status") == "error" or message:
        if "not found in pmc" in message.lower() or record.get("live") == "false":
            return Conversion(state=NOT_IN_PMC, reason="The article is not in PMC.")
        return Conversion(state="rejected", reason=f"The ID converter says: {message or 'error'}")
    return Conversion(_value(record, "pmid"), _value(record, "pmcid"), _value(record, "doi"))


def read_idconv(body: bytes, idtype: str) -> dict[str, Conversion]:
    """Read a JSON answer, of the old shape (all strings, no `requested-id`) or the new: canonical id asked -> answer.

    Raises:
        UpstreamRejected: where the service refuses the whole batch, with its message decoded.
        Fault: of the upstream kinds for anything else that is no answer.
    """
    from vouched_pubmed.errors import check_body

    try:
        value = msgspec.json.decode(body)
    except msgspec.DecodeError:
        check_body(body)
        raise UpstreamInvalid("The ID converter answered something that is not JSON.", source="idconv") from None
    if isinstance(value, dict) and value.get("status") == "error":
        said = clean(unquote(str(value.get("message") or "no reason given")))[:200]
        raise UpstreamRejected(f"The ID converter refuses the batch: {said}", source="idconv")
    records = value.get("records") if isinstance(value, dict) else None
    if not isinstance(records, list):
        check_body(body)
        raise UpstreamInvalid("The ID converter's answer has no records.", source="idconv")
    found: dict[str, Conversion] = {}
    for record in records:
        if isinstance(record, dict):
            asked = canonical(idtype, str(record.get("requested-id") or record.get(idtype) or ""))
            if asked:
                found[asked.value] = _conversion(record)
    return found


async def convert(ctx: Context, ids: Sequence[Id]) -> dict[Id, Conversion]:
    """Ask for ids of any of the three schemes; the converter takes one scheme a request, 200 ids at most.

    Every id gets an entry: a batch that is refused is halved until the id that it does not like stands alone, and a
    service that cannot be asked makes its ids `failed`.
    """
    # The converter cannot tell what a short DOI is, and refuses the whole batch for it.
    found = {id_: Conversion(state="rejected", reason=SHORT_DOI) for id_ in ids if is_short_doi(id_)}
    for scheme in _ID_TYPES:
        wanted = [id_ for id_ in dict.fromkeys(ids) if id_.scheme == scheme and not is_short_doi(id_)]
        for first in range(0, len(wanted), MOST):
            found |= await _batch(ctx, wanted[first : first + MOST])
    return found


async def _batch(ctx: Context, ids: Sequence[Id]) -> dict[Id, Conversion]:
    scheme = ids[0].scheme
    try:
        answers = await ctx.http("idconv").get(
            "",
            params={"ids": ",".join(id_.value for id_ in ids), "idtype": scheme, "format": "json", "versions": "no"},
            read=lambda body: read_idconv(body, scheme),
        )
    except UpstreamRejected as fault:
        if len(ids) == 1:
            return {ids[0]: Conversion(state="rejected", reason=fault.message)}
        half = len(ids) // 2
        return await _batch(ctx, ids[:half]) | await _batch(ctx, ids[half:])
    except Fault as fault:
        retryable = fault.retryable or isinstance(fault, RateLimited)
        return {id_: Conversion(state="failed", reason=fault.message, retryable=retryable) for id_ in ids}
    silent = Conversion(state="failed", reason="The ID converter left this id out of its answer.", retryable=True)
    return {id_: answers.get(id_.value, silent) for id_ in ids}
