"""Import of photographs: a job reads them, and their faces are enrolled as one undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from eigenfaces.errors import Cancelled, EigenfacesError, ProjectError, Tick
from eigenfaces.faces.face_set import FaceSet, count_faces, match_enrolled
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.correct import ReviewReading, missed_face
from eigenfaces.importing.load import load_faces, unmoved_faces
from eigenfaces.importing.review import Plan
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.known import KnownFile, WatchedFolder, known_files, with_files
from eigenfaces.project.content import Content
from eigenfaces.project.forget import without_forgotten
from eigenfaces.project.moved import (
    found_words,
    missing_paths,
    moves_to,
    photograph_paths,
    relinked,
)
from eigenfaces.project.project import Project
from eigenfaces.project.readings import KeptReading
from eigenfaces.project.unused import Unused, unused_after_import, with_read_time
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    preparation_for_adding,
    probe_preparation,
)
from eigenfaces.recognition.training import ProjectedFaces
from eigenfaces.text import count, was_or_were
from .jobs import JobKind, now
from .session import Session, Severity

Readings: TypeAlias = Mapping[Path, FaceReading]
_Keep: TypeAlias = Callable[[Photo, Sequence[FaceReading]], None]

_SIZE_FIXED = (
    "The faces in this gallery have a different size. Change the size in Settings first, so "
    "that all faces have the same size."
)
_KEPT_AT_ONCE = 25  # photographs to read before storing, so that a crash loses 10 seconds at most


def can_import(session: Session, preparation: Preparation) -> bool:
    """Return whether photographs with this preparation can be added. If not, show why."""
    gallery = session.gallery
    alike = replace(preparation, already_cropped=gallery.preparation.already_cropped)
    if len(gallery.faces) and alike != gallery.preparation:
        session.show_message(_SIZE_FIXED, "error")
        return False
    return session.own_project() is not None


def import_photos(
    session: Session,
    found: FoundPhotos,
    preparation: Preparation | None = None,
    *,
    already: Readings | None = None,
    groups: Readings | None = None,
) -> None:
    """Read photographs into the gallery. Nothing changes until all of them have been read.

    If the content of a file or the position of a face has changed, the new face replaces the old
    one. Cropped and uncropped photographs may be mixed, but all faces must have the same size.
    ``already`` holds the readings of photographs that need not be read again. In any other
    photograph with several faces, the face that recurs is used as a guess. ``groups`` holds
    readings that contain all faces; the faces not chosen are added without a name. If no
    ``preparation`` is given, a photograph is treated as already cropped only if it has the same
    size as cropped photographs in the gallery.
    """
    cut = preparation or session.gallery.preparation
    if can_import(session, cut):
        each = preparation is None
        reading = _Reading(found, already or {}, cut, chosen=False, groups=groups, each=each)
        _import_in_job(session, reading)


def import_interrupted(session: Session) -> None:
    """Add the photographs that an interrupted import had already read, without rereading them."""
    kept = session.project.readings if session.project else ()
    if kept:
        session.show_message("Adding the photos that the last import read.")
        photos = dict.fromkeys(one.photo for one in kept)
        import_photos(session, FoundPhotos(tuple(photos)), kept[-1].preparation)
    else:  # the list of messages still has an old offer
        session.show_message("All photos from that import have already been added or declined.")


def import_reviewed_faces(session: Session, plan: Plan, preparation: Preparation) -> None:
    """Add the chosen faces and confirm guesses in the gallery as one undo step.

    Photographs left out no longer await a choice; guesses left out are removed from the gallery.
    """
    _import_in_job(session, _Reading(plan.found, plan.readings, preparation, chosen=True))


def add_shown_face(session: Session, reading: ReviewReading, name: str) -> bool:
    """Start adding a skipped photo with the face marked by the user; return False if refused."""
    photo = replace(reading.photo, person=name or None)
    preparation = session.gallery.preparation
    begins = can_import(session, preparation)
    if begins:
        plan = Plan(FoundPhotos((photo,)), {photo.path: reading}, {})
        import_reviewed_faces(session, plan, preparation)
    return begins


def add_missed_face(session: Session, reading: ReviewReading, name: str) -> bool:
    """Add a missed face in a gallery photograph as one undo step; return whether that succeeded."""
    listed = [probe.photo for probe in session.probes]

    def edit(gallery: Gallery) -> Gallery:
        person = gallery.known_name(name) if name else None
        return gallery.with_faces(missed_face(gallery.index, reading, person, listed), {})

    done = session.apply("adding 1 face", edit)
    if done:
        who = f": {name}" if name else ""
        session.show_message(f"1 more face was added to the photo{who}.", "ok", undoable=True)
    return done


@dataclass(frozen=True, eq=False)
class _Reading:
    """Photographs to read into a project. If ``chosen``, the user has chosen the faces.

    If ``each``, the program decides for each photograph whether it is already cropped.
    """

    found: FoundPhotos
    readings: Readings
    preparation: Preparation
    chosen: bool
    groups: Readings | None = None
    each: bool = False

    def read(self, session: Session, project: Project, keep: _Keep, tick: Tick) -> Arrived:
        """Read the faces, and project them onto the gallery's face space if it has one."""
        gallery = session.gallery  # read here: the gallery may have changed while the job waited
        current = [one for one in project.readings if one.is_current]
        kept = {one.photo: one.readings for one in current if one.preparation == self.preparation}
        known = {photo.path: before for photo, (before, *_) in kept.items()} | {**self.readings}
        by_look = probe_preparation(gallery, tick) if self.each else None
        faces = load_faces(
            self.found,
            by_look or preparation_for_adding(gallery, self.preparation, tick),
            tick,
            known=unmoved_faces(gallery.faces, self.found.photos, known),
            already=self.readings,
            kept=kept,
            keep=None if self.chosen else keep,
            guess=not self.chosen,
            every=True,
            groups=self.groups,
        )
        faces = replace(faces, skipped=with_read_time(faces.skipped, now()))
        training, projected = gallery.training, None
        if training is not None and training.preparation.shape == faces.shape:
            projected = ProjectedFaces.of(training, faces, tick)
        shas = {photo.path: photo.photograph.sha for photo in faces.index.photos}
        files = known_files([photo.path for photo in self.found.photos], shas, tick)
        missing = missing_paths((session.project or project).content)
        folders = self.found.folders
        return Arrived(faces, projected, self.preparation, files, folders, missing, self.chosen)


