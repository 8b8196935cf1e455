"""A build that was stopped goes on where it was; what it did not use is in a file beside it."""

import contextlib
import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from decodes import write_photographs

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.cli import running
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces import face_reading
from eigenfaces.faces.findings import FOUND
from eigenfaces.photographs.photos import Skipped

STOPPING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
from eigenfaces.faces import face_reading
from eigenfaces.importing import intake
search, intake.os.cpu_count = face_reading.find_faces, lambda: 1
left = [3]
def find(grey):
    if not left[0]:
        print("here", flush=True)
        os.kill(os.getpid(), signal.{signal})
        import time
        time.sleep(1)
    left[0] -= 1
    return search(grey)
face_reading.find_faces = find
from eigenfaces.cli import app
app(sys.argv[1:])
"""


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    return write_photographs(tmp_path / "people")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("ended", ["SIGKILL", "SIGINT"])
def test_a_stopped_build_goes_on(
    photographs: Path, tmp_path: Path, ended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = eigenfaces("build", photographs, "-o", tmp_path / "whole.eigenfaces")
    FOUND.forget()
    file = tmp_path / "new.eigenfaces"
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPING.format(signal=ended), "build", photographs, "-o", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert stopped.returncode == (130 if ended == "SIGINT" else -signal.SIGKILL)
    assert not file.exists()
    kept = Path(f"{file}.unfinished")
    assert kept.is_file()
    searched = []
    search = face_reading.find_faces
    monkeypatch.setattr(face_reading, "find_faces", lambda grey: searched.append(1) or search(grey))
    again = eigenfaces("build", photographs, "-o", file)
    # Ctrl-C waits for the photograph that is being searched; there are six.
    done = 6 - len(searched)
    assert done in ((3, 4) if ended == "SIGINT" else (3,))
    assert f"What it found in {done} photographs is used again" in again.stderr
    assert "other photograph" not in again.stderr
    assert again.stdout.replace("new.", "whole.") == whole.stdout
    one, other = opened(file), opened(tmp_path / "whole.eigenfaces")
    assert one.faces.index.photos == other.faces.index.photos
    assert (one.faces.pixels.held == other.faces.pixels.held).all()
    assert not kept.exists()


BUSY = """
import sys
from pathlib import Path
from eigenfaces.project.atomic_files import alone_with
with alone_with(Path(sys.argv[1])):
    print("here", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("killed", [False, True])
def test_while_a_project_is_built_no_other_build_begins_it(
    people: Path, tmp_path: Path, killed: bool
) -> None:
    file = tmp_path / "new.eigenfaces"
    command = [sys.executable, "-c", BUSY, file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline().strip() == b"here"
        said = failure("build", people, "-o", file, *CROPPED)
        assert "“new.eigenfaces” is being made by another process at this moment" in said
        assert "choose another name" in said
        assert not file.exists()
        if killed:
            first.kill()
            if hasattr(os, "waitid"):  # it ends, and stays a zombie until its parent asks for it
                os.waitid(os.P_PID, first.pid, os.WEXITED | os.WNOWAIT)
            else:
                first.wait()
            assert eigenfaces("build", people, "-o", file, *CROPPED).exit_code == 0
    again = eigenfaces("build", people, "-o", file, "--overwrite", *CROPPED)
    assert again.exit_code == 0
    assert [path.name for path in tmp_path.iterdir() if path.name[0] == "."] == []


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("report.html", "evaluate --sample --figures f -o"),
        ("f", "evaluate --sample -o report.html --figures"),
        ("figures.csv", "sweep --sample --grid k=5 -o"),
        ("components", "components --pictures digits -o"),
        ("line.svg", "lesson variance -o"),
    ],
)
def test_what_another_process_makes_is_not_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    """The one that came later would take the place of the first at its end, unasked."""
    monkeypatch.chdir(tmp_path)
    other = [sys.executable, "-c", BUSY, tmp_path / name]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline().strip() == b"here"
        said = failure(*command.split(), name)
        assert f"“{name}” is being made by another process at this moment" in said
        first.communicate(b"\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "check", [running.check_new_folder, lambda place: running.check_new(place, overwrite=False)]
)
def test_what_another_process_has_just_made_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Path], None]
) -> None:
    """It ends just before this one has its output for itself."""
    place = tmp_path / "made"

    @contextlib.contextmanager
    def after_another(target: Path) -> Iterator[None]:
        target.mkdir()
        (target / "1.png").touch()
        yield

    monkeypatch.setattr(running, "alone_with", after_another)
    with running.until_the_end, pytest.raises(EigenfacesError, match="made"):
        check(place)


