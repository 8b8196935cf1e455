"""A deterministic run of imports, trainings and edits; as a program, a server to be killed.

Run as a program it takes lines ``path side way first`` and forks, for each, a process that saves
the states from ``first`` on, one by one, into a project (way ``save``, into one that is there
already if there is one, or ``staging``, 20 ms apart, while large values are stored ahead) or puts a
new project in the place of the last (``save as``), saying
``try number digest`` before each and ``done number -`` after it. When that process has ended,
however it did, ``end 0 -`` follows.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from synthetic import people

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.content import Content, arrays_of
from eigenfaces.recognition.gallery import NO_ANSWER, Answer
from eigenfaces.recognition.probes import Probe, ProbeList


def digest(gallery: Gallery) -> str:
    """Return a hash of everything that a gallery is."""
    faces, training = gallery.faces, gallery.training
    parts: list[object] = [gallery.preparation, gallery.recipe, faces.index.photos, faces.shape]
    arrays, values = {"pixels": faces.pixels[:]}, {"calibration": gallery.calibrated}
    if training is not None:
        parts += [training.recipe, sorted(training.fitted)]
        values["space"] = training.space
        arrays["shown"] = training.coordinates
        if not training.in_face_space:
            values["matching_coordinates"] = training.matching_space
            arrays["matching_coordinates"] = training.matching_coordinates
    parts += [gallery.share]
    for key, answer in sorted(gallery.answers.items()):
        parts += [key, replace(answer, never=frozenset()), sorted(answer.never)]
    for name, value in values.items():
        arrays |= {} if value is None else arrays_of(value, name)
    whole = hashlib.sha256(repr(parts).encode())
    for name, array in sorted(arrays.items()):
        whole.update(repr((name, array.shape, array.dtype.str)).encode() + array.tobytes())
    return whole.hexdigest()


def reopened(path: Path) -> Gallery:
    """Return what is in a project file."""
    with contextlib.closing(Project.open(path)) as project:
        return project.gallery


def reopened_copy(project: Project) -> Gallery:
    """Return what is in a copy of its file, as a killed process would leave it."""
    copy = project.path.with_name("copy")
    shutil.copy(project.path, copy)
    gallery = reopened(copy)
    copy.unlink()
    return gallery


TRY = """
import sys
from eigenfaces import EigenfacesError, Project
try:
    Project.open(sys.argv[1]).close()
    print("opened")
except EigenfacesError as error:
    print(error)