def _import_in_job(session: Session, wanted: _Reading) -> None:
    """Read photographs in a job, and enrol their faces."""
    project = session.own_project()
    if project is None:
        return

    read, stored = list[KeptReading](), 0

    def store() -> None:
        """Store the readings that have not yet been stored."""
        nonlocal stored
        with suppress(ProjectError):  # the change at the end will report the reason
            (session.project or project).keep_readings(read[stored:])
        stored = len(read)

    def keep(photo: Photo, outcome: Sequence[FaceReading]) -> None:
        read.append(KeptReading.of(photo, wanted.preparation, outcome))
        if len(read) - stored >= _KEPT_AT_ONCE:
            store()

    def work(tick: Tick) -> tuple[Arrived, Enrolment]:
        try:
            arrived = wanted.read(session, project, keep, tick)
            made = Enrolment.of(arrived, (session.project or project).content)
            store_ahead(project, made.after.gallery, tick)
        except Cancelled:
            store()  # the window may be closing: the next start offers these photographs
            raise
        return arrived, made

    def done(result: tuple[Arrived, Enrolment]) -> None:
        try:
            _enrol(session, *result)
        except EigenfacesError as error:
            failed(error)

    def failed(error: EigenfacesError) -> None:
        if read:
            session.forget_readings()
        session.show_error(error)

    number = count(len(wanted.found.photos))
    title = "Adding your choice" if wanted.chosen else f"Reading {number}"
    cancelled = "Import cancelled. Nothing was changed."
    session.run(JobKind.IMPORT, title, work, done, failed, key=object(), cancelled=cancelled)


def _enrol(session: Session, arrived: Arrived, ahead: Enrolment) -> None:
    """Add the new faces to the project as one undo step, and show a message about them."""

    def enrolment(known: Enrolment, now: Content) -> Enrolment:
        """Return the known enrolment, or make a new one if the project has changed since."""
        return known if now is known.before else Enrolment.of(arrived, now)

    if session.project is None:
        return
    made = enrolment(ahead, session.project.content)
    known = session.gallery.index.row_by_id.keys()
    session.arrived = frozenset(made.after.gallery.index.row_by_id.keys() - known)
    edit = lambda now: enrolment(made, now).after  # noqa: E731
    if session.change(made.title, edit, ends_import=not arrived.chosen):
        session.show_message(made.text, made.tone, made.shown, undoable=not arrived.chosen)
        if session.person is None and session.gallery.people:
            session.select_person(session.gallery.people[0])


@dataclass(frozen=True, eq=False)
class Arrived:
    """Faces that an import has read, with the data needed to enrol them."""

    faces: FaceSet
    projected: ProjectedFaces | None  # in the face space of the gallery, if it has one
    preparation: Preparation
    files: tuple[KnownFile, ...]  # of all photographs that were checked
    folders: tuple[WatchedFolder, ...]  # the folders of these photographs
    missing: frozenset[Path]  # former paths of the project's missing photographs
    chosen: bool  # whether the user has chosen the faces


