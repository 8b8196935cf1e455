"""User actions, such as answers. Slow actions (for example training or opening) run as jobs.

A job does not change the session. Its result is applied once the job has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.importing.load import placements_for_recrop, recrop_faces
from eigenfaces.photographs.find import Skipped, photos_of
from eigenfaces.photographs.known import KnownFile, known_files
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.exports import Copies, Outgoing, sort_into, write_sidecars
from eigenfaces.project.forget import is_forgotten
from eigenfaces.project.moved import (
    find_moves,
    found_words,
    relinked,
)
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.project.share import for_others, for_recognising
from eigenfaces.project.watch import Look, after_look, look, renewed
from eigenfaces.recognition.answers import AnswerResult, apply_answers
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    Probe,
    ProbeList,
    probe_preparation,
    probes_on_each,
    with_known_numbers,
)
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count, was_or_were
from . import importing
from .importing import store_ahead
from .jobs import JobKind
from .session import Session, Severity
from .settings import LastView, draft_path, is_on_network

_ON_NETWORK = (
    "“{}” is on a network drive, so saving each change may take a while. A disk in this computer "
    "is faster."
)
_INTERRUPTED = (
    "The last import was interrupted. It had read {}, which need not be read again. To add the "
    "rest as well, add the folder again."
)


@dataclass(frozen=True, eq=False)
class Trained:
    """Gallery before and after training."""

    begun: Gallery
    fitted: Gallery
    by_person: bool = False  # whether the user has chosen the recipe
    seconds: float = 0.0  # the duration of the training

    def edit(self, now: Gallery) -> Gallery:
        """Return the current gallery, including any new photos, with this training applied."""
        if now is self.begun:
            return self.fitted
        wanted = self.by_person or now.recipe == self.begun.recipe
        settings = self.fitted if wanted else now
        changed = replace(now, recipe=settings.recipe, automatic=settings.automatic)
        return changed.adopt_training(self.fitted.trained, self.fitted.faces)


def train_work(
    session: Session, project: Project, recipe: Recipe | None = None
) -> Callable[[Tick], Trained]:
    """Return a function that trains the gallery in a job, optionally with another recipe."""

    def work(tick: Tick) -> Trained:
        start = time.monotonic()
        begun = session.gallery  # read here: the gallery may have changed while the job waited
        fitted = begun.train(tick, recipe=recipe)
        store_ahead(project, fitted, tick)
        return Trained(begun, fitted, recipe is not None, time.monotonic() - start)

    return work


def train(session: Session, recipe: Recipe | None = None) -> None:
    """Fit the face space, optionally with another recipe. Meanwhile, the old space is used."""
    project = session.own_project()
    if project is None:
        return

    def done(trained: Trained) -> None:
        by = f" with {recipe.name}" if recipe else ""
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
        cancelled="Training cancelled. Nothing was changed.",
    )


def use_recipe(session: Session, recipe: Recipe) -> None:
    """Switch to another recipe. If it needs training, keep the old one until training has ended."""
    gallery = session.gallery
    if gallery.training is not None and recipe.needs_refit(gallery.training.recipe):
        train(session, recipe)
    elif session.apply(f"the recipe {recipe.name}", lambda now: now.with_recipe(recipe)):
        session.show_message(f"From now on, faces are compared with {recipe.name}.", "ok")


def use_automatic(session: Session) -> None:
    """Let the program choose the recipe whenever it trains. Retrain now if already trained."""
    done = session.apply("Automatic", lambda now: replace(now, automatic=NOT_MEASURED))
    if done and session.gallery.training:
        train(session)


def answer(
    session: Session,
    replies: Sequence[Callable[[Gallery], AnswerResult]],
    done: Callable[[str], object],
) -> bool:
    """Apply answers as a single undo step, and return whether that succeeded.

    ``done`` is called with a sentence that describes the change.
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
    """Search a folder for a lost photograph, and for all other lost photographs as well."""
    project = session.project
    if project is None:
        return
    content = project.content

    def done(moves: Mapping[Path, Path]) -> None:
        number = len(moves)
        if not number:
            session.show_message(f"None of the lost photos is in “{folder.name}”.", "warn")
        elif session.change(f"finding {count(number)}", lambda now: relinked(now, moves)):
            session.show_message(found_words(number), "ok", undoable=True)

    work = lambda tick: find_moves(content, lost, folder, tick)  # noqa: E731
    session.run(JobKind.WATCH, "Looking for lost photos", work, done)


