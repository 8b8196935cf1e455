"""Commands on files that never end, never begin or lead nowhere: a sentence and the exit code."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile import BAD, loop, nowhere

from cli.command_line import CROPPED, eigenfaces

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there"),
    pytest.mark.usefixtures("no_waiting"),
]


@pytest.mark.parametrize("bad", BAD)
def test_on_the_command_line(people: Path, bad: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / "file"
    bad(file)
    evaluate = ("evaluate", people, *CROPPED, "--no-curves")
    for said in (
        ("repeat", file),
        ("compare", file, file),
        ("build", file, "-o", tmp_path / "p.eigenfaces"),
        ("faces", file, "-o", tmp_path / "cut"),
        ("recognise", file, people / "Person 1" / "1.png"),
        ("verify", file, people / "Person 1" / "1.png", "Person 1"),
        ("calibrate", file),
        ("build", people, "-o", tmp_path / "p.eigenfaces", "--eyes", file, *CROPPED),
        (*evaluate, "--protocol", "pairs", "--pairs", file),
        (*evaluate, "--protocol", "lists", "--gallery-list", file, "--probe-list", file),
        ("sweep", people, *CROPPED, "-k", 2, "--protocol", "first-3", "-o", file),
    ):
        result = eigenfaces(*said)
        if said[0] == "sweep" and bad in (loop, nowhere):
            assert result.exit_code in (0, 1)  # a table is written where the link leads
        else:
            assert result.exit_code == 1, said
        if result.exit_code == 1:
            assert result.stderr.rstrip().endswith(".")
