"""Folders of photographs, and what a project knows that was made of one."""

import os
from pathlib import Path

import numpy as np
from PIL import Image

from eigenfaces import Gallery, Preparation, find_photos
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.known import known_files
from eigenfaces.project.content import Content
from eigenfaces.project.moved import photograph_paths
from eigenfaces.recognition.recipe import Recipe

SIZE = Preparation(16, 16, already_cropped=True)


def paint(path: Path, seed: int) -> Path:
    """Write a picture that no other seed gives, larger for larger seeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.default_rng(seed).integers(0, 256, (16 + seed, 16), np.uint8)
    Image.fromarray(noise).save(path, "PNG")
    return path


def folder_of_people(home: Path) -> Path:
    """Make a folder of two people with two photographs each."""
    for number, name in enumerate(("Ada/1.png", "Ada/2.png", "Grace/1.png", "Grace/2.png")):
        paint(home / name, number)
    return home


def content_of(folder: Path) -> Content:
    """Return the content of a project to which a folder was added."""
    found = find_photos(folder)
    faces = load_faces(found, SIZE)
    shas = {photo.path: photo.photograph.sha for photo in faces.index.photos}
    files = known_files([photo.path for photo in found.photos], shas)
    gallery = Gallery(faces, SIZE, Recipe())
    return Content(gallery, faces.skipped, files=files, folders=found.folders)


def touch_later(path: Path) -> None:
    """Change the time of a file's last change, and nothing else."""
    state = path.stat()
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 5_000_000_000))


def places(content: Content, below: Path) -> list[str]:
    """Return where the photographs of a content are, below a folder where they are in it."""
    paths = photograph_paths(content)
    return sorted(
        str(path.relative_to(below) if path.is_relative_to(below) else path) for path in paths
    )