"""


def opened_elsewhere(path: Path) -> str:
    """Return what another process says that opens a project."""
    command = [sys.executable, "-c", TRY, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def states(seed: int, side: int) -> Iterator[Gallery]:
    """Yield the galleries of a long afternoon, each a change of the one before."""
    rng = np.random.default_rng(seed)
    preparation = Preparation(side, side, already_cropped=True)
    gallery = Gallery.new(preparation, Recipe())
    yield gallery
    yield (gallery := gallery.enrol(people(rng, 4, 4, shape=(side, side))))
    yield (gallery := gallery.train())
    before = gallery
    yield (gallery := gallery.calibrate())
    yield (gallery := gallery.with_share(0.05))
    stranger = Answer("nobody", None, frozenset({"Person 2", "Person 3"}))
    yield (gallery := gallery.with_answer(FaceId("a stranger"), stranger))
    yield (gallery := gallery.with_answer(FaceId("a probe", 2), Answer("right", "Person 2")))
    held = Answer("it is", "Person 3", was_enrolled=True, before="Person 2")
    unheld = replace(held, before=None)
    yield (
        gallery := gallery.with_answer(FaceId("held"), held).with_answer(
            FaceId("b"), Answer("no face")
        )
    )
    yield (gallery := gallery.with_answer(FaceId("c"), unheld).with_answer(FaceId("b"), NO_ANSWER))
    yield (gallery := gallery.with_answer(FaceId("d"), Answer(never=frozenset({"Person 2"}))))
    yield (gallery := gallery.rename("Person 2", "Zoë"))
    yield (gallery := gallery.enrol(people(rng, 5, 3, shape=(side, side))))
    keys = [photo.id for photo in gallery.index.photos]
    yield (gallery := mended(rng, gallery, keys[2:5]))
    yield (gallery := gallery.exclude(keys[3:6]))
    yield (gallery := gallery.merge("Person 5", "Zoë"))
    yield (gallery := gallery.train())
    yield (gallery := gallery.enrol(people(rng, 2, 3, shape=(side, side))))
    yield (gallery := gallery.move(keys[7:9], "Somebody new"))
    yield (gallery := gallery.remove_person("Person 1"))
    yield (gallery := gallery.with_recipe(Recipe.of(lighting="equalised", components=5)))
    yield (gallery := gallery.train())
    yield (gallery := gallery.remove([photo.id for photo in gallery.index.photos[:2]]))
    yield (gallery := gallery.calibrate().with_answer(FaceId("a probe", 2), NO_ANSWER))
    eyes = Eyes((10.125, -20.5), (30.0, 1 / 3))
    sources = get_args(get_type_hints(Placement)["source"])
    placements = [Placement(None, "found"), *(Placement(eyes, name) for name in sources)]
    placed = zip(gallery.index.photos, placements, strict=False)
    faces = gallery.faces.with_photos({p.id: replace(p, placement=at) for p, at in placed})
    yield (gallery := replace(gallery, faces=faces))
    yield before  # undone, back to the first training
    yield gallery  # and done again
    bigger = people(rng, 1, len(gallery.faces), shape=(side + 4, side + 4))
    cut = replace(
        bigger,
        index=PhotoIndex(tuple(map(cut_again, gallery.index.photos, bigger.index.photos))),
    )
    larger = Preparation(side + 4, side + 4, already_cropped=True)
    yield (gallery := gallery.with_crops(cut, larger))
    yield (gallery := gallery.train())
    yield before
    yield gallery.remove([photo.id for photo in gallery.index.photos])


def asked_of(gallery: Gallery) -> ProbeList:
    """Return what may be asked of a gallery: its own faces, and a photograph without one."""
    photos = gallery.index.photos[:5]
    probes = (Probe(photo, gallery.faces.image(row)) for row, photo in enumerate(photos))
    return ProbeList(tuple(probes), frozenset({Path(f"/photos/{len(photos)}.png")}))


def cut_again(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a face as another one is cut: of its own photograph."""
    return face.cut_again(replace(cut, photograph=face.photograph))


def mended(rng: np.random.Generator, gallery: Gallery, keys: list[FaceId]) -> Gallery:
    """Cut some faces elsewhere: the same photographs, with other crops."""
    others = people(rng, 1, len(keys), shape=gallery.faces.shape)
    faces = [gallery.index.photos[gallery.index.row_of(key)] for key in keys]
    photos = tuple(map(cut_again, faces, others.index.photos))
    return gallery.with_faces(replace(others, index=PhotoIndex(photos)), {key: key for key in keys})


@functools.cache
def known_states(side: int) -> list[tuple[Gallery, str]]:
    """Return the states, each with its digest: made once, saved by many."""
    return [(gallery, digest(gallery)) for gallery in states(0, side)]


@functools.cache
def many_faces(side: int) -> FaceSet:
    """Return 4,000 faces, 100 MB where they are 160 pixels wide."""
    return people(np.random.default_rng(9), 400, 10, shape=(side, side))


def run(path: Path, side: int, way: str, first: int) -> None:
    """Save the states from the first on, saying so before and after each."""
    project = Project.open(path) if path.exists() else None
    for number, (gallery, hashed) in list(enumerate(known_states(side)))[first:]:
        if way == "staging" and project is not None:
            if threading.active_count() == 1:
                cut = Preparation(side, side, already_cropped=True)
                many = Content(replace(Gallery.new(cut), faces=many_faces(side)))
                threading.Thread(target=project.store_ahead, args=(many,), daemon=True).start()
            time.sleep(0.02)
        say("try", number, hashed)
        if project is not None and way in ("save", "staging"):
            project.save(gallery)
        else:
            if project is not None:
                project.close()
            project = Project.create(path, gallery)
        say("done", number)
        project.save(gallery, probe_list=asked_of(gallery))
    say("all", 0)
    sys.stdin.read()


def say(word: str, number: int, digest: str = "-") -> None:
    os.write(1, f"{word} {number} {digest}\n".encode())


def serve() -> None:
    """Fork a process for each line of the input."""
    for line in sys.stdin:
        path, side, way, first = line.rstrip("\n").split("\t")
        known_states(int(side))
        if way == "staging":
            many_faces(int(side))
        child = os.fork()
        if child == 0:
            run(Path(path), int(side), way, int(first))
            os._exit(0)
        say("pid", child)
        os.waitpid(child, 0)
        say("end", 0)


if __name__ == "__main__":
    serve()
