"""A project file may come from anybody: whatever is in it, a sentence comes of it, no verdict."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from hostile_projects import CASES, HEADERS, in_the_header, make, said_of, sound_project

from eigenfaces import Project
from eigenfaces.errors import ProjectError


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "sound.eigenfaces"
    sound_project(path)
    return path.read_bytes()


@pytest.mark.parametrize("name", [*CASES, *HEADERS])
def test_a_sentence(sound: bytes, tmp_path: Path, name: str) -> None:
    path = tmp_path / "hostile.eigenfaces"
    if name in CASES:
        make(path, sound, CASES[name])
    else:
        path.write_bytes(in_the_header(sound, *HEADERS[name]))
    content = path.read_bytes()
    sentences = said_of(path)
    assert sentences
    for sentence in sentences:
        assert sentence[0] in "“TS"
        assert sentence[-1] == "."
        assert "object" not in sentence
        assert "Traceback" not in sentence
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == content  # nothing was run, and nothing mended


def test_the_sound_one_is_sound(sound: bytes, tmp_path: Path) -> None:
    """Else the others would show nothing."""
    path = tmp_path / "sound.eigenfaces"
    make(path, sound, [])
    assert said_of(path) == []
    with contextlib.closing(Project.open(path)) as project:
        assert project.gallery.calibrated is not None
        assert project.gallery.answers
        assert project.probe_list.probes


def test_a_text_that_is_none_is_damage(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.eigenfaces"
    path.write_bytes(sound)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE face SET crop = CAST(x'41ff' AS TEXT) WHERE rowid = 1")
    with pytest.raises(ProjectError, match=r"“other\.eigenfaces” is damaged .* backup copy"):
        Project.open(path)


def test_one_that_another_program_has_set_to_another_journal(sound: bytes, tmp_path: Path) -> None:
    """It opens, and is changed as ours are from then on."""
    path = tmp_path / "other.eigenfaces"
    path.write_bytes(in_the_header(sound, 18, b"\2\2"))
    assert said_of(path) == []
    assert path.read_bytes()[18:20] == b"\1\1"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
