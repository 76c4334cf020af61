"""Every error body of the corpus, sent by a real server: file -> class, worth another try or not.

The host knows what looks alike at every service; the readers of the plugins know their own services.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import vouched_europepmc.errors
import vouched_pubmed.errors
from vouched.api import (
    Blocked,
    Context,
    Fault,
    NotFound,
    Owner,
    RateLimited,
    Source,
    UpstreamInvalid,
    UpstreamRejected,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from vouched.services.http import HttpService
from vouched.settings import Limits, Settings, SourceSettings
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import canned

ERRORS = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[2] / "shared") / "upstream" / "errors"
ATTEMPTS = 3
XML, JSON, TEXT = "application/xml", "application/json", "text/plain"
PUBMED, EUROPEPMC = vouched_pubmed.errors.check_body, vouched_europepmc.errors.check_body
# file, status, what was asked for, whose reader, class (None: an answer, if an empty one)
TABLE: list[tuple[str, int, str, Callable[[bytes], None], type[Fault] | None]] = [
    ("biomcp_epmc_supplementaryFiles_not_oa.xml", 404, "application/zip", EUROPEPMC, NotFound),
    ("biomcp_epmc_supplementaryFiles_not_oa.xml", 200, "application/zip", EUROPEPMC, NotFound),
    ("biomcp_oa_fcgi_idIsNotOpenAccess.xml", 200, XML, PUBMED, NotFound),
    ("biopython_epost2.xml", 200, XML, PUBMED, UpstreamRejected),
    ("biopython_epost2.xml", 400, XML, PUBMED, UpstreamRejected),
    ("biopython_epost3.xml", 200, XML, PUBMED, UpstreamRejected),
    ("biopython_esummary8.xml", 200, XML, PUBMED, UpstreamRejected),
    ("ctxp_error_missing_id.json", 400, JSON, PUBMED, UpstreamRejected),
    ("ctxp_error_pubone_empty.xml", 200, JSON, PUBMED, UpstreamRejected),
    ("derived_truncated_efetch.xml", 200, XML, PUBMED, UpstreamInvalid),
    ("derived_truncated_epmc_search.json", 200, JSON, EUROPEPMC, UpstreamInvalid),
    ("epmc_annotations_400_bad_article_id.json", 400, JSON, EUROPEPMC, UpstreamRejected),
    ("epmc_annotations_400_too_many_ids.json", 400, JSON, EUROPEPMC, UpstreamRejected),
    ("epmc_errcode400_no_criteria.json", 200, JSON, EUROPEPMC, UpstreamRejected),
    ("epmc_errcode400_no_criteria.json", 400, JSON, EUROPEPMC, UpstreamRejected),
    ("epmc_version_only_envelope.json", 200, JSON, EUROPEPMC, UpstreamInvalid),
    ("ftR_ft_search_fails_well_entrez_limit2large_1.xml", 414, JSON, PUBMED, UpstreamRejected),
    ("ncbi_200_efetch_failed_to_understand_id.txt", 200, XML, PUBMED, UpstreamRejected),
    ("ncbi_200_efetch_unknown_pmid_empty_set.xml", 200, XML, PUBMED, None),
    ("ncbi_200_esearch_backend_unreachable.xml", 200, XML, PUBMED, UpstreamUnreachable),
    ("ncbi_200_esearch_db_not_supported.xml", 200, XML, PUBMED, UpstreamUnreachable),
    ("ncbi_200_esearch_retstart_past_9998.json", 200, JSON, PUBMED, UpstreamRejected),
    ("ncbi_200_esummary_empty_id_list.json", 200, JSON, PUBMED, UpstreamRejected),
    ("ncbi_200_esummary_invalid_uid.json", 200, JSON, PUBMED, UpstreamRejected),
    ("ncbi_200_esummary_too_many_uids.json", 200, JSON, PUBMED, UpstreamRejected),
    ("ncbi_200_esummary_unknown_pmid.json", 200, JSON, PUBMED, None),
    ("ncbi_200_esummary_unknown_pmid_v1.xml", 200, XML, PUBMED, None),
    ("ncbi_400_api_key_invalid.json", 400, JSON, PUBMED, UpstreamRejected),
    ("ncbi_400_efetch_failed_to_retrieve.txt", 400, XML, PUBMED, UpstreamRejected),
    ("ncbi_400_efetch_id_list_empty.xml", 400, XML, PUBMED, UpstreamRejected),
    ("ncbi_400_efetch_pubone_unreachable.xml", 400, XML, PUBMED, UpstreamUnreachable),
    ("ncbi_400_efetch_relayed_502_page.xml", 400, XML, PUBMED, UpstreamUnreachable),
    ("ncbi_400_efetch_relayed_502_page.xml", 200, XML, PUBMED, UpstreamUnreachable),
    ("ncbi_400_mandatory_db_omitted.txt", 400, XML, PUBMED, UpstreamRejected),
    ("ncbi_429_rate_limit_no_key.json", 429, XML, PUBMED, RateLimited),
    ("ncbi_429_rate_limit_no_key.json", 200, XML, PUBMED, RateLimited),
    ("ncbi_429_rate_limit_with_key_doc.json", 429, JSON, PUBMED, RateLimited),
    ("ncbi_500_www_error_truncated.html", 500, JSON, PUBMED, UpstreamUnreachable),
    ("ncbi_500_www_error_truncated.html", 200, JSON, PUBMED, UpstreamInvalid),
    ("ncbi_access_denied_text.txt", 200, TEXT, PUBMED, Blocked),
    ("ncbi_access_denied_text.txt", 403, XML, PUBMED, Blocked),
    ("ncbi_blocked_diagnostic_truncated.html", 403, XML, PUBMED, Blocked),
    ("ncbi_blocked_diagnostic_truncated.html", 200, JSON, PUBMED, Blocked),
    ("ncbi_efetch_timeout_envelope.xml", 200, XML, PUBMED, UpstreamTimeout),
    ("ncbi_efetch_timeout_envelope.xml", 400, XML, PUBMED, UpstreamTimeout),
    ("ncbi_esummary_cxx_exception.xml", 200, XML, PUBMED, UpstreamInvalid),
    ("ncbi_ratecontrol_unable_to_route.txt", 200, TEXT, PUBMED, UpstreamUnreachable),
    ("ncbi_ratecontrol_unable_to_route.txt", 400, TEXT, PUBMED, UpstreamUnreachable),
    ("ncbi_ratecontrol_unable_to_route.txt", 502, TEXT, PUBMED, UpstreamUnreachable),
    ("sulpub_efetch_empty_id.xml", 200, XML, PUBMED, UpstreamRejected),
]
SECRETS = ("192.0.2.1", "redacted@example.org", "/entrez/local", "eutilsapp.cpp")


class Nothing:
    """What a context needs of a host that only asks."""

    styles: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    licence = None
    store = None

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def articles(self, context: Context) -> None:
        return None


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    with start([canned("upstream", {})]) as running:
        yield running


def test_the_table_has_every_file() -> None:
    if not ERRORS.is_dir():
        pytest.skip("the corpus (VOUCHED_SHARED) is not here")
    assert {path.name for path in ERRORS.iterdir()} == {row[0] for row in TABLE}


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "status", "media", "check", "kind"), TABLE, ids=[f"{r[0]}-{r[1]}" for r in TABLE])
async def test_a_fault_in_an_answer_gets_its_class(
    emulator: Emulator,
    tmp_path: Path,
    name: str,
    status: int,
    media: str,
    check: Callable[[bytes], None],
    kind: type[Fault] | None,
) -> None:
    if not ERRORS.is_dir():
        pytest.skip("the corpus (VOUCHED_SHARED) is not here")
    emulator.reset()
    emulator.misbehave("upstream", "file", path=str(ERRORS / name), status=status, times=None)
    settings = Settings(
        tmp_path,
        sources={"upstream": SourceSettings(url=emulator.url("upstream"))},
        limits=Limits(attempts=ATTEMPTS, retry_wait=0.01, retry_wait_max=0.02),
    )
    service = HttpService(
        settings, {"upstream": Source("upstream", "https://x.example/", rate=1000)}, provide_transport=lambda *_: None
    )
    context = Context(cast("Any", Nothing(settings)), Owner())
    try:
        asked = service.client("upstream", context).get(
            "x.fcgi", media=media, read=lambda body: (check(body), "read")[1]
        )
        if kind is None:
            assert await asked == "read"
            assert len(emulator.log()) == 1
            return
        with pytest.raises(Fault) as caught:
            await asked
    finally:
        await service.aclose()
    fault = caught.value
    assert type(fault) is kind
    assert fault.retryable is kind.retry_by_default
    assert len(emulator.log()) == (ATTEMPTS if fault.retryable else 1)
    assert (fault.source, fault.status) == ("upstream", status)
    assert not any(secret in fault.message + fault.hint for secret in SECRETS)
    assert [exchange.fault for exchange in context.exchanges] == [kind.code]
