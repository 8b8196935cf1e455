"""Write a small project of each recipe, as this version of the program does: once for each version.

``python tests/eigenfaces/project/frozen.py tests/eigenfaces/project/version-1.tar.xz``. What was
written stays as it is: `test_frozen` opens the projects of all versions.
"""

import contextlib
import io
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import pytest

if __name__ == "__main__":
    tests = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(tests), str(tests.parent), str(tests / "eigenfaces")]

from hostile_projects import sound_project

from eigenfaces import FaceSet, Project
from eigenfaces.recognition.recipe import RECIPES


def plain_faces() -> FaceSet:
    """Return seven people × three faces of six plain bands each: they take little room."""
    rng = np.random.default_rng(60)
    images = []
    names = []
    for person in range(1, 8):
        bands = rng.integers(3, 13, (6, 1))
        for _ in range(3):
            changed = bands + rng.integers(-2, 3, (6, 1))
            images.append(np.kron(changed, np.ones((4, 20))) / 16)
            names.append(f"Person {person}")
    return FaceSet.from_arrays(np.stack(images), names)


def write_project(path: Path, recipe: str) -> None:
    """Write a project in which everything is that a person may have changed."""
    sound_project(path, plain_faces(), recipe)
    with contextlib.closing(Project.open(path)) as project:
        ids = [photo.id for photo in project.gallery.index.photos]
        gallery = project.gallery.exclude(ids[3:4]).confirm(ids[6:7]).hide(ids[9:10])
        gallery = gallery.with_key(ids[13]).settle("Person 1", "Person 2").with_share(0.05)
        project.save(gallery.calibrate())


def write_all(archive: Path) -> None:
    """Write a project of each recipe into an archive."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive, "w:xz", preset=9) as tar:
        for recipe in RECIPES:
            path = Path(folder, f"{recipe}.eigenfaces")
            write_project(path, recipe)
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            tar.addfile(member, io.BytesIO(path.read_bytes()))


if __name__ == "__main__":
    from quick_network import chip_of, describe

    from eigenfaces.faces import network
    from eigenfaces.recognition import network as compared

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "describe", describe)
        patch.setattr(compared, "_chip_of", chip_of)
        write_all(Path(sys.argv[1]))