def look_for_new(session: Session, *, asked: bool = True) -> None:
    """Check the project's folders for new, changed and missing photographs.

    If the user has not ``asked``, a message is shown only if there is something to report.
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
    """Update the project from its folders. New and changed photos are read; nothing is deleted."""
    title = "updating moved and missing photos"
    if found.moves or found.gone:
        if not session.change(title, lambda now: after_look(now, found)):
            return
        session.show_message(found.sentence, "ok", undoable=True)
    if found.found.photos:
        importing.import_photos(session, found.found)
    if found.listed_again:
        add_probes(session, found.listed_again)


def toggle_favourite(session: Session, shas: Sequence[str]) -> None:
    """Mark photographs as favourites, or unmark them if all of them are already favourites."""
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
    """Forget a person permanently. ``forgotten`` is called once that person has been removed.

    Reading the evaluations and rewriting the file may take seconds, so both are done in jobs.
    """
    project = session.project
    if project is None:
        return

    def forget(runs: Collection[KeptRun]) -> None:
        if session.project is project and session.forget_person(person, runs, remember=remember):
            forgotten()
            title = "Rewriting the project"
            session.run(JobKind.FORGET, title, lambda _: project.rewrite(), say_done)

    def say_done(_: None) -> None:
        words = "The photos, any copies and the files beside them are still there."
        session.show_message(f"{person} has been forgotten. {words}", "ok")

    look = lambda _: project.runs_without(person)  # noqa: E731
    session.run(JobKind.FORGET, f"Forgetting {person}", look, forget)


def export_names(session: Session, find: Callable[[], Outgoing]) -> None:
    """Write names and favourites to files beside the photos. A job gets both from ``find``."""

    def work(tick: Tick) -> tuple[int, list[str]]:
        found = _found(find)
        return write_sidecars(found.faces, found.favourites, tick)

    def done(result: tuple[int, list[str]]) -> None:
        number, left = result
        text = f"Names have been saved beside {count(number)}."
        if not number and not left:
            text = "The names have already been saved beside the photos."
        if left:
            text += f" {count(len(left), 'name')} {was_or_were(len(left))} not written: {left[0]}"
        session.show_message(text, "warn" if left else "ok")

    stopped = "Stopped. The names saved so far have been kept beside their photos."
    session.run(JobKind.EXPORT, "Writing the names", work, done, key="names", cancelled=stopped)


def export_copies(session: Session, folder: Path, find: Callable[[], Outgoing]) -> None:
    """Copy photographs into a sub-folder for each person named in them."""

    def done(copies: Copies) -> None:
        session.show_message(copies.words(folder.name), "warn" if copies.gone else "ok")

    work = lambda tick: sort_into(folder, _found(find).faces, tick)  # noqa: E731
    stopped = f"Stopped. The copies made so far have been kept in “{folder.name}”."
    session.run(JobKind.EXPORT, "Copying the photos", work, done, key=folder, cancelled=stopped)


def _found(find: Callable[[], Outgoing]) -> Outgoing:
    found = find()
    if not found:
        raise EigenfacesError("Nobody here has been named yet, so there is nothing to write.")
    return found


def share(session: Session, path: Path, *, pictures: bool = True) -> None:
    """Save a copy of the project for somebody else, without file locations, dates or answers.

    If ``pictures`` is false, the copy can only be used to recognise people.
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
        words = "It contains the faces and names, but neither the photos nor their locations."
        if not pictures:
            words = "It contains names and the numbers needed to recognise people, but no pictures."
        session.show_message(f"Saved as “{path.name}”. {words}", "ok")

    session.run(JobKind.EXPORT, f"Saving {path.name}", work, done, key=path)


def recrop_gallery(session: Session, preparation: Preparation) -> None:
    """Crop all faces from the photographs again, with another size or policy.

    Face positions are kept. However, positions found by the program may be determined again if
    ``already_cropped`` has changed.
    """
    project = session.own_project()
    if project is None:
        return

    def work(tick: Tick) -> FaceSet:
        gallery = session.gallery
        placed = placements_for_recrop(gallery.index, gallery.preparation, preparation)
        faces = recrop_faces(placed, preparation, tick)
        # This fails at once if photographs are missing.
        store_ahead(project, gallery.with_crops(faces, preparation), tick)
        return faces

    def done(faces: FaceSet) -> None:
        session.apply("the face size", lambda now: now.with_crops(faces, preparation))

    session.run(
        JobKind.RECROP, "Cropping the faces again", work, done, cancelled="Nothing was changed."
    )


