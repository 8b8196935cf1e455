"""Ctrl-C: nothing is left behind, and an exit code says so."""

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


@pytest.fixture
def unchanged(project: Path, stranger: Path, tmp_path: Path) -> Iterator[Path]:
    """The folder of a project; after the test, nothing may have come, gone or changed in it."""
    there, whole = set(tmp_path.rglob("*")), project.read_bytes()
    yield tmp_path
    assert set(tmp_path.rglob("*")) == there
    assert project.read_bytes() == whole


BUILD = ("build", "--sample", "-o", "new.eigenfaces")
REPLACE = ("build", "--sample", "-o", "people.eigenfaces", "--overwrite")
COMPONENTS = ("components", "people.eigenfaces", "-o", "out")
FACES = ("faces", "Photos of Zoë", "-o", "cut", "--already-cropped")
REBUILD = ("reconstruct", "people.eigenfaces", "stranger.png", "-k", "2", "-o", "x.png")
SMALL = ("--already-cropped", "--height", "32", "--width", "24", "--protocol", "first-3")
EVALUATE = ("evaluate", "Photos of Zoë", *SMALL, "--no-curves", "-o", "report.json")
SWEEP = ("sweep", "Photos of Zoë", *SMALL, "--grid", "k=2", "-o", "table.csv")


@pytest.mark.parametrize(
    ("said", "module", "place"),
    [
        (BUILD, "eigenfaces.importing.load", "place.Originals.of"),
        (BUILD, "eigenfaces.recognition.features", "place.decompose"),
        (BUILD, "pathlib", "place.Path.replace"),
        (REPLACE, "pathlib", "place.Path.replace"),
        (COMPONENTS, "PIL.Image", "place.Image.save"),
        (COMPONENTS, "pathlib", "place.Path.replace"),
        (FACES, "PIL.Image", "place.Image.save"),
        (FACES, "pathlib", "place.Path.replace"),
        (REBUILD, "pathlib", "place.Path.replace"),
        (EVALUATE, "eigenfaces.evaluation.run", "place.search"),
        (EVALUATE, "pathlib", "place.Path.replace"),
        (SWEEP, "pathlib", "place.Path.replace"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_ctrl_c_leaves_nothing_behind(
    unchanged: Path, said: tuple[str, ...], module: str, place: str
) -> None:
    program = WAITING.format(module=module, place=place)
    with subprocess.Popen(
        [sys.executable, "-c", program, *said],
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
    assert (out, err.splitlines()[-1]) == ("", "Stopped. Nothing is left half-written.")


IMPORTING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.{then})
class Interrupt:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt)
from eigenfaces.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("module", "then", "ended"),
    [
        ("eigenfaces.cli", "default_int_handler", 130),
        ("numpy.linalg._umath_linalg", "default_int_handler", 130),
        ("rich.table", "default_int_handler", 130),
        ("typer", "SIG_IGN", 0),  # as a shell lets jobs in the background
    ],
)
def test_ctrl_c_in_the_first_second(unchanged: Path, module: str, then: str, ended: int) -> None:
    """Whatever is just being imported."""
    program = IMPORTING.format(module=module, then=then)
    said = subprocess.run(
        [sys.executable, "-c", program, "info", "people.eigenfaces"],
        cwd=unchanged,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert said.returncode == ended
    assert said.stderr == ("Stopped. Nothing is left half-written.\n" if ended else "")
