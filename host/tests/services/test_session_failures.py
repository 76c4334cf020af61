"""What SQLite and the disk raise reaches callers as a fault that says the way out, and no path."""

import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from vouched.faults import InternalFault, InvalidArgument, NotFound, ProviderFailed
from vouched.services.store.failures import Damaged, is_damage, translate


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "x.sqlite3", isolation_level=None)
    connection.execute("CREATE TABLE t (x)")
    yield connection
    connection.close()


def raised(connection: sqlite3.Connection, statement: str) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as caught:
        connection.execute(statement)
    return caught.value


def test_a_full_disk(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA max_page_count = 3")
    error = raised(connection, "INSERT INTO t VALUES (zeroblob(1000000))")
    fault = translate(error)
    assert isinstance(fault, ProviderFailed)
    assert "no space" in fault.message
    assert "prune" in fault.hint
    assert not is_damage(error)


def test_a_file_that_may_not_be_written(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only = 1")
    fault = translate(raised(connection, "INSERT INTO t VALUES (1)"))
    assert isinstance(fault, ProviderFailed)
    assert "cannot be read or written" in fault.message
    assert not fault.retryable


def test_a_file_that_another_holds(connection: sqlite3.Connection, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "x.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    connection.execute("PRAGMA busy_timeout = 1")
    fault = translate(raised(connection, "INSERT INTO t VALUES (1)"))
    other.close()
    assert isinstance(fault, ProviderFailed)
    assert fault.retryable


def test_a_file_that_is_broken_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "broken.sqlite3"
    path.write_bytes(b"no database " * 1000)
    connection = sqlite3.connect(path)
    assert is_damage(raised(connection, "SELECT * FROM sqlite_master"))
    connection.close()
    assert is_damage(Damaged("it is no session file"))


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.EIO, "x"), sqlite3.OperationalError("no such table")])
def test_what_is_no_damage(error: Exception) -> None:
    assert not is_damage(error)


@pytest.mark.parametrize(
    ("error", "expected", "said"),
    [
        (OSError(errno.ENOSPC, "full", "/home/somebody/x"), ProviderFailed, "no space"),
        (PermissionError(errno.EACCES, "denied", "/home/somebody/x"), ProviderFailed, "cannot be read or written"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "x"), InvalidArgument, "cannot be stored"),
        (OverflowError("too large"), InvalidArgument, "cannot be stored"),
        (sqlite3.OperationalError("near /home/somebody"), ProviderFailed, "failed"),
        (RuntimeError("/home/somebody/x"), InternalFault, "RuntimeError"),
    ],
)
def test_the_rest(error: Exception, expected: type[Exception], said: str) -> None:
    fault = translate(error)
    assert isinstance(fault, expected)
    assert said in fault.message
    assert "somebody" not in fault.message + fault.hint


def test_a_fault_stays_itself() -> None:
    fault = NotFound("There is none.")
    assert translate(fault) is fault