def add_dropped_probes(session: Session, paths: Sequence[Path]) -> bool:
    """Add dropped files as probes, or return False for folders, projects or untrained galleries."""
    others = any(path.is_dir() or path.suffix == SUFFIX for path in paths)
    if others or session.gallery.training is None:
        return False
    add_probes(session, paths)
    return True


def add_probes(session: Session, paths: Sequence[Path]) -> None:
    """Read all faces in photographs or folders, and add them to the faces to recognise."""
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
        with suppress(ProjectError):  # the change will report the reason
            project.store_ahead(Content(blank, probe_list=ProbeList(tuple(probes))), tick)
        shas = {probe.photo.path: probe.photo.photograph.sha for probe in probes}
        return probes, skipped, known_files(shas, shas, tick)

    def done(result: tuple[list[Probe], list[Skipped], tuple[KnownFile, ...]]) -> None:
        if session.gallery.preparation != before:  # changed while this job waited
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

    title, cancelled = "Reading the photos", "Stopped. No photos were added."
    session.run(JobKind.ADD_PROBES, title, work, done, key=tuple(paths), cancelled=cancelled)


def new_project(session: Session) -> None:
    """Start an empty project once all jobs that change the open project have ended.

    Any training or evaluation still running is cancelled, as when another project is opened.
    """
    changing = (JobKind.IMPORT, JobKind.RECROP, JobKind.SAVE_AS, JobKind.FORGET)
    if not session.jobs.is_busy(JobKind.OPEN, *changing):
        session.new()
        return
    title, cancelled = "Starting a new project", "The project stays open."
    session.run(JobKind.OPEN, title, lambda _: None, lambda _: session.new(), cancelled=cancelled)


def open_project(session: Session, path: Path, view: LastView | None = None) -> None:
    """Open a project file, optionally in its last view. Nothing changes unless opening succeeds.

    The job waits until changes to the current project, such as imports, are complete. Training and
    evaluations continue until the new project is open, and are then cancelled.
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
    """Open the trained AT&T sample on the Eigenfaces page."""

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
    """Open a project in a job unless it is already being opened (say, after a double click)."""
    title = f"Opening {name}"
    if not any(job.title == title for job in session.jobs.running):
        session.run(JobKind.OPEN, title, work, done, key=name, cancelled="Not opened.")


def save_as(session: Session, path: Path) -> None:
    """Save the open project to another file, and continue in that file."""
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    old = session.project
    if old is None:
        return
    if session.jobs.is_busy(JobKind.SAVE_AS):
        session.show_message("The project is already being saved.")
        return
    if old.is_in_place and _same_place(old.path, path):
        text = f"This project is already saved as “{path.name}”. Every change is saved immediately."
        session.show_message(text)
        return

    def work(tick: Tick) -> tuple[Project, bool]:
        lost = old.is_overwritten
        project = Project.create(path, old.gallery, old)  # with changes made while the job waited
        for content in session.history.contents:  # so that undo is quick in the new file
            project.store_ahead(content, tick)
        return project, lost

    def done(result: tuple[Project, bool]) -> None:
        project, lost = result
        try:
            runs = project.runs if lost else old.runs
            if not lost:
                project.copy_records(old)
            project.write(replace(old.content, runs=runs))  # with changes made since then
        except EigenfacesError as error:
            project.close()
            session.show_error(error)
            return
        made = session.continue_in(project)
        text = f"Saved as “{path.name}”. From now on, every change will be saved there."
        if made:
            saved = "The change that could not be saved in the old file has now been saved too"
            text += f" {saved}: {made}."
        if lost:
            text += " The evaluations in the old file could not be read."
        if is_on_network(path):
            text += f" {_ON_NETWORK.format(path.name)}"
        session.show_message(text, "warn" if lost else "ok")

    session.run(JobKind.SAVE_AS, f"Saving {path.name}", work, done, cancelled="Not saved.")


def _same_place(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one of them does not exist
        return first.absolute() == second.absolute()
