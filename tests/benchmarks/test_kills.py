"""4,000 kills: while saving, while saving elsewhere, while 100 MB are stored, and with a backup."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "eigenfaces" / "project"), str(TESTS)]

from measuring import draws  # noqa: E402
from test_project_kill import Server, kill_often, restore_often, server  # noqa: E402

__all__ = ["server"]


@pytest.mark.parametrize(("kills", "side", "longest"), [(400, 160, 0.15), (2000, 16, 0.02)])
def test_while_saving(server: Server, tmp_path: Path, kills: int, side: int, longest: float):
    kill_often(server, tmp_path, len(draws(kills)), side, longest)


@pytest.mark.parametrize("way", ["staging", "save"])
def test_while_100_mb_are_stored(server: Server, tmp_path: Path, way: str) -> None:
    kill_often(server, tmp_path, len(draws(500)), 160, 0.03, way)


def test_while_saving_elsewhere(server: Server, tmp_path: Path) -> None:
    kill_often(server, tmp_path, len(draws(400)), 160, 0.15, "save as")


def test_with_a_backup_put_back(server: Server, tmp_path: Path) -> None:
    restore_often(server, tmp_path, len(draws(200)))
