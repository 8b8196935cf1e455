"""The result table in a terminal that does not know every letter, and the split behind it."""

import subprocess
import sys
from pathlib import Path

from eigenfaces import load_sample
from eigenfaces.cli.no_display import split_sample

ROOT = Path(__file__).resolve().parents[3]


def test_the_split() -> None:
    enrolled, probes = split_sample(load_sample())
    assert (len(enrolled), len(probes)) == (320, 80)
    assert {photo.path.stem for photo in enrolled.photos} == {str(i) for i in range(1, 9)}
    assert {photo.path.stem for photo in probes.photos} == {"9", "10"}


def test_a_terminal_without_the_letters() -> None:
    code = (
        "import main, sys; sys.stdout.reconfigure(encoding='ascii', errors='strict');"
        "from eigenfaces.cli.no_display import recognise_sample; recognise_sample()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "L1" in ended.stdout
    assert "96.25 (90?99)" in ended.stdout
