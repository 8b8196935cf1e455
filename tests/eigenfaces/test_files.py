"""Files are written whole or not at all, and nothing unfinished stays."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from eigenfaces import EigenfacesError, Project
from eigenfaces.files import atomic_write, atomic_writes, clear_unfinished

LEAVE = """
import os, signal, sys
from pathlib import Path
from eigenfaces import Project
from eigenfaces.files import atomic_write
target = Path(sys.argv[1])
if sys.argv[2] == "project":
    import eigenfaces.project.project as module
    module.lock_for_replacement = lambda path: os.kill(os.getpid(), signal.SIGKILL)
    Project.create(target)
with atomic_write(target) as part:
    if sys.argv[2] == "folder":
        part.mkdir()
        part = part / "face.png"
    part.write_bytes(b"a face")
    Path(f"{part}-journal").write_bytes(b"a face")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def hidden(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.name.startswith(".")]


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes to kill")
@pytest.mark.parametrize("what", ["file", "folder", "project"])
def test_leftovers_of_a_killed_process_go_with_the_next_save(tmp_path: Path, what: str) -> None:
    """Or with the next start, as the tests of kills show."""
    subprocess.run([sys.executable, "-c", LEAVE, str(tmp_path / "x"), what], check=False)
    assert hidden(tmp_path)
    if what == "project":
        Project.create(tmp_path / "another.eigenfaces").close()
    else:
        write(tmp_path / "another.txt")
    assert hidden(tmp_path) == []


def test_leftovers_of_a_living_process_or_another_computer_stay(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "x") as part:
        part.write_bytes(b"x")
        mine = part.name
        alive = mine.replace(f".{os.getpid()}-", f".{os.getppid()}-")
        elsewhere = mine.replace(mine.split(".")[2], "another-computer")
        not_ours = [".x.1234.part", ".x.part", "x.eigenfaces-part", ".x-journal"]
        for name in (alive, elsewhere, *not_ours):
            (tmp_path / name).touch()
        clear_unfinished(tmp_path)
        left = {mine, alive, elsewhere, *not_ours}
        assert {*hidden(tmp_path), "x.eigenfaces-part"} == left


def test_a_name_that_is_too_long_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EigenfacesError, match="cannot be written"):
        write(tmp_path / ("a" * 300))
    assert hidden(tmp_path) == []


def write(path: Path) -> None:
    with atomic_write(path) as part:
        part.write_bytes(b"x")


def test_an_empty_folder_is_filled_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "faces"
    folder.mkdir(mode=0o700)

    def fill(meanwhile: str) -> None:
        with atomic_write(folder) as part:
            part.mkdir()
            for name in ("1.png", "2.png"):
                (part / name).write_text("new")
            if meanwhile:
                (folder / meanwhile).write_text("a diary")

    with pytest.raises(EigenfacesError, match="faces” cannot be written"):
        fill("2.png")
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [("2.png", "a diary")]
    (folder / "2.png").unlink()
    fill("")
    assert sorted(file.name for file in folder.iterdir()) == ["1.png", "2.png"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [*tmp_path.iterdir()] == [folder]


def test_an_error_is_called_what_it_is(tmp_path: Path) -> None:
    """NumPy states no number, and a file that is read while another is written is not the other."""
    target, source = tmp_path / "out.npy", tmp_path / "in.npy"

    def fail(error: OSError) -> str:
        with pytest.raises(EigenfacesError) as told, atomic_write(target):
            raise error
        return str(told.value)

    full = OSError("12 requested and 0 written")
    assert fail(full) == f"“{target}” cannot be written: 12 requested and 0 written."
    assert fail(OSError()) == f"“{target}” cannot be written: no reason is given."
    gone = FileNotFoundError(2, "No such file or directory", str(source))
    assert fail(gone) == (
        f"“{target}” cannot be written: “{source}” cannot be used: No such file or directory."
    )
    assert list(tmp_path.iterdir()) == []


NAMES = "page.html", "page.json", "page-scores.txt"


@pytest.mark.parametrize("fails", NAMES)
def test_several_files_are_moved_when_all_are_written_and_what_is_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    targets = [tmp_path / name for name in NAMES]
    for target in targets:
        target.write_text("old")

    def write_all(*spoilt: str) -> None:
        with atomic_writes(targets) as parts:
            for part, target in zip(parts, targets, strict=True):
                if target.name in spoilt:
                    part.mkdir()
                part.write_text("new")
                assert {target.read_text() for target in targets} == {"old"}

    with pytest.raises(EigenfacesError, match=rf"{fails}” cannot be written: Is a directory\.$"):
        write_all(fails)
    assert {target.read_text() for target in targets} == {"old"}

    replace = Path.replace

    def replaced(part: Path, target: Path) -> Path:
        if target.name == fails:
            raise PermissionError(13, "Permission denied", str(part))
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", replaced)
    at = NAMES.index(fails)
    sentence = re.escape(f"“{targets[at]}” cannot be written: Permission denied.")
    with pytest.raises(EigenfacesError, match=f"^{sentence}") as told:
        write_all()
    assert [target.read_text() for target in targets] == ["new"] * at + ["old"] * (3 - at)
    new = ", ".join(f"“{name}”" for name in NAMES[:at])
    old = ", ".join(f"“{name}”" for name in NAMES[at:])
    assert (f"Already replaced: {new}. Unchanged: {old}." in str(told.value)) == (at > 0)
    assert hidden(tmp_path) == []
