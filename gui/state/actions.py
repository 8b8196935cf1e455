"""Actions of a person: answer a verdict; read, train, open, save, which take time and are jobs.

A job gets values and returns a value; the session changes only after it has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.faces.face_set import FaceSet, count_faces, match_enrolled
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.correct import ReviewReading, missed_face
from eigenfaces.importing.load import load_faces, placements_for_recrop, recrop_faces, unmoved_faces
from eigenfaces.importing.review import Plan
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped, photos_of
from eigenfaces.photographs.known import KnownFile, WatchedFolder, known_files, with_files
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.exports import Copies, Outgoing, sort_into, write_sidecars
from eigenfaces.project.forget import is_forgotten, without_forgotten
from eigenfaces.project.moved import (
    find_moves,
    found_words,
    missing_paths,
    moves_to,
    photograph_paths,
    relinked,
)
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.project.readings import KeptReading
from eigenfaces.project.share import for_others, for_recognising
from eigenfaces.project.unused import Unused, unused_after_import, with_read_time
from eigenfaces.project.watch import Look, after_look, look, renewed
from eigenfaces.recognition.answers import AnswerResult, apply_answers
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    Probe,
    ProbeList,
    preparation_for_adding,
    probe_preparation,
    probes_on_each,
    with_known_numbers,
)
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import ProjectedFaces
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count, was_or_were
from gui.state.jobs import JobKind, now
from gui.state.session import Session, Severity
from gui.state.settings import LastView, draft_path, is_on_network

Readings: TypeAlias = Mapping[Path, FaceReading]

_ON_NETWORK = (
    "“{}” is on a network drive: every change takes as long as the drive needs to store it. A "
    "disk in this computer is faster."
)
_SIZE_FIXED = (
    "The faces of this gallery have a different size. Change it in Settings first, so that all "
    "are cut alike."
)
_INTERRUPTED = "The last import was interrupted. It had read {}, which need not be read again."
_KEPT_AT_ONCE = 25  # photographs that were read, and are then stored: 10 seconds are lost at most


def can_import(session: Session, preparation: Preparation) -> bool:
    """Return whether photographs that are cut like this can be added; if not, say why."""
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
    """Read photographs into the gallery. Nothing is changed until all of them are read.

    What has changed since replaces the face it had: a file with other content, or one whose face
    is said to lie elsewhere. Whether photographs are cropped already may differ from one import to
    the next; the size of the faces may not. ``already`` holds the readings of photographs that were
    read before. Of several faces on another one, the one that recurs is taken, as a guess; of
    ``groups``, with all their faces, the others are taken too, without a name. Without a
    ``preparation``, a photograph is a face already only if it looks like those of the gallery.
    """
    cut = preparation or session.gallery.preparation
    if can_import(session, cut):
        each = preparation is None
        _import_in_job(session, found, already or {}, cut, chosen=False, groups=groups, each=each)


def import_interrupted(session: Session) -> None:
    """Add the photographs that an import had read which was interrupted; none is read again."""
    kept = session.project.readings if session.project else ()
    if kept:
        session.show_message("Adding what the last import had read.")
        photos = dict.fromkeys(one.photo for one in kept)
        import_photos(session, FoundPhotos(tuple(photos)), kept[-1].preparation)
    else:  # it was offered before, and can still be chosen from the list of messages
        session.show_message("Nothing is left of that import: it was added, or you declined it.")


def import_reviewed_faces(session: Session, plan: Plan, preparation: Preparation) -> None:
    """Add the faces that were chosen, and confirm guesses of the gallery; one undo reverts all.

    What was left out no longer waits; a guess that was left out is no longer in the gallery.
    """
    _import_in_job(session, plan.found, plan.readings, preparation, chosen=True)


def add_shown_face(session: Session, reading: ReviewReading, name: str) -> bool:
    """Add a photograph that was skipped, with the face that a person has shown on it.

    Return whether that has begun.
    """
    photo = replace(reading.photo, person=name or None)
    preparation = session.gallery.preparation
    begins = can_import(session, preparation)
    if begins:
        plan = Plan(FoundPhotos((photo,)), {photo.path: reading}, {})
        import_reviewed_faces(session, plan, preparation)
    return begins


def add_missed_face(session: Session, reading: ReviewReading, name: str) -> bool:
    """Add one more face to a photograph of the gallery, in one step; return whether it is."""
    listed = [probe.photo for probe in session.probes]

    def edit(gallery: Gallery) -> Gallery:
        person = gallery.known_name(name) if name else None
        return gallery.with_faces(missed_face(gallery.index, reading, person, listed), {})

    done = session.apply("adding 1 face", edit)
    if done:
        who = f": {name}" if name else ""
        session.show_message(f"1 more face was added to the photo{who}.", "ok", undoable=True)
    return done


def _import_in_job(
    session: Session,
    found: FoundPhotos,
    readings: Readings,
    preparation: Preparation,
    *,
    chosen: bool,
    groups: Readings | None = None,
    each: bool = False,
) -> None:
    """Read photographs in a job, and enrol their faces; ``chosen``: a person has chosen them.

    ``each``: whether it is a face already is decided for each photograph.
    """
    project = session.own_project()
    if project is None:
        return

    read = list[KeptReading]()
    paths = [photo.path for photo in found.photos]

    def keep(photo: Photo, outcome: Sequence[FaceReading]) -> None:
        read.append(KeptReading.of(photo, preparation, outcome))
        if len(read) % _KEPT_AT_ONCE == 0:
            with suppress(ProjectError):  # the change at the end will say why
                (session.project or project).keep_readings(read[-_KEPT_AT_ONCE:])

    def work(tick: Tick) -> tuple[Arrived, Enrolment]:
        gallery = session.gallery  # as it is by then: other photographs may have come first
        current = [one for one in project.readings if one.is_current]
        kept = {one.photo: one.readings for one in current if one.preparation == preparation}
        known = {photo.path: before for photo, (before, *_) in kept.items()} | {**readings}
        by_look = probe_preparation(gallery, tick) if each else None
        faces = load_faces(
            found,
            by_look or preparation_for_adding(gallery, preparation, tick),
            tick,
            known=unmoved_faces(gallery.faces, found.photos, known),
            already=readings,
            kept=kept,
            keep=None if chosen else keep,
            guess=not chosen,
            every=True,
            groups=groups,
        )
        faces = replace(faces, skipped=with_read_time(faces.skipped, now()))
        training, projected = gallery.training, None
        if training is not None and training.preparation.shape == faces.shape:
            projected = ProjectedFaces.of(training, faces, tick)
        shas = {photo.path: photo.photograph.sha for photo in faces.index.photos}
        files = known_files(paths, shas, tick)
        content = (session.project or project).content
        missing = missing_paths(content)
        arrived = Arrived(faces, projected, preparation, files, found.folders, missing, chosen)
        made = Enrolment.of(arrived, content)
        _store_ahead(project, made.after.gallery, tick)
        return arrived, made

    def done(result: tuple[Arrived, Enrolment]) -> None:
        arrived, ahead = result

        def enrolment(known: Enrolment, now: Content) -> Enrolment:
            """Return what is known to be made of it, unless something was changed meanwhile."""
            return known if now is known.before else Enrolment.of(arrived, now)

        if session.project is None:
            return
        try:
            made = enrolment(ahead, session.project.content)
        except EigenfacesError as error:
            failed(error)
            return
        known = session.gallery.index.row_by_id.keys()
        session.arrived = frozenset(made.after.gallery.index.row_by_id.keys() - known)
        edit = lambda now: enrolment(made, now).after  # noqa: E731
        if session.change(made.title, edit, ends_import=not chosen):
            session.show_message(made.text, made.tone, made.shown, undoable=not chosen)
            if session.person is None and session.gallery.people:
                session.select_person(session.gallery.people[0])

    def failed(error: EigenfacesError) -> None:
        if read:
            session.forget_readings()
        session.show_error(error)

    title = "Adding your choice" if chosen else f"Reading {count(len(found.photos))}"
    cancelled = "Import cancelled: nothing was changed."
    session.run(JobKind.IMPORT, title, work, done, failed, key=object(), cancelled=cancelled)


@dataclass(frozen=True, eq=False)
class Arrived:
    """Faces that an import has read, and what is known of them before they are enrolled."""

    faces: FaceSet
    projected: ProjectedFaces | None  # in the face space of the gallery, if it has one
    preparation: Preparation
    files: tuple[KnownFile, ...]  # of all photographs that were looked at
    folders: tuple[WatchedFolder, ...]  # in which they were found
    missing: frozenset[Path]  # where photographs of the project were that are not there
    chosen: bool  # whether a person has chosen the faces


@dataclass(frozen=True, eq=False)
class Enrolment:
    """What an import makes of a project: its content before and after, and what is said of it."""

    before: Content
    after: Content
    title: str
    text: str
    tone: Severity
    shown: Unused  # the photographs that the sentence mentions

    @classmethod
    def of(cls, arrived: Arrived, now: Content) -> Enrolment:
        """Return what faces that have arrived make of a content."""
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
            return cls(before, after, "", "No photo could be used.", "error", faces.skipped)
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
            (undecided, f"{count(undecided)} {need} your choice of a face."),
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
    """Return what undo calls an import."""
    if chosen:
        return "choosing faces"
    if moved and not faces:
        return f"the new place of {count(moved)}"
    return f"adding {count_faces(faces)}"


def _store_ahead(project: Project, gallery: Gallery, tick: Tick) -> None:
    """Store the large values of a gallery; where that fails, the change to it will say why.

    What pages ask of it first is known by then, too.
    """
    _ = gallery.people, gallery.enrolled
    if gallery.training is not None:
        _ = gallery.calibration_key, gallery.changes_since_training
    with suppress(ProjectError):
        project.store_ahead(Content(gallery), tick)


@dataclass(frozen=True, eq=False)
class Trained:
    """A gallery as it was when a training began, and as that has made it."""

    begun: Gallery
    fitted: Gallery
    by_person: bool = False  # whether a person has chosen the recipe
    seconds: float = 0.0  # that it took

    def edit(self, now: Gallery) -> Gallery:
        """Return the gallery of now with this training: photos may have come meanwhile."""
        if now is self.begun:
            return self.fitted
        wanted = self.by_person or now.recipe == self.begun.recipe
        settings = self.fitted if wanted else now
        changed = replace(now, recipe=settings.recipe, automatic=settings.automatic)
        return changed.adopt_training(self.fitted.trained, self.fitted.faces)


def train_work(
    session: Session, project: Project, recipe: Recipe | None = None
) -> Callable[[Tick], Trained]:
    """Return the work of a job that trains, perhaps by another recipe."""

    def work(tick: Tick) -> Trained:
        start = time.monotonic()
        begun = session.gallery  # as it is by then: photographs may have come while this waited
        fitted = begun.train(tick, recipe=recipe)
        _store_ahead(project, fitted, tick)
        return Trained(begun, fitted, recipe is not None, time.monotonic() - start)

    return work


def train(session: Session, recipe: Recipe | None = None) -> None:
    """Fit the face space, perhaps by another recipe; pages can use the old one meanwhile."""
    project = session.own_project()
    if project is None:
        return

    def done(trained: Trained) -> None:
        by = f" by {recipe.name}" if recipe else ""
        title = f"the recipe {recipe.name}" if recipe else "training"
        if session.apply(title, trained.edit):
            gallery = session.gallery
            space, reason = gallery.trained.space, gallery.automatic and gallery.automatic.reason
            words = f"{count(len(space), 'component')} from {count(space.count, 'face')}."
            session.show_message(f"Trained{by}: {words} {reason or ''}".strip(), "ok")

    session.jobs.cancel(JobKind.TRAIN_UNASKED, silently=True)
    session.run(
        JobKind.TRAIN,
        f"Training on {count(len(session.gallery.included), 'face')}",
        train_work(session, project, recipe),
        done,
        cancelled="Training cancelled: nothing was changed.",
    )


def use_recipe(session: Session, recipe: Recipe) -> None:
    """Compare by another recipe; where that needs training anew, the old one serves until then."""
    gallery = session.gallery
    if gallery.training is not None and recipe.needs_refit(gallery.training.recipe):
        train(session, recipe)
    elif session.apply(f"the recipe {recipe.name}", lambda now: now.with_recipe(recipe)):
        session.show_message(f"Faces are compared by {recipe.name} from now on.", "ok")


def use_automatic(session: Session) -> None:
    """Let every training choose the recipe, beginning with one now."""
    done = session.apply("Automatic", lambda now: replace(now, automatic=NOT_MEASURED))
    if done and session.gallery.training:
        train(session)


def answer(
    session: Session,
    replies: Sequence[Callable[[Gallery], AnswerResult]],
    done: Callable[[str], object],
) -> bool:
    """Give answers, which are one step of undo; return whether they are taken.

    ``done`` gets what they have changed.
    """
    try:
        answered = apply_answers(session.gallery, replies)
    except EigenfacesError as error:
        session.show_error(error)
        return False
    if not session.apply(answered.title, lambda _: answered.gallery):
        return False
    done(answered.sentence)
    return True


def find_folder(session: Session, lost: Path, folder: Path) -> None:
    """Look in a folder for a lost photograph, and for all others that are lost."""
    project = session.project
    if project is None:
        return
    content = project.content

    def done(moves: Mapping[Path, Path]) -> None:
        number = len(moves)
        if not number:
            session.show_message(f"None of the lost photos is in “{folder.name}”.", "warn")
        elif session.change(f"the new place of {count(number)}", lambda now: relinked(now, moves)):
            session.show_message(found_words(number), "ok", undoable=True)

    work = lambda tick: find_moves(content, lost, folder, tick)  # noqa: E731
    session.run(JobKind.WATCH, "Looking for lost photos", work, done)


def look_for_new(session: Session, *, asked: bool = True) -> None:
    """Look in the folders of the project for what is new, has changed, or is gone.

    Where nobody has ``asked``, and nothing is found, nothing is said.
    """
    project = session.project
    if project is None or (project.read_only and not asked):
        return
    content = project.content

    def done(found: Look) -> None:
        if session.project is not project:
            return
        if found.renewed and not project.read_only:
            session.change("", lambda now: renewed(now, found))
        if found.has_found:
            session.show_message(found.sentence, look=found)
        elif asked or found.unreachable:
            session.show_message(found.sentence)

    def failed(error: EigenfacesError) -> None:
        if asked:
            session.show_error(error)

    work = lambda tick: look(content, tick)  # noqa: E731
    session.run(JobKind.WATCH, "Looking for new photos", work, done, failed)


def take_over(session: Session, found: Look) -> None:
    """Take over what a look has found: what is new or has changed is read, nothing is deleted."""
    title = "what has moved or is gone"
    if found.moves or found.gone:
        if not session.change(title, lambda now: after_look(now, found)):
            return
        session.show_message(found.sentence, "ok", undoable=True)
    if found.found.photos:
        import_photos(session, found.found)
    if found.listed_again:
        add_probes(session, found.listed_again)


def toggle_favourite(session: Session, shas: Sequence[str]) -> None:
    """Mark photographs as favourites; where all of them are, mark them no longer."""
    wanted = {*shas}

    def edit(now: Content) -> Content:
        some = [file for file in now.files if file.sha in wanted]
        mark = not all(file.favourite for file in some)
        files = (
            replace(file, favourite=mark) if file.sha in wanted else file for file in now.files
        )
        return replace(now, files=tuple(files))

    project = session.project
    if project is not None and any(file.sha in wanted for file in project.content.files):
        session.change(f"favourites ({count(len(wanted))})", edit)


def forget_person(
    session: Session, person: str, forgotten: Callable[[], object], *, remember: bool
) -> None:
    """Forget somebody for good; ``forgotten`` is called once they are in the project no more.

    Evaluations are read, and the file is written anew, in jobs: both may take seconds.
    """
    project = session.project
    if project is None:
        return

    def forget(runs: Collection[KeptRun]) -> None:
        if session.project is project and session.forget_person(person, runs, remember=remember):
            forgotten()
            title = "Writing the project anew"
            session.run(JobKind.FORGET, title, lambda _: project.rewrite(), say_done)

    def say_done(_: None) -> None:
        words = "The photos stay, and so do files beside them and copies."
        session.show_message(f"{person} is forgotten. {words}", "ok")

    look = lambda _: project.runs_without(person)  # noqa: E731
    session.run(JobKind.FORGET, f"Forgetting {person}", look, forget)


def export_names(session: Session, find: Callable[[], Outgoing]) -> None:
    """Write names, and who is a favourite, beside the photographs; ``find``: them, in a job."""

    def work(tick: Tick) -> tuple[int, list[str]]:
        found = _found(find)
        return write_sidecars(found.faces, found.favourites, tick)

    def done(result: tuple[int, list[str]]) -> None:
        number, left = result
        text = f"Names were written beside {count(number)}."
        if not number and not left:
            text = "The names are beside the photos already."
        if left:
            text += f" {count(len(left), 'name')} {was_or_were(len(left))} not: {left[0]}"
        session.show_message(text, "warn" if left else "ok")

    stopped = "Stopped. The names that were written by then stay beside their photos."
    session.run(JobKind.EXPORT, "Writing the names", work, done, key="names", cancelled=stopped)


def export_copies(session: Session, folder: Path, find: Callable[[], Outgoing]) -> None:
    """Copy photographs into a folder for each person who is named on them."""

    def done(copies: Copies) -> None:
        session.show_message(copies.words(folder.name), "warn" if copies.gone else "ok")

    work = lambda tick: sort_into(folder, _found(find).faces, tick)  # noqa: E731
    stopped = f"Stopped. The copies that were made by then stay in “{folder.name}”."
    session.run(JobKind.EXPORT, "Copying the photos", work, done, key=folder, cancelled=stopped)


def _found(find: Callable[[], Outgoing]) -> Outgoing:
    found = find()
    if not found:
        raise EigenfacesError("Nobody has a name here yet, so there is nothing to write.")
    return found


def share(session: Session, path: Path, *, pictures: bool = True) -> None:
    """Write a copy of the project for somebody else: without places, days and answers.

    Without ``pictures``, it is for recognising alone.
    """
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    project = session.project
    if project is None:
        return
    content = project.content

    def work(tick: Tick) -> None:
        gallery = content.gallery
        shared = for_others(gallery) if pictures else for_recognising(gallery, tick)
        Project.create(path, shared).close()

    def done(_: None) -> None:
        words = "It has faces and names, but not the photos, nor where they are."
        if not pictures:
            words = "It has names, and numbers by which people are recognised, but no picture."
        session.show_message(f"Saved as “{path.name}”. {words}", "ok")

    session.run(JobKind.EXPORT, f"Saving {path.name}", work, done, key=path)


def recrop_gallery(session: Session, preparation: Preparation) -> None:
    """Cut all faces again from the photographs, to another size or policy.

    They stay where they are, unless it has changed whether photographs are cropped already: then
    only what a person or a file has said still holds.
    """
    project = session.own_project()
    if project is None:
        return

    def work(tick: Tick) -> FaceSet:
        gallery = session.gallery
        placed = placements_for_recrop(gallery.index, gallery.preparation, preparation)
        faces = recrop_faces(placed, preparation, tick)
        # Refused at once where photographs are gone.
        _store_ahead(project, gallery.with_crops(faces, preparation), tick)
        return faces

    def done(faces: FaceSet) -> None:
        session.apply("the face size", lambda now: now.with_crops(faces, preparation))

    session.run(
        JobKind.RECROP, "Cutting the faces again", work, done, cancelled="Nothing was changed."
    )


def add_dropped_probes(session: Session, paths: Sequence[Path]) -> bool:
    """Add dropped photographs to recognise; leave folders, projects and the untrained alone."""
    others = any(path.is_dir() or path.suffix == SUFFIX for path in paths)
    if others or session.gallery.training is None:
        return False
    add_probes(session, paths)
    return True


def add_probes(session: Session, paths: Sequence[Path]) -> None:
    """Read every face of these photographs or folders, to be recognised."""
    before = session.gallery.preparation
    project = session.own_project()
    if project is None:
        return

    def work(tick: Tick) -> tuple[list[Probe], list[Skipped], tuple[KnownFile, ...]]:
        gallery, photos = session.gallery, photos_of(paths)
        probes, skipped = list[Probe](), list(photos.skipped)
        preparation = probe_preparation(gallery, tick)
        for result in probes_on_each(photos.photos, preparation, tick):
            if isinstance(result, Skipped):
                skipped.append(result)
            else:
                probes += result
        blank = Gallery.new(gallery.preparation)
        with suppress(ProjectError):  # the change itself will say why it cannot be written
            project.store_ahead(Content(blank, probe_list=ProbeList(tuple(probes))), tick)
        shas = {probe.photo.path: probe.photo.photograph.sha for probe in probes}
        return probes, skipped, known_files(shas, shas, tick)

    def done(result: tuple[list[Probe], list[Skipped], tuple[KnownFile, ...]]) -> None:
        if session.gallery.preparation != before:  # changed while this waited its turn
            add_probes(session, paths)
            return
        found, skipped, files = result
        forgotten = session.project.content.forgotten if session.project else ()
        found = [probe for probe in found if not is_forgotten(probe.photo, forgotten)]
        probes = with_known_numbers(session.gallery, found, session.probes)
        session.put_probes(
            probes, [file.path for file in skipped if file.kind == "no face"], files=files
        )
        if skipped:
            text = f"{count(len(skipped), 'file')} were skipped."
            if len(skipped) == 1:
                text = f"“{skipped[0].path.name}” was skipped. {skipped[0].reason}"
            session.show_message(text, "warn", tuple(skipped))

    title, cancelled = "Reading the photos", "Stopped. No photo was added."
    session.run(JobKind.ADD_PROBES, title, work, done, key=tuple(paths), cancelled=cancelled)


def new_project(session: Session) -> None:
    """Start an empty project, once no change to the open project runs or waits.

    As when another project is opened, a training or an evaluation under way is cancelled.
    """
    changing = (JobKind.IMPORT, JobKind.RECROP, JobKind.SAVE_AS, JobKind.FORGET)
    if not session.jobs.is_busy(JobKind.OPEN, *changing):
        session.new()
        return
    title, cancelled = "Starting a new project", "The project stays open."
    session.run(JobKind.OPEN, title, lambda _: None, lambda _: session.new(), cancelled=cancelled)


def open_project(session: Session, path: Path, view: LastView | None = None) -> None:
    """Open a project file, perhaps where it was left; until that has succeeded nothing changes.

    It waits for photographs that are on their way into the project so far, not for a training or an
    evaluation: these go on until the other project is there, and are then given up.
    """
    if session.project is not None and _same_place(session.project.path, path):
        session.show_message(f"“{path.name}” is already open.")
        return

    def done(project: Project) -> None:
        session.open(project)
        session.show_page("people" if view is None else view.page)
        if view is not None and view.person in session.gallery.people:
            session.select_person(view.person)
        sentences = []
        if is_on_network(path):
            sentences.append(_ON_NETWORK.format(path.name))
        interrupted = bool(project.readings) and not project.read_only
        if interrupted:
            sentences.append(_INTERRUPTED.format(count(len(project.readings))))
        look_for_new(session, asked=False)
        if sentences:
            tone: Severity = "warn" if interrupted else "info"
            session.show_message(" ".join(sentences), tone, interrupted=interrupted)

    _open(session, path.name, lambda tick: Project.open(path, tick), done)


def open_sample(session: Session) -> None:
    """Open the AT&T sample, trained, on the Eigenfaces page."""

    def work(tick: Tick) -> Project:
        blank = Gallery.new(SAMPLE_PREPARATION)
        gallery = replace(blank, faces=load_sample(tick)).train(tick)
        tick(0, 0)
        return Project.create(draft_path("AT&T sample"), gallery)

    def done(project: Project) -> None:
        session.open(project, untouched=True)
        session.show_page("eigenfaces")

    _open(session, "the sample", work, done)


def _open(
    session: Session, name: str, work: Callable[[Tick], Project], done: Callable[[Project], None]
) -> None:
    """Open a project in a job, unless it is being opened already, as by a double click."""
    title = f"Opening {name}"
    if not any(job.title == title for job in session.jobs.running):
        session.run(JobKind.OPEN, title, work, done, key=name, cancelled="Not opened.")


def save_as(session: Session, path: Path) -> None:
    """Save the open project to a file that the person chose, and continue with that file."""
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    old = session.project
    if old is None:
        return
    if session.jobs.is_busy(JobKind.SAVE_AS):
        session.show_message("The project is being saved already.")
        return
    if old.is_in_place and _same_place(old.path, path):
        text = f"“{path.name}” is this project already. Every change goes into its file at once."
        session.show_message(text)
        return

    def work(tick: Tick) -> tuple[Project, bool]:
        lost = old.is_overwritten
        project = Project.create(path, old.gallery, old)  # with what was added while this waited
        for content in session.history.contents:  # so that undo is quick there, too
            project.store_ahead(content, tick)
        return project, lost

    def done(result: tuple[Project, bool]) -> None:
        project, lost = result
        try:
            runs = project.runs if lost else old.runs
            if not lost:
                project.copy_records(old)
            project.write(replace(old.content, runs=runs))  # what was done meanwhile
        except EigenfacesError as error:
            project.close()
            session.show_error(error)
            return
        made = session.continue_in(project)
        text = f"Saved as “{path.name}”. From now on every change is kept there."
        if made:
            text += f" So is the one that the old file could not take: {made}."
        if lost:
            text += " The evaluations kept in the old file could not be read any more."
        if is_on_network(path):
            text += f" {_ON_NETWORK.format(path.name)}"
        session.show_message(text, "warn" if lost else "ok")

    session.run(JobKind.SAVE_AS, f"Saving {path.name}", work, done, cancelled="Not saved.")


def _same_place(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one of them is not there
        return first.absolute() == second.absolute()
