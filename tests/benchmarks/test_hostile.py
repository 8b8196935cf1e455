"""Each crafted project in a process of its own: at most a second, at most 300 MB."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = Path(__file__).parents[1] / "eigenfaces/project/hostile_projects.py"
sys.path[:0] = [str(_PROGRAM.parent), str(_PROGRAM.parents[1])]

from hostile_projects import CASES, HEADERS, in_the_header, make, sound_project  # noqa: E402


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "sound.eigenfaces"
    sound_project(path)
    return path.read_bytes()


def test_time_and_memory(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "hostile.eigenfaces"
    slowest, largest = (0.0, ""), (0.0, "")
    for name in (*CASES, *HEADERS):
        if name in CASES:
            make(path, sound, CASES[name])
        else:
            path.write_bytes(in_the_header(sound, *HEADERS[name]))
        said, seconds, megabytes = json.loads(
            subprocess.check_output([sys.executable, _PROGRAM, path], timeout=60)
        )
        assert said, name
        slowest, largest = max(slowest, (seconds, name)), max(largest, (megabytes, name))
    print(
        f"\n{len(CASES) + len(HEADERS)} files; the slowest {slowest[0] * 1000:.0f} ms"
        f" ({slowest[1]}), the largest process {largest[0]:.0f} MB ({largest[1]})"
    )
    assert slowest[0] < 1
    assert largest[0] < 300
