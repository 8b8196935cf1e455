"""A damaged file: it opens as a project whose faces are right, or ends in a sentence."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from project_states import digest

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError


def opened(path: Path, gallery: Gallery) -> str:
    """Digest of what is opened, whose faces are some of these; or "" where that is refused."""
    try:
        project = Project.open(path)
    except ProjectError:
        return ""
    with contextlib.closing(project):
        for crop in project.gallery.faces.pixels.held:
            assert (gallery.faces.pixels.held == crop).all(axis=1).any()
        return digest(project.gallery)


def test_a_fault_of_the_program_is_no_damage(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise AttributeError("a fault of the program")

    project.close()
    monkeypatch.setattr("eigenfaces.project.content._read_crops", fault)
    with pytest.raises(AttributeError):
        Project.open(path)


def test_flipped_bytes(project: Project, path: Path, gallery: Gallery) -> None:
    """No sentence is missing, and no face is another than it was."""
    expected = digest(project.gallery)
    project.close()
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [*range(100), *rng.integers(100, len(whole), 400).tolist()]
    found = []
    for number, place in enumerate(places):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8)) if number % 2 else 0xFF
        path.write_bytes(damaged)
        found.append(opened(path, gallery))
    assert found.count("") > 100
    assert found.count(expected) > 100  # in unused room


def test_cut_off_and_with_holes(project: Project, path: Path, gallery: Gallery) -> None:
    """It is refused; or nothing was lost but what was empty."""
    expected = digest(project.gallery)
    project.close()
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for length in [1, 15, 16, 99, 100, 4096, len(whole) - 1, *rng.integers(0, len(whole), 40)]:
        path.write_bytes(whole[:length])
        assert opened(path, gallery) in ("", expected)
    for page in range(0, len(whole), 4096):
        path.write_bytes(whole[:page] + bytes(4096) + whole[page + 4096 :])
        assert opened(path, gallery) in ("", expected)