def test_what_was_not_used_is_listed_in_a_file(photographs: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "new.eigenfaces", tmp_path / "new.not-used.csv"
    built = eigenfaces("build", photographs, "-o", file)
    with listed.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert {(Path(row["photo"]).name, row["person"], row["kind"]) for row in rows} >= {
        ("two.png", "Grace", "several faces"),
        ("none.png", "Grace", "no face"),
        ("broken.jpg", "Grace", "unreadable"),
    }
    assert f"{len(rows)} photographs were not used: " in built.stdout
    assert "1 several faces" in built.stdout
    assert "new.not-used.csv” lists them all." in built.stdout
    for row in rows:
        Path(row["photo"]).unlink()
    again = eigenfaces("build", photographs, "-o", file, "--overwrite")
    assert again.exit_code == 0
    assert not listed.exists()


def test_what_was_found_in_other_photographs_is_said_to_go(
    people: Path, photographs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new.eigenfaces"
    stopped = [sys.executable, "-c", STOPPING.format(signal="SIGKILL"), "build", photographs]
    subprocess.run([*stopped, "-o", file], capture_output=True, check=False)
    assert Path(f"{file}.unfinished").is_file()
    said = eigenfaces("build", people, "-o", file, *CROPPED).stderr
    assert "What it found in 3 photographs is used again where they are the same." in said
    assert "What it found in 3 other photographs was not needed now, and is not kept." in said


def test_a_file_in_the_way_is_never_replaced(people: Path, tmp_path: Path) -> None:
    file, way = tmp_path / "new.eigenfaces", tmp_path / "new.not-used.csv"
    way.write_text("a diary")
    for more in ((), ("--overwrite",)):
        said = failure("build", people, "-o", file, *CROPPED, *more)
        assert "new.not-used.csv" in said
        assert "Move it elsewhere" in said
    assert way.read_text() == "a diary"
    way.unlink()
    (tmp_path / "new.eigenfaces.unfinished").write_text("a diary")
    said = eigenfaces("build", people, "-o", file, *CROPPED).stderr
    assert "in the way" in said
    assert "kept in" not in said, "somebody's file is not what was found"
    assert not file.exists()


def test_a_thousand_unused_photographs_are_five_lines() -> None:
    from eigenfaces.cli.plaintext import unused_text

    skipped = [Skipped(Path(f"{n}.jpg"), "None.", kind="no face") for n in range(1128)]
    skipped[7] = Skipped(Path("7.jpg"), "It is empty.")
    text = unused_text(skipped, 80, "All are in a file.")
    assert text.startswith(
        "1,128 photographs were not used: 1,127 no face found, 1 cannot be used."
    )
    assert len(text.splitlines()) == 9
    assert "and 1,123 more." in text


def test_without_a_terminal_progress_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(running, "monotonic", lambda: now[0])
    with running.progress("Reading photographs") as tick:
        for done in range(2001):
            tick(done, 2000)
            now[0] += 1 / 16
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 12
    assert lines[0] == "Reading photographs: 160 of 2,000 (8%)."
    with running.progress("Reading photographs") as tick:
        for done in range(101):
            tick(done, 100)
            now[0] += 1 / 16
    assert capsys.readouterr().err == ""
