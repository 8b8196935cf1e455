"""Killed at any moment, a project opens in the state before or after, never between."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, states

from eigenfaces import Project
from eigenfaces.errors import ProjectError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes to kill")


class Server:
    """Starts runs in processes of their own, quickly."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("project_states.py")
        self.process = subprocess.Popen(
            [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run_and_kill(
        self, path: Path, setting: tuple[int, str, int], after: int, moment: float
    ) -> tuple[dict[int, str], int]:
        """Kill a run some seconds after it has begun to save a state.

        Return the digests of the states it tried, by number, and the last that was confirmed.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(path, *setting, sep="\t", file=self.process.stdin, flush=True)
        tried, confirmed, pid, killed = dict[int, str](), -1, 0, False
        for line in self.process.stdout:
            word, digits, hashed = line.split()
            number = int(digits)
            if word == "end":
                break
            if word == "pid":
                pid = number
            elif word == "try":
                tried[number] = hashed
            elif word == "done":
                confirmed = number
            reached = word == "all" or max(tried, default=-1) >= after
            if pid and reached and not killed:
                end = time.perf_counter() + moment
                while time.perf_counter() < end:
                    pass
                os.kill(pid, signal.SIGKILL)
                killed = True
        return tried, confirmed


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.process.kill()
    server.process.communicate()


def check(path: Path, tried: dict[int, str], confirmed: int) -> None:
    """Assert that the file is a state not older than the last confirmed, and at most one newer."""
    if not path.exists():
        assert confirmed < 0
        return
    with contextlib.closing(Project.open(path)) as project:
        assert [file.name for file in path.parent.iterdir() if file.name.startswith(".")] == []
        assert digest(project.gallery) in (tried.get(confirmed), tried.get(confirmed + 1))
        if project.gallery.people:  # and work goes on
            project.save(project.gallery.rename(project.gallery.people[0], "Goes on"))


STATES = len(list(states(0, 16)))


def kill_often(
    server: Server, folder: Path, kills: int, side: int, longest: float, way: str = "save"
) -> None:
    """Kill while states are saved, at most so many seconds after one has begun, and few before."""
    rng = np.random.default_rng(side)
    while_saving = 0
    for kill in range(kills):
        path = folder / f"{kill}.eigenfaces"
        after, moment = int(rng.integers(0, STATES)), longest * float(rng.random()) ** 2
        tried, confirmed = server.run_and_kill(path, (side, way, max(0, after - 4)), after, moment)
        assert max(tried) >= after
        while_saving += max(tried) > confirmed
        check(path, tried, confirmed)
        path.unlink(missing_ok=True)
    assert while_saving > kills / 4  # else this test would show nothing


def restore_often(server: Server, folder: Path, kills: int) -> None:
    """Kill while states are saved; then put a backup over the file, and leave its journal there."""
    rng = np.random.default_rng(3)
    path, backup = folder / "restored.eigenfaces", folder / "backup"
    journals = 0
    for kill in range(kills):
        with contextlib.closing(Project.open(path) if path.exists() else Project.create(path)) as p:
            expected = digest(p.gallery)
        shutil.copy(path, backup)
        after, moment = int(rng.integers(0, STATES)), 0.08 * float(rng.random()) ** 2
        server.run_and_kill(path, (160, "save", max(0, after - 4)), after, moment)
        journal = path.with_name(f"{path.name}-journal")
        journals += journal.exists() and journal.stat().st_size > 0
        shutil.copy(backup, path)
        try:
            Project.open(path).close()
        except ProjectError as error:
            assert "Move it elsewhere" in str(error)  # noqa: PT017
            journal.unlink()
        with contextlib.closing(Project.open(path)) as project:
            assert digest(project.gallery) == expected
            if project.gallery.people:
                project.save(project.gallery.rename(project.gallery.people[0], f"Goes on {kill}"))
    assert journals > kills / 8  # else this test would show nothing


@pytest.mark.parametrize(
    ("kills", "side", "longest", "way"),
    [
        (30, 16, 0.02, "save"),
        (15, 160, 0.15, "save"),
        (12, 100, 0.1, "save as"),
        (12, 60, 0.03, "staging"),
    ],
)
def test_killed_at_any_moment(
    server: Server, tmp_path: Path, kills: int, side: int, longest: float, way: str
) -> None:
    """Small faces for many moments; large ones so that transactions take long enough to be hit."""
    kill_often(server, tmp_path, kills, side, longest, way)


def test_a_backup_is_restored_after_a_kill(server: Server, tmp_path: Path) -> None:
    restore_often(server, tmp_path, 20)
