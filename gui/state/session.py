"""Mutable state of the window: the open project, its history and the selection.

Pages read the session and call its methods. Its signals carry no values, so each page
rereads the values that it shows. Expected errors are shown as messages, and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, with_files
from eigenfaces.project.album import AlbumPhoto, album
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.history import History
from eigenfaces.project.project import Project
from eigenfaces.project.unused import Unused
from eigenfaces.project.watch import Look
from eigenfaces.recognition.answers import forget_answers_about_other_faces
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    NO_PROBES,
    Line,
    Probe,
    ProbeList,
    with_answers_carried_over,
)
from eigenfaces.space.arrays import Floats
from eigenfaces.text import count
from .jobs import JobCancelled, JobKind, Jobs, Rule
from .settings import LastView, Settings, draft_path, drafts_folder

T = TypeVar("T")
Severity = Literal["info", "ok", "warn", "error"]
Edit = Callable[[Gallery], Gallery]
ContentEdit = Callable[[Content], Content]


@dataclass(frozen=True)
class Message:
    """Text for the message bar, with the skipped photographs that the text mentions."""

    text: str
    severity: Severity = "info"
    skipped: tuple[Skipped, ...] = ()
    interrupted: bool = False  # offers to finish an import
    undoable: bool = False  # reports the last change, and offers to undo it
    look: Look | None = None  # offers to update the project from its folders


class Session(QObject):
    """State shared by the pages. An edit is a function from one frozen state to the next.

    Each edit is applied immediately, in memory and in the file. Undo and redo are edits as well.
    """

    gallery_changed = Signal()
    selection_changed = Signal()
    probes_changed = Signal()
    page_changed = Signal()
    message_changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.jobs = Jobs(self)
        self.project: Project | None = None
        self.message: Message | None = None
        self.page = "people"
        self.photo: FaceId | None = None  # the selected face, in the gallery or a probe
        self.person: str | None = None
        self._album: tuple[Content, object, tuple[AlbumPhoto, ...]] | None = None  # the last one
        self.searched = ""  # the words that filter the photographs; "" shows all
        self.history = History()
        self.arrived: frozenset[FaceId] = frozenset()  # faces of the last import
        self.why_untrained = ""  # a sentence saying why there is no face space, if known
        self._blank = Gallery.new()
        self._refused: tuple[str, Callable[[], bool]] | None = None  # see `continue_in`
        self._untouched = False  # whether this is the unchanged sample, which need not be kept

    # The project

    @property
    def gallery(self) -> Gallery:
        """The gallery of the open project, or an empty gallery if no project is open."""
        return self.project.gallery if self.project else self._blank

    @property
    def probe_list(self) -> ProbeList:
        """The faces to recognise, and the photographs in which no face was found."""
        return self.project.probe_list if self.project else NO_PROBES

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The faces to recognise."""
        return self.probe_list.probes

    @property
    def skipped(self) -> Unused:
        """The photographs that imports have not used."""
        return self.project.unused if self.project else ()

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.project.path.stem if self.project else "Untitled project"

    @property
    def is_draft(self) -> bool:
        """Whether the project is a draft that the user has not saved elsewhere yet."""
        return self.project is None or self.project.path.parent == drafts_folder()

    @property
    def takes_no_changes(self) -> bool:
        """Whether the file cannot be changed, for example because it is read-only or has moved."""
        project = self.project
        if project is None:
            return False
        return self._refused is not None or project.read_only or not project.is_in_place

    def other_recent_projects(self) -> list[Path]:
        """Return the recent projects, except the one that is open."""
        now = None if self.project is None else self.project.path
        return [path for path in self.settings.recent_projects if path != now]

    def face(self, face: FaceId) -> tuple[FacePhoto, Floats] | None:
        """Return the `FacePhoto` and the crop (h, w) of a gallery face or a probe, if it exists."""
        for probe in self.probes:
            if probe.photo.id == face:
                return probe.photo, probe.image
        gallery, row = self.gallery, self.gallery.index.row_of(face)
        return None if row is None else (gallery.index.photos[row], gallery.faces.image(row))

    # The view

    def show_message(
        self,
        text: str,
        severity: Severity = "info",
        skipped: Unused = (),
        *,
        interrupted: bool = False,
        undoable: bool = False,
        look: Look | None = None,
    ) -> None:
        """Show text in the message bar, optionally with a button for an action."""
        self.message = Message(text, severity, skipped, interrupted, undoable, look)
        self.message_changed.emit()

    def show_error(self, error: EigenfacesError) -> None:
        """Show why something failed or was cancelled."""
        if str(error):
            self.show_message(str(error), "info" if isinstance(error, JobCancelled) else "error")

    def show_page(self, page: str) -> None:
        """Go to the page with this key."""
        if page != self.page:
            self.page = page
            self.page_changed.emit()

    def select(self, photo: FaceId | None) -> None:
        """Select a face, and the person it shows, on all pages."""
        face = self.face(photo) if photo else None
        self.photo = photo if face else None
        if face and (row := self.gallery.index.row_of(face[0].id)) is not None:
            # If a probe is also in the gallery, use its name there.
            self.person = self.gallery.index.photos[row].person
        self.selection_changed.emit()

    def search(self, words: str) -> None:
        """Show only the photographs that match these words; "" matches all of them."""
        self.searched = words
        self.selection_changed.emit()

    def album(self, people: tuple[str, ...] = (), words: str = "") -> tuple[AlbumPhoto, ...]:
        """Return the matching photographs in the project; see the function `album`.

        The last result is cached, so that showing it again does not repeat the search.
        """
        if self.project is None:
            return ()
        content = self.project.content
        wanted = people, words
        if self._album is None or self._album[0] is not content or self._album[1] != wanted:
            self._album = content, wanted, album(content, people, words)
        return self._album[2]

    def select_person(self, person: str | None) -> None:
        """Select a person, and the person's first face, on all pages."""
        rows = self.gallery.index.rows_of(person)
        self.person = person
        self.searched = ""
        self.photo = self.gallery.index.photos[rows[0]].id if rows else None
        self.selection_changed.emit()

    # Changes: each is one transaction, made immediately

    def apply(self, title: str, edit: Edit) -> bool:
        """Change the gallery; see `change`."""
        return self.change(title, lambda now: now.with_gallery(edit(now.gallery)))

    def change(self, title: str, edit: ContentEdit, ends_import: bool = False) -> bool:
        """Change the project in memory and in its file, and return whether that succeeded.

        ``title`` names the change for undo; if "", the change is not an undo step. If the change
        fails, nothing changes and a message says why. If the file could not store the change, it
        is made once the project is saved elsewhere. For ``ends_import``, see `Project.write`.
        """
        try:
            project = self._own_project()
            before = project.content
            after = edit(before)
            project.write(after, ends_import=ends_import)
        except EigenfacesError as error:
            again = partial(self.change, title, edit, ends_import)
            self._refused = (title, again) if isinstance(error, ProjectError) else None
            self.show_error(error)
            return False
        self._refused = None
        if title and not after.is_like(before):
            self.history = self.history.remember(title, before, project.content)
        self._announce(before)
        return True

    def amend(self, edit: Edit) -> bool:
        """Make a gallery change that follows from the last one. One undo reverts both changes."""
        done = self.change("", lambda now: now.with_gallery(edit(now.gallery)))
        if done and self.project is not None:
            self.history = self.history.amend(self.project.content)
        return done

    def put_probes(
        self,
        probes: Collection[Probe],
        without_face: Collection[Path] = (),
        verb: str = "adding",
        *,
        files: Collection[KnownFile] = (),
    ) -> bool:
        """In one undo step, add probes and photographs without a face, and select the first probe.

        ``files`` describes the files of the photographs that were read.
        """
        new = {probe.photo.id: probe for probe in probes}
        amount = count(len(new), "face") if new else count(len(without_face))

        def edit(now: Content) -> Content:
            old = {probe.photo.id: probe for probe in now.probe_list.probes}
            gallery = with_answers_carried_over(now.gallery, [*old.values()], [*new.values()])
            gallery = forget_answers_about_other_faces(gallery, old, new)
            listed = now.probe_list.add(probes, without_face)
            known = with_files(now.files, files)
            return replace(now, gallery=gallery, probe_list=listed, files=known)

        done = self.change(f"{verb} {amount} to recognise", edit)
        if done and new:
            self.select(next(iter(new)))
        return done

    def remove_probes(self, lines: Collection[Line]) -> None:
        """Remove probes and photographs without a face from the list."""
        title = f"removing {len(lines):,} from the list"
        if self.change(title, lambda now: replace(now, probe_list=now.probe_list.remove(lines))):
            self.select(self.probes[0].photo.id if self.probes else None)

    def set_calibration(self, calibration: Calibration) -> None:
        """Store the calibration unless the gallery has changed. This is not an undo step."""
        if self.project is not None:
            self.apply("", lambda now: now.with_calibration(calibration))

    def forget_readings(self) -> None:
        """Discard the readings of unfinished imports, which are no longer needed."""
        if self.project is not None:
            with suppress(EigenfacesError):
                self.project.write(self.project.content, ends_import=True)

    def own_project(self) -> Project | None:
        """Return the open project or a new draft. If that fails, show a message and return None."""
        try:
            return self._own_project()
        except EigenfacesError as error:
            self.show_error(error)
            return None

    def _own_project(self) -> Project:
        if self.project is None:
            self._set_project(Project.create(draft_path("Untitled project"), self._blank))
            self._announce()  # it has a name and a file, even while it is empty
        assert self.project is not None
        return self.project

    def forget_person(self, person: str, runs: Collection[KeptRun], *, remember: bool) -> bool:
        """Forget a person permanently, without undo, and return whether that succeeded.

        ``runs`` holds the evaluations to keep, which do not name the person.
        """
        project = self.project
        if project is None:
            return False
        try:
            before = project.forget_person(person, remember=remember, runs=runs)
        except EigenfacesError as error:
            self.show_error(error)
            return False
        self.history = History()
        self._album = None
        self._announce(before)
        return True

    # Jobs

    def run(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], object],
        failed: Callable[[EigenfacesError], object] | None = None,
        *,
        key: object = None,
        cancelled: str = "",
    ) -> None:
        """Start a job, and show what it waits for. Unless ``failed`` is given, show its errors."""
        failed = failed or self.show_error
        self.jobs.start(kind, title, work, done, failed, key=key, cancelled=cancelled)
        ahead = self.jobs.blocking_job(kind)
        if ahead is not None and Rule.UNASKED not in kind.rules:
            self.show_message(f"{ahead.title} must finish first. To skip it, cancel it below.")

    def undo(self) -> None:
        """Undo the last change."""
        project = self.project
        if project is not None and (back := self.history.undo(project.content)) is not None:
            step, history = back
            self._go(f"undoing {step.title}", step.undo, history, f"Undone: {step.title}.")

    def redo(self) -> None:
        """Redo the last undone change."""
        project = self.project
        if project is not None and (forward := self.history.redo(project.content)) is not None:
            step, history = forward
            self._go(f"redoing {step.title}", step.redo, history, f"Redone: {step.title}.")

    def _go(self, title: str, edit: ContentEdit, history: History, sentence: str) -> bool:
        """Move to another state in the undo history, and return whether that succeeded."""
        before = self.history
        self.history = history  # before the change, whose signal makes the menu read it
        done = self.change("", edit)
        if done:
            self.show_message(sentence)
        else:
            self.history = before
            if self._refused is not None:
                self._refused = title, partial(self._go, title, edit, history, sentence)
        return done

    def _announce(self, before: Content | None = None) -> None:
        """Deselect whatever no longer exists, and signal the changes since ``before``."""
        if self.photo and self.face(self.photo) is None:
            self.photo = None
        if self.person is not None and self.person not in self.gallery.people:
            row = self.gallery.index.row_of(self.photo) if self.photo else None
            self.person = None if row is None else self.gallery.index.photos[row].person
        now = None if self.project is None else self.project.content
        if now is None or before is None or now.probe_list != before.probe_list:
            self.probes_changed.emit()
        self.gallery_changed.emit()
        self.selection_changed.emit()

    # The open project

    def open(self, project: Project, *, untouched: bool = False) -> None:
        """Switch to another project. An ``untouched`` draft is kept only if it is changed later."""
        self.jobs.cancel(*JobKind.all_with(Rule.OF_PROJECT))
        self.close_project()
        self._set_project(project)
        self._untouched = untouched
        if self.gallery.people:
            self.select_person(self.gallery.people[0])
        self._announce()

    def new(self) -> None:
        """Start an empty project. The previous project remains in its file."""
        self.jobs.cancel(*JobKind.all_with(Rule.OF_PROJECT))
        self.close_project()
        self.show_page("people")

    def continue_in(self, project: Project) -> str:
        """Continue the same project in another file, keeping the undo history.

        If the old file could not store a change, make it now and return its title; else return "".
        """
        history, draft = self.history, self.project if self.is_draft else None
        photo, person, refused = self.photo, self.person, self._refused
        self.forget_readings()  # the other file has them
        self.close_project()
        self._set_project(project)
        if draft is not None:
            self._delete(draft)
        self.history, self.photo, self.person = history, photo, person
        self._announce()
        if refused is None:
            return ""
        title, again = refused
        return title if again() else ""

    def close_project(self) -> None:
        """Close the project, and delete it if it is a draft without any work in it."""
        if (project := self.project) is not None:
            useless = not (len(project.gallery.faces) or project.unused or project.readings)
            history = self.history
            changed = history.undo_title or history.redo_title or project.is_overwritten
            if self._untouched and not changed:
                useless = not (project.runs or project.unused)
            project.close()
            if self.is_draft and useless:
                self._delete(project)
            else:
                self.settings.add_recent(project.path)
        self.project = self.photo = self.person = None
        self.searched = ""
        self._untouched, self._refused, self.history = False, None, History()
        self._album = None
        self.arrived = frozenset()
        self._announce()

    def close(self) -> None:
        """Stop all jobs and close the project, whose file already contains every change.

        The current view is saved, so that it can be restored the next time the program starts.
        """
        self.jobs.close()
        path = self.project.path if self.project else None
        view = None if path is None else LastView(path, self.page, self.person)
        self.close_project()
        is_there = path in self.settings.recent_projects  # otherwise it was an empty draft
        self.settings.last_view = view if is_there else None

    def _set_project(self, project: Project) -> None:
        self.project = project
        self.settings.add_recent(project.path)  # drafts too, so that they are found after a crash

    def _delete(self, draft: Project) -> None:
        """Delete a draft if possible. Deleting 1 GB takes half a second."""
        self.settings.forget_recent(draft.path)
        with suppress(OSError):
            draft.path.unlink(missing_ok=True)
