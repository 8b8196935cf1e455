"""The process: how many threads it takes; after Ctrl-C nothing is left, as an exit code says."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

WAITING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
import {module} as place
def wait(*given, **named):
    print("here", flush=True)
    for _ in range(600):  # a signal that comes just before one long sleep would not end it
        time.sleep(0.1)
{place} = wait
from eigenfaces.cli import app
app(sys.argv[1:])
"""

IMPORTING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.{handler})
class Interrupt:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt)
from eigenfaces.__main__ import main
main()
"""

STOPPED = "Stopped. Nothing is left half-written."


@pytest.fixture
def unchanged(project: Path, stranger: Path, tmp_path: Path) -> Iterator[Path]:
    """The folder of a project; after the test, nothing may have come, gone or changed in it."""
    files, whole = set(tmp_path.rglob("*")), project.read_bytes()
    yield tmp_path
    assert set(tmp_path.rglob("*")) == files
    assert project.read_bytes() == whole


@pytest.mark.parametrize(
    ("command", "module", "place"),
    [
        ("build Photos* -o FILE --already-cropped --overwrite", "pathlib", "Path.replace"),
        ("components FILE -o out", "PIL.Image", "Image.save"),
        ("evaluate FILE --protocol first-3 -o x.json", "eigenfaces.evaluation.run", "search"),
    ],
    ids=lambda value: value.split()[0],
)
def test_ctrl_c_leaves_nothing(unchanged: Path, command: str, module: str, place: str) -> None:
    program = WAITING.format(module=module, place=f"place.{place}")
    with subprocess.Popen(
        [sys.executable, "-c", program, *command.replace("FILE", "people.eigenfaces").split()],
        cwd=unchanged,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (out, err.splitlines()[-1]) == ("", STOPPED)


@pytest.mark.parametrize(
    ("module", "handler", "code"),
    [
        ("eigenfaces.cli", "default_int_handler", 130),
        ("rich.table", "default_int_handler", 130),
        ("typer", "SIG_IGN", 0),  # as a shell lets jobs in the background
    ],
)
def test_ctrl_c_in_the_first_second(unchanged: Path, module: str, handler: str, code: int) -> None:
    """Whatever is just being imported."""
    program = IMPORTING.format(module=module, handler=handler)
    ended = subprocess.run(
        [sys.executable, "-c", program, "info", "people.eigenfaces"],
        cwd=unchanged,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (ended.returncode, ended.stderr) == (code, f"{STOPPED}\n" if code else "")


@pytest.mark.parametrize("stated", [None, "3"])
def test_a_core_is_left_before_numpy_is_loaded(stated: str | None) -> None:
    code = (
        "import os, sys; from eigenfaces.threads import limit_blas_threads; "
        "assert 'numpy' not in sys.modules; limit_blas_threads(); "
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    around = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    around |= {"OPENBLAS_NUM_THREADS": stated} if stated else {}
    printed = subprocess.check_output([sys.executable, "-c", code], env=around, text=True)
    assert int(printed) == int(stated or max(1, (os.cpu_count() or 2) - 1))
