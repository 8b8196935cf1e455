"""A project file may come from anybody: whatever is in it, a sentence comes of it, no verdict."""

import contextlib
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hostile_projects import CASES, HEADERS, in_the_header, make, said_of, sound_project
from project_states import digest

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "sound.eigenfaces"
    sound_project(path)
    return path.read_bytes()


@pytest.mark.parametrize("name", [*CASES, *HEADERS])
def test_a_sentence(sound: bytes, path: Path, name: str) -> None:
    if name in CASES:
        make(path, sound, CASES[name])
    else:
        path.write_bytes(in_the_header(sound, *HEADERS[name]))
    content = path.read_bytes()
    sentences = said_of(path)
    assert sentences
    for sentence in sentences:
        assert (sentence[0] in "“TS", sentence[-1]) == (True, ".")
        assert "object" not in sentence
        assert "Traceback" not in sentence
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == content  # nothing was run, and nothing mended


def test_the_sound_one_is_sound(sound: bytes, path: Path) -> None:
    """Else the others would show nothing. One set to another journal is changed as ours are."""
    make(path, sound, [])
    assert said_of(path) == []
    with contextlib.closing(Project.open(path)) as project:
        assert project.gallery.calibrated is not None
        assert project.gallery.answers
        assert project.probe_list.probes
    path.write_bytes(in_the_header(sound, 18, b"\2\2"))
    assert said_of(path) == []
    assert path.read_bytes()[18:20] == b"\1\1"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_text_that_is_none_is_damage(sound: bytes, path: Path) -> None:
    path.write_bytes(sound)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE face SET crop = CAST(x'41ff' AS TEXT) WHERE rowid = 1")
    with pytest.raises(ProjectError, match=r"“people\.eigenfaces” is damaged .* backup copy"):
        Project.open(path)


def test_a_fault_of_the_program_is_no_damage(
    sound: bytes, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise AttributeError("a fault of the program")

    path.write_bytes(sound)
    monkeypatch.setattr("eigenfaces.project.project.load_content", fault)
    with pytest.raises(AttributeError):
        Project.open(path)


def digest_of(path: Path, gallery: Gallery) -> str:
    """Digest of what is opened, whose faces are some of these; or "" where that is refused."""
    try:
        project = Project.open(path)
    except ProjectError:
        return ""
    with contextlib.closing(project):
        for crop in project.gallery.faces.pixels.array:
            assert (gallery.faces.pixels.array == crop).all(axis=1).any()
        return digest(project.gallery)


def test_damage_is_a_sentence_and_no_face_is_another_than_it_was(
    project: Project, path: Path, gallery: Gallery
) -> None:
    """Bytes flipped, the end cut off, holes: refused, or nothing was lost but what was empty."""
    expected = digest(project.gallery)
    project.close()
    whole, rng, digests = path.read_bytes(), np.random.default_rng(1), []
    for number, place in enumerate([*range(100), *rng.integers(100, len(whole), 400).tolist()]):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8)) if number % 2 else 0xFF
        path.write_bytes(damaged)
        digests.append(digest_of(path, gallery))
    assert digests.count("") > 100
    assert digests.count(expected) > 100  # in unused room
    lengths = [1, 15, 16, 99, 100, 4096, len(whole) - 1, *rng.integers(0, len(whole), 40)]
    holes = (
        whole[:page] + bytes(4096) + whole[page + 4096 :] for page in range(0, len(whole), 4096)
    )
    for content in (*(whole[:length] for length in lengths), *holes):
        path.write_bytes(content)
        assert digest_of(path, gallery) in ("", expected)