@dataclass(frozen=True, eq=False)
class Enrolment:
    """Result of an import: the project's content before and after, and the message."""

    before: Content
    after: Content
    title: str
    text: str
    tone: Severity
    shown: Unused  # the photographs that the sentence mentions

    @classmethod
    def of(cls, arrived: Arrived, now: Content) -> Enrolment:
        """Enrol newly read faces in the current content, and return the result."""
        before = now
        found = {file.path: file.sha for file in arrived.files}
        moves = moves_to(photograph_paths(now), arrived.missing, found)
        now = relinked(now, moves)
        faces = without_forgotten(arrived.faces, now.forgotten)
        chosen, index = arrived.chosen, now.gallery.index
        looked_at = {file.path for file in arrived.files} | {file.path for file in faces.skipped}
        unused = unused_after_import(now.unused, looked_at, faces.skipped)
        folders = tuple(dict.fromkeys((*now.folders, *arrived.folders)))
        now_known = replace(now, files=with_files(now.files, arrived.files), folders=folders)
        if not len(faces) and not chosen:
            after = replace(now_known, unused=unused)
            return cls(before, after, "", "No photos could be used.", "error", faces.skipped)
        probes = [probe.photo for probe in now.probe_list.probes]
        described, replaced = match_enrolled(faces, index, probes)
        guessed = [photo for photo in index.photos if photo.placement.source == "guess"]
        guesses = {photo.id: photo.path for photo in guessed}
        skipped = tuple({*unused} - {*now.unused}) if chosen else faces.skipped
        passed_over = {file.path for file in skipped}
        gallery = now.gallery
        if not len(gallery.faces):
            gallery = gallery.with_crops(faces.select([]), arrived.preparation)
        if len(faces):
            projected = arrived.projected if faces is arrived.faces else None
            gallery = gallery.enrol(faces, probes, projected=projected)
        removed = {face for face, path in guesses.items() if path in passed_over}
        if chosen and removed:
            gallery = gallery.remove(removed)
        new = [photo for photo in described.index.photos if photo.id not in replaced]
        added = [photo for photo in new if photo.id not in index.row_by_id]
        replacing = [photo for photo in described.index.photos if photo.id in replaced]
        confirmed = sum(old.id in guesses for old in replaced.values()) if chosen else 0
        number, others = count(confirmed, "guess", "guesses"), len(replaced) - confirmed
        known = len({photo.id.sha for photo in new if photo.id in index.row_by_id})
        known -= len({found[path] for path in moves.values()})
        enrolled = described.index.photos
        doubtful = 0 if chosen else sum(photo.placement.source == "guess" for photo in enrolled)
        undecided = sum(file.needs_choice for file in skipped)
        left_out, need = len(skipped) - undecided, "needs" if undecided == 1 else "need"
        sentences = (
            (confirmed, f"{number} {was_or_were(confirmed)} confirmed."),
            (len(added), f"{count_faces(added)} {was_or_were(len(added))} added."),
            (others, f"{count(others)} {was_or_were(others)} replaced."),
            (doubtful, f"Confirm {count(doubtful, 'guess', 'guesses')} on People."),
            (len(moves), found_words(len(moves))),
            (known, f"{count(known)} {was_or_were(known)} already in the gallery."),
            (undecided, f"{count(undecided)} {need} you to choose a face."),
            (left_out, f"{count(left_out)} {was_or_were(left_out)} left out."),
            (chosen, "Ctrl+Z undoes it."),
        )
        return cls(
            before,
            replace(now_known.with_gallery(gallery), unused=unused),
            _title(chosen, [*added, *replacing], len(moves)),
            " ".join(sentence for amount, sentence in sentences if amount),
            "ok",
            () if chosen else skipped,
        )


def _title(chosen: bool, faces: Sequence[FacePhoto], moved: int) -> str:
    """Return the title of an import for the undo command."""
    if chosen:
        return "choosing faces"
    if moved and not faces:
        return f"finding {count(moved)}"
    return f"adding {count_faces(faces)}"


def store_ahead(project: Project, gallery: Gallery, tick: Tick) -> None:
    """Store a gallery's large values in advance. The change that follows reports any failure.

    The values that pages will need first are computed as well.
    """
    _ = gallery.people, gallery.enrolled
    if gallery.training is not None:
        _ = gallery.calibration_key, gallery.changes_since_training
    with suppress(ProjectError):
        project.store_ahead(Content(gallery), tick)
