"""What a person can ask for that takes time: read, train, open, save. Each runs as a job.

A job gets values and returns a value; only when it has ended does the session change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from eigenfaces.errors import Cancelled, EigenfacesError, PhotoError, Tick
from eigenfaces.faces import FaceSet, load_face, load_faces
from eigenfaces.gallery import Gallery
from eigenfaces.photos import FoundPhotos, Photo, Skipped, find_photos
from eigenfaces.preparation import Preparation
from eigenfaces.project import SUFFIX, Project
from eigenfaces.recipes import Recipe
from eigenfaces.samples import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.samples import load_sample, read_mended
from gui.session import SAMPLE, Probe, Session, draft_path
from gui.widgets.words import count

T = TypeVar("T")

_SIZE_FIXED = (
    "The faces of this gallery have another size. Change it in Settings first, so that all "
    "are cut alike."
)
_READING = (
    "Photos are being read already. Wait for the end of that, or cancel it below, and try again."
)


def import_photos(
    session: Session, found: FoundPhotos, preparation: Preparation | None = None
) -> None:
    """Read photographs into the gallery. Nothing is changed until all of them are read."""
    wanted = preparation or session.gallery.preparation
    if session.jobs.is_busy("import"):  # the same job started again would replace it
        session.say(_READING, "warn")
        return
    if len(session.gallery.faces) and wanted != session.gallery.preparation:
        session.say(_SIZE_FIXED, "error")
        return

    held = session.gallery.faces if len(session.gallery.faces) else None

    def done(faces: FaceSet) -> None:
        session.skipped = faces.skipped
        if len(faces):
            _enrol(session, faces, wanted)
        else:
            session.say("No photograph could be used.", "error", faces.skipped)

    _start(
        session,
        ("import", f"Reading {count(len(found.photos))}", "Import cancelled."),
        lambda tick: load_faces(found, wanted, tick, read_mended, known=held),
        done,
    )


def _enrol(session: Session, faces: FaceSet, preparation: Preparation) -> None:
    before = session.gallery
    empty = Gallery.new(preparation, before.recipe)

    def done() -> None:
        added = len(session.gallery.faces) - len(before.faces)
        session.remember(f"adding {count(added)}", before)
        known = len(faces) - added
        already = f" {known:,} {_were(known)} in the gallery already." if known else ""
        skipped = f" {_skipped_words(len(faces.skipped))}" if faces.skipped else ""
        text = f"{count(added)} {_were(added)} added.{already}{skipped}"
        session.say(text, "warn" if faces.skipped else "ok", faces.skipped)
        if session.person is None and session.gallery.people:
            session.select_person(session.gallery.people[0])

    def edit(gallery: Gallery) -> Gallery:
        return (gallery if len(gallery.faces) else empty).enrol(faces)

    session.write("Saving the photos", edit, done)


def train(session: Session) -> None:
    """Fit the face space; pages stay usable on the old one meanwhile."""
    gallery = session.gallery

    def done(fitted: Gallery) -> None:
        before = session.gallery

        def finish() -> None:
            session.remember("training", before)
            space = session.gallery.trained.space
            session.say(
                f"Trained: {count(len(space), 'component')} from {count(space.count)}.", "ok"
            )

        session.write("Saving the face space", lambda now: now.adopt(fitted.trained), finish)

    words = ("train", f"Training on {count(len(gallery.included))}", "Training cancelled.")
    _start(session, words, gallery.train, done)


def prepare_again(session: Session, preparation: Preparation) -> None:
    """Cut all faces anew, from the photographs, to another size or policy."""
    gallery = session.gallery
    if session.jobs.is_busy("import"):
        session.say(_READING, "warn")
        return
    if not len(gallery.faces):
        session.apply("the face size", lambda now: Gallery.new(preparation, now.recipe))
        return
    photos = tuple(Photo(photo.path, photo.person) for photo in gallery.faces.photos)

    def work(tick: Tick) -> FaceSet:
        faces = load_faces(FoundPhotos(photos), preparation, tick, read_mended)
        gallery.prepared(faces, preparation)  # refused at once where photographs are gone
        return faces

    def done(faces: FaceSet) -> None:
        before = session.gallery
        session.write(
            "Saving the photos",
            lambda now: now.prepared(faces, preparation),  # as it has become meanwhile
            lambda: session.remember("the face size", before),
        )

    _start(session, ("import", "Cutting the faces anew", "Nothing was changed."), work, done)


def add_probes(session: Session, paths: Sequence[Path]) -> None:
    """Read photographs, or folders of them, to be recognised; select the first."""
    preparation = session.gallery.preparation

    def done(result: tuple[list[Probe], list[Skipped]]) -> None:
        if session.gallery.preparation != preparation:  # changed while this waited its turn
            add_probes(session, paths)
            return
        probes, skipped = result
        session.put_probes(probes)
        if len(skipped) == 1:
            text = f"“{skipped[0].path.name}” was skipped. {skipped[0].reason}"
            session.say(text, "warn", tuple(skipped))
        elif skipped:
            session.say(_skipped_words(len(skipped)), "warn", tuple(skipped))

    _start(
        session,
        ("probe", "Reading the photos", "Stopped. No photo was added."),
        lambda tick: _read_probes(paths, preparation, tick),
        done,
    )


def new_project(session: Session) -> None:
    """Start with nothing, as soon as nothing is on its way into the project so far."""
    if session.jobs.current is None:
        session.new()
        return
    words = ("open", "Starting a new project", "The project stays open.")
    _start(session, words, lambda _: None, lambda _: session.new())


def open_project(session: Session, path: Path) -> None:
    """Open a project file; the one so far stays open until that has worked."""
    if session.project is not None and _same_place(session.project.path, path):
        session.say(f"“{path.name}” is the project that is open.")
        return

    def done(project: Project) -> None:
        session.switch(project)
        session.show_page("people")

    _start(
        session, ("open", f"Opening {path.name}", "Not opened."), lambda _: Project.open(path), done
    )


def open_sample(session: Session) -> None:
    """Open the AT&T sample, trained, on the Eigenfaces page."""

    def work(tick: Tick) -> Project:
        gallery = Gallery(load_sample(tick), SAMPLE_PREPARATION, Recipe()).train(tick)
        tick(0, 0)
        project = Project.create(draft_path(SAMPLE), gallery)
        try:
            tick(0, 0)
        except Cancelled:  # nobody will know of this draft
            project.close()
            project.path.unlink(missing_ok=True)
            raise
        return project

    def done(project: Project) -> None:
        session.switch(project, dispensable=True)
        session.show_page("eigenfaces")

    _start(session, ("open", "Opening the sample", "Not opened."), work, done)


def save_as(session: Session, path: Path) -> None:
    """Put the project at a place of its own and go on there."""
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    old, blank = session.project, session.gallery
    if old is not None and _same_place(old.path, path):
        session.say(f"“{path.name}” is this project. Every change is in its file at once.")
        return

    def work(tick: Tick) -> tuple[Project, Gallery]:
        gallery = blank if old is None else old.gallery  # with what was added while this waited
        return Project.create(path, gallery), gallery

    def done(result: tuple[Project, Gallery]) -> None:
        project, gallery = result
        try:
            if session.gallery is not gallery:  # edited while it was written
                project.save(session.gallery)
        except EigenfacesError as error:
            project.close()
            session.say(str(error), "error")
            return
        session.moved(project)
        session.say(f"Saved as “{path.name}”. Every change is kept there at once.", "ok")

    _start(session, ("save", f"Saving {path.name}", "Not saved."), work, done, binding=True)


def _start(
    session: Session,
    words: tuple[str, str, str],
    work: Callable[[Tick], T],
    done: Callable[[T], None],
    *,
    binding: bool = False,
) -> None:
    """Start a job; ``words``: its kind, its title, and what to say when it was cancelled."""
    session.jobs.start(
        words[0],
        words[1],
        work,
        done,
        failed=lambda error: session.say(str(error), "error"),
        cancelled=lambda: session.say(words[2]),
        binding=binding,
    )
    session.tell_what_comes_first(words[0])


def _same_place(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one of them is not there
        return first.absolute() == second.absolute()


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _skipped_words(number: int) -> str:
    return f"{count(number, 'file')} {_were(number)} skipped."


def _read_probes(
    paths: Sequence[Path], preparation: Preparation, tick: Tick
) -> tuple[list[Probe], list[Skipped]]:
    photos: list[Path] = []
    for path in paths:
        photos += [photo.path for photo in find_photos(path).photos] if path.is_dir() else [path]
    probes, skipped = [], []
    for done, path in enumerate(photos):
        tick(done, len(photos))
        try:
            probes.append(Probe(*load_face(path, preparation, read_mended)))
        except PhotoError as error:
            skipped.append(Skipped(path, str(error)))
    return probes, skipped
