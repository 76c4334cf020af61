"""Kept files: nothing outside the store is ever read or written, nothing changed goes out, names are safe anywhere."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vouched.faults import InternalFault, NotFound, ProviderFailed
from vouched.journal import Artifact, Owner, SessionStore
from vouched.names import safe_name
from vouched.services.session import open_store
from vouched.settings import Settings

ME = Owner(client="desk")


def where(data: Path, artifact: Artifact) -> Path:
    return data / "artifacts" / artifact.sha256[:2] / artifact.sha256


@pytest.mark.anyio
async def test_bytes_lie_under_their_hash_once(store: SessionStore, data: Path) -> None:
    first = await store.put_artifact(ME, Artifact(name="a.txt"), b"same")
    second = await store.put_artifact(Owner("bob"), Artifact(name="../../b.txt"), b"same")
    assert first.sha256 == second.sha256 == hashlib.sha256(b"same").hexdigest()
    assert [path for path in (data / "artifacts").rglob("*") if path.is_file()] == [where(data, first)]
    assert await store.artifact_path(ME, first.artifact_id) == str(where(data, first))


@pytest.mark.anyio
async def test_a_moved_data_folder_keeps_its_files_readable(store: SessionStore, data: Path) -> None:
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    await store.aclose()
    shutil.move(data, data.with_name("elsewhere"))
    moved = open_store(Settings(data=data.with_name("elsewhere")))
    assert await moved.read_artifact(ME, kept.artifact_id) == b"kept"
    assert str(data.with_name("elsewhere")) in await moved.artifact_path(ME, kept.artifact_id)
    await moved.aclose()


@pytest.mark.anyio
@pytest.mark.parametrize("content", [b"changed", b"kep", b"kept and more", b""])
async def test_a_file_that_was_changed_is_never_given_out(store: SessionStore, data: Path, content: bytes) -> None:
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    where(data, kept).write_bytes(content)
    with pytest.raises(InternalFault, match="sha256") as caught:
        await store.read_artifact(ME, kept.artifact_id)
    assert str(data) not in f"{caught.value.message}{caught.value.hint}"
    # Keeping the same bytes again mends the file, as the hint says.
    again = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    assert await store.read_artifact(ME, again.artifact_id) == b"kept"
    assert await store.read_artifact(ME, kept.artifact_id) == b"kept"


@pytest.mark.anyio
async def test_a_file_that_is_gone_is_not_found(store: SessionStore, data: Path) -> None:
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    where(data, kept).unlink()
    with pytest.raises(NotFound) as caught:
        await store.read_artifact(ME, kept.artifact_id)
    assert str(data) not in f"{caught.value.message}{caught.value.hint}"
    assert await store.artifact_path(ME, kept.artifact_id) == ""
    # Keeping the same bytes again brings it back.
    again = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    assert await store.read_artifact(ME, again.artifact_id) == b"kept"


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="links need privileges on Windows")
@pytest.mark.parametrize("place", ["file", "folder", "root"])
async def test_p104_no_link_is_followed_on_reading(store: SessionStore, data: Path, tmp_path: Path, place: str) -> None:
    """Not even to bytes of the right hash."""
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    path = where(data, kept)
    target = {"file": path, "folder": path.parent, "root": path.parent.parent}[place]
    target.rename(tmp_path / "outside")
    target.symlink_to(tmp_path / "outside")
    with pytest.raises(NotFound):
        await store.read_artifact(ME, kept.artifact_id)
    assert await store.artifact_path(ME, kept.artifact_id) == ""


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="links need privileges on Windows")
@pytest.mark.parametrize("place", ["folder", "root"])
async def test_p104_no_link_is_followed_on_writing(store: SessionStore, data: Path, tmp_path: Path, place: str) -> None:
    digest = hashlib.sha256(b"kept").hexdigest()
    outside = tmp_path / "outside"
    (outside / digest[:2]).mkdir(parents=True)
    (data / "artifacts").mkdir(parents=True)
    if place == "folder":
        (data / "artifacts" / digest[:2]).symlink_to(outside)
    else:
        (data / "artifacts").rmdir()
        (data / "artifacts").symlink_to(outside)
    with pytest.raises(InternalFault):
        await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    assert [path for path in outside.rglob("*") if path.is_file()] == []
    assert (await store.artifacts(ME)).total == 0


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders on Windows")
async def test_a_pipe_in_a_files_place_blocks_nobody(store: SessionStore, data: Path) -> None:
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    where(data, kept).unlink()
    os.mkfifo(where(data, kept))
    with pytest.raises(NotFound):
        await store.read_artifact(ME, kept.artifact_id)


@pytest.mark.anyio
async def test_a_file_in_the_way_of_the_folder_is_a_fault_without_its_path(store: SessionStore, data: Path) -> None:
    data.mkdir()
    (data / "artifacts").write_text("in the way")
    with pytest.raises((ProviderFailed, InternalFault)) as caught:
        await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    assert str(data) not in f"{caught.value.message}{caught.value.hint}"


@pytest.mark.anyio
async def test_bytes_stay_as_long_as_one_manifest_names_them(store: SessionStore, data: Path) -> None:
    mine = await store.put_artifact(ME, Artifact(name="a.txt"), b"same")
    theirs = await store.put_artifact(Owner("bob"), Artifact(name="a.txt"), b"same")
    await store.prune(ME, older_than_days=0)
    with pytest.raises(NotFound):
        await store.artifact(ME, mine.artifact_id)
    assert await store.read_artifact(Owner("bob"), theirs.artifact_id) == b"same"
    await store.prune(Owner("bob"), older_than_days=0)
    assert not where(data, mine).exists()


RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in "0123456789¹²³")}


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.text(max_size=200) | st.sampled_from([f"{name}.txt" for name in sorted(RESERVED)]))
def test_p103_any_text_becomes_a_name_that_every_system_takes(name: str) -> None:
    safe = safe_name(name)
    assert 1 <= len(safe) <= 120
    assert len(safe.encode()) <= 200
    assert not set(safe) & set('<>:"/\\|?*\x00\n')
    assert safe.partition(".")[0].strip().upper() not in RESERVED
    assert safe == safe.rstrip(". ")
    safe.encode()
    # A name that is safe already stays, so that making safe twice changes nothing.
    assert safe_name(safe) == safe


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_p103_two_names_stay_two(first: str, second: str) -> None:
    if first != second:
        assert safe_name(first) != safe_name(second) or first == safe_name(second) or second == safe_name(first)


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("10.1000/abc:def;1", "10.1000_abc_def_1-", ""),
        ("CON", "_CON-", ""),
        ("con.tar.gz", "_con.tar-", ".gz"),
        ("x" * 300 + ".ris", "x" * 100, ".ris"),
        ("trailing.", "trailing-", ""),
        ("Müller ✓.bib", "Müller ✓", ".bib"),
        ("..\\..\\secret", "_.._secret-", ""),
    ],
)
def test_p103_named_examples(name: str, start: str, end: str) -> None:
    safe = safe_name(name)
    assert safe.startswith(start)
    assert safe.endswith(end)
