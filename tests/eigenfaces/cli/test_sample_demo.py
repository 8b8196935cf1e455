"""The result table in a terminal that does not know every letter."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_a_terminal_without_the_letters() -> None:
    code = (
        "import main, sys; sys.stdout.reconfigure(encoding='ascii', errors='strict');"
        "from eigenfaces.cli.sample_demo import recognise_sample; recognise_sample()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "L1" in ended.stdout
    assert "96.25 (88?99)" in ended.stdout
    assert "Person 05, image 10: closest is Person 40, at 8.585" in ended.stdout
