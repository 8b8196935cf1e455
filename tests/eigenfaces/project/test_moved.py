"""Photographs that have moved: with a folder, beside their project, or one by one."""

import os
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import WatchedFolder, known_files
from eigenfaces.project.content import Content
from eigenfaces.project.moved import find_moves, missing_paths, relinked
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES


def project_of(folder: Path, number: int = 6) -> Content:
    """Write photographs into two folders, and return a project of them, one not used, one asked."""
    faces = people(np.random.default_rng(number), 2, number // 2)
    photos = []
    for at, photo in enumerate(faces.index.photos):
        path = folder / ("Ada" if at % 2 else "Grace") / f"{at}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((16, 16), at, np.uint8)).save(path)
        sha = content_hash(path.read_bytes())
        photos.append(replace(photo, photograph=replace(photo.photograph, path=path, sha=sha)))
    placed = replace(faces, index=PhotoIndex(tuple(photos)))
    gallery = Gallery(placed, Preparation(16, 16, already_cropped=True), RECIPES["Fisherfaces"])
    unused = folder / "Ada" / "unused.png"
    Image.fromarray(np.full((16, 16), 99, np.uint8)).save(unused)
    paths = [*(photo.path for photo in photos), unused]
    return Content(
        gallery,
        (Skipped(unused, "It shows nobody.", None, "no face"),),
        ProbeList((Probe(photos[0], faces.image(0)),)),
        files=known_files(paths, {}),
        folders=(WatchedFolder(folder),),
    )


def places(content: Content) -> list[Path]:
    """Return all places that a project knows, of whatever kind."""
    faces = [photo.path for photo in content.gallery.index.photos]
    probes = [probe.photo.path for probe in content.probe_list.probes]
    rest = [file.path for file in (*content.unused, *content.files)]
    return [*faces, *probes, *rest, *(folder.path for folder in content.folders)]


def test_a_moved_folder_is_found_by_one_of_its_photographs(tmp_path: Path) -> None:
    old, new = tmp_path / "Pictures", tmp_path / "elsewhere" / "Photos"
    content = project_of(old)
    lost = content.gallery.index.photos[3].path
    new.parent.mkdir()
    shutil.move(old, new)
    assert len(missing_paths(content)) == 7
    moves = find_moves(content, lost, new)
    after = relinked(content, moves)
    assert not missing_paths(after)
    moved = [path for path in places(after) if path != old]
    assert all(path.is_relative_to(new) for path in moved)
    assert [p.id for p in after.gallery.index.photos] == [
        p.id for p in content.gallery.index.photos
    ]
    assert relinked(content, {}) is content


def test_renamed_files_are_found_by_their_content_and_others_are_not_taken(tmp_path: Path) -> None:
    old, new = tmp_path / "Pictures", tmp_path / "Photos"
    content = project_of(old)
    lost = content.gallery.index.photos[0].path
    new.mkdir()
    for at, path in enumerate(sorted(old.rglob("*.png"))):
        path.rename(new / f"renamed {at}.png")
    wrong = new / lost.name  # another picture by the name of a lost one
    Image.fromarray(np.full((16, 16), 200, np.uint8)).save(wrong)
    moves = find_moves(content, lost, new)
    assert len(moves) == 7
    assert wrong not in moves.values()
    assert not find_moves(content, lost, tmp_path / "Pictures")


def test_a_copy_stays_a_copy(tmp_path: Path) -> None:
    old, new = tmp_path / "Pictures", tmp_path / "copy"
    content = project_of(old)
    shutil.copytree(old, new)
    assert find_moves(content, content.gallery.index.photos[0].path, new) == {}


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    content = project_of(tmp_path / "Pictures")
    lost = content.gallery.index.photos[0].path
    shutil.rmtree(tmp_path / "Pictures")
    with pytest.raises(EigenfacesError, match="cannot be read"):
        find_moves(content, lost, tmp_path / "nowhere")


@pytest.mark.parametrize("way", ["move", "copy", "project alone", "photographs alone"])
def test_a_project_beside_its_photographs_moves_with_them(tmp_path: Path, way: str) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    content = project_of(old / "Pictures")
    with closing(Project.create(old / "family.eigenfaces")) as project:
        project.write(content)
    if way == "move":
        old.rename(new)
    elif way == "copy":
        shutil.copytree(old, new)
    elif way == "project alone":
        new.mkdir()
        (old / "family.eigenfaces").rename(new / "family.eigenfaces")
    else:
        new.mkdir()
        (old / "Pictures").rename(new / "Pictures")
    file = (old if way == "photographs alone" else new) / "family.eigenfaces"
    home = new if way in ("move", "copy") else old
    for _ in range(2):  # also when it is opened again
        with closing(Project.open(file)) as project:
            assert all(path.is_relative_to(home) for path in places(project.content))
            assert project.gallery.people == content.gallery.people


def test_one_that_is_read_only_uses_what_is_beside_it_and_is_not_written(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    content = project_of(old / "Pictures")
    with closing(Project.create(old / "family.eigenfaces")) as project:
        project.write(content)
    shutil.copytree(old, new)
    before = (new / "family.eigenfaces").read_bytes()
    with closing(Project.open(new / "family.eigenfaces", shared=True)) as project:
        assert all(path.is_relative_to(new) for path in places(project.content))
    assert (new / "family.eigenfaces").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="names that are no text")
def test_names_that_are_no_text_move_as_well(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    content = project_of(old / os.fsdecode(b"Bilder \xff"))
    with closing(Project.create(old / "family.eigenfaces")) as project:
        project.write(content)
    old.rename(new)
    with closing(Project.open(new / "family.eigenfaces")) as project:
        assert all(path.is_relative_to(new) for path in places(project.content))
