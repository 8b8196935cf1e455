"""Commands on files that never end, never begin or lead nowhere: a sentence and the exit code."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile import BAD

from cli.command_line import CROPPED, eigenfaces, failure, printed
from eigenfaces.project.project import Project

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there"),
    pytest.mark.usefixtures("no_waiting"),
]


@pytest.mark.parametrize("bad", BAD)
def test_on_the_command_line(people: Path, bad: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / "file"
    bad(file)
    for command in (
        ("repeat", file),
        ("build", file, "-o", tmp_path / "p.eigenfaces"),
        ("recognise", file, people / "Person 1" / "1.png"),
        ("build", people, "-o", tmp_path / "p.eigenfaces", "--eyes", file, *CROPPED),
        ("evaluate", people, *CROPPED, "--protocol", "pairs", "--pairs", file),
    ):
        result = eigenfaces(*command)
        assert result.exit_code == 1, command
        assert result.stderr.rstrip().endswith(".")


def test_a_pipe_is_never_replaced(project: Path, tmp_path: Path) -> None:
    """Nor is a device, such as /dev/null, where a link leads there."""
    pipe, link = tmp_path / "pipe.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    sweep = ("sweep", project, "--grid", "k=2", "--protocol", "first-3")
    for command in (("build", tmp_path), sweep):
        for output in (pipe, link):
            assert "is a device or a pipe" in failure(*command, "-o", output, "--overwrite")
    assert pipe.is_fifo()


def test_reasons_that_hold_a_name_that_is_no_text(people: Path, tmp_path: Path) -> None:
    odd = people / "Person 1" / os.fsdecode(b"0\xff.png")
    odd.write_bytes((people / "Person 1" / "1.png").read_bytes())
    built = printed("build", people, "-o", tmp_path / "p.eigenfaces", *CROPPED, code=3)
    assert "It is the same file as “0�.png”" in built
    with contextlib.closing(Project.open(tmp_path / "p.eigenfaces")) as opened:
        assert [file.reason for file in opened.unused] == [
            r"It is the same file as “0\udcff.png”, which is kept."
        ]
