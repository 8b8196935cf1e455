"""The People page: the people, their photographs, and groups of unnamed faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QStackedWidget, QWidget

from eigenfaces.faces.identity import FaceId
from eigenfaces.importing.correct import EditableFace, ReviewReading, recropped_faces
from eigenfaces.photographs.find import Photo
from eigenfaces.project.album import AlbumPhoto, album
from eigenfaces.project.content import Content
from eigenfaces.project.exports import outgoing
from eigenfaces.project.unused import pending_photos
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import PeopleOverview
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count
from ...album.large_view import LargeView
from ...album.thumbnails import forget
from ...state import actions, importing
from ...state.jobs import JobKind
from ...state.session import Session
from ...style import theme
from ...style.images import grey_image, person_image
from ...style.theme import Tone
from ...widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ...widgets.cards import Card, PageHeader, Shrinkable
from ...widgets.commands import bind, bind_button
from ...widgets.controls import Button, LinkButton, Segmented, open_below
from ...widgets.export_menu import export_menu
from ...widgets.face_list import FaceGrid, FaceItem, Key
from ...widgets.face_menu import copy_path, open_folder
from ...widgets.page import Page
from ...widgets.saving import confirm_forgetting
from .checking import CheckSheet
from .edits import PeopleEdits
from .entries import (
    ALL,
    ATTENTION,
    UNKNOWN,
    PeopleEntry,
    faces_of,
    list_entries,
)
from .findings import Findings
from .inspector import PhotoInspector
from .look_alikes import AnswerEdits, LookAlikeCard, LookAlikeQuestions
from .people_list import PeopleList
from .person import ConsistencyCard, GroupNaming, PersonHeading
from .photo_details import PhotoDetails
from .photos import Overlay, PhotosPart

_FADED = 90  # opacity, of 255, of the picture of an excluded face


class PeoplePage(Page):
    """Page with the people on the left, photographs in the middle and details on the right."""

    key, title, icon = "people", "People", "people"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.photos = PhotosPart(session)
        self.parts = Segmented(["Photos", "Faces"], 0, "Show photos or faces")
        self.show_button = Button("Slideshow", "play")
        self.export_button = Button("Export", "export")
        self.export_button.clicked.connect(self.export)
        self.header = PageHeader(
            "People",
            "",
            self.photos.years,
            self.parts,
            self.show_button,
            self.export_button,
            self.details,
        )
        self.waits, self.left_out = Button("", "people"), Button("", "warning")
        self.waits.setToolTip("Choose or confirm the faces in these photos")
        self.check_button = Button("Check the collection…", "check")
        self.alike = LookAlikeCard()
        self.list = PeopleList()
        self.people, self.filter, self.nobody = self.list.view, self.list.filter, self.list.nobody
        self.heading, self.naming, self.grid = PersonHeading(), GroupNaming(), FaceGrid("Faces")
        self.hide_button = LinkButton("Not interested")
        self.hide_button.setToolTip("Do not ask about these faces; you can undo this")
        self.grid.allow_many()
        self.large = LargeView(session)
        self.consistency = ConsistencyCard()
        self.photo_inspector, self.photo_details = PhotoInspector(), PhotoDetails()
        self.inspector = self.facts = QStackedWidget()
        self.entries: Mapping[Key, PeopleEntry] = {}  # the key of a person is their name
        self.shown: Key = ""  # the key of the entry that is shown
        self.seen = PeopleOverview(session.gallery.index)
        self.findings = Findings(session, self)
        self.findings.found.connect(self._show_findings)
        edits = self.edits = PeopleEdits(session)
        answers = AnswerEdits(
            edits, self._ask_who_else, add_photos=lambda: self.photos_wanted.emit([])
        )
        self.questions = LookAlikeQuestions(session, self.alike, answers)
        self.check_sheet = CheckSheet(session, answers, self)
        self._gallery: Gallery | None = None
        self._other: Key = ""  # the key of the chosen entry, if it is not a person
        self._arrived: frozenset[FaceId] = frozenset()  # added by the last import
        self._new: frozenset[FaceId] = frozenset()  # those of them that have no name yet
        self._goes_to_new = False  # whether to show the first group of new faces
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        photos, body, page = Card(), Shrinkable(), QWidget()
        photos.setMinimumHeight(theme.pixels(150))
        self._looks = QWidget()
        in_row(self.waits, self.left_out, STRETCH, inside=self._looks, spacing=8)
        self._faces_part = QWidget()
        in_column(
            in_row((self.naming, 1), (self.hide_button, 0, Qt.AlignmentFlag.AlignTop), spacing=8),
            (self.grid, 1),
            inside=self._faces_part,
            spacing=8,
        )
        self._shown_part = QStackedWidget()
        self._shown_part.addWidget(self.photos)
        self._shown_part.addWidget(self._faces_part)
        top = in_row((self.heading, 1), self.check_button, spacing=8)
        add_parts(photos.body, top, self._looks, (self._shown_part, 1))
        middle = in_column((photos, 3), (self.consistency, 2), spacing=12)
        in_row(self.list, (middle, 1), inside=body, spacing=12)
        in_column(self.header, self.alike, (body, 1), inside=page, spacing=12)
        self.over = Overlay(page, self.large)
        in_column((self.over, 1), inside=self.content)
        self.facts.addWidget(self.photo_inspector)
        self.facts.addWidget(self.photo_details)

    def _connect(self) -> None:
        self.list.names_like = self._keys_like
        self.list.chosen.connect(self._choose)
        self.list.clicked.connect(self._ask_for_group)
        self.list.photos_dropped.connect(self._move_dropped)
        self.list.menu_wanted.connect(self._show_entry_menu)
        self.grid.chosen.connect(self.session.select)
        self.grid.activated_face.connect(self._open_face)
        self.grid.selectionModel().selectionChanged.connect(self._show_photo)
        self.grid.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.grid.customContextMenuRequested.connect(
            lambda at: self._show_menu(self.grid.viewport().mapToGlobal(at))
        )
        self.photos.opened.connect(self._open_large)
        self.photos.menu_wanted.connect(self._show_menu)
        self.photos.changed.connect(self._show_photo)
        self.photos.grid.thumbnails.made.connect(self._show_photo)
        self.large.closed.connect(self._close_large)
        self.large.named.connect(lambda face, name: self.edits.move([face], name))
        self.large.favourite_wanted.connect(lambda sha: self._toggle_favourite([sha]))
        self.large.menu_wanted.connect(lambda _, at: self._show_menu(at))
        self.parts.changed.connect(self._show_part)
        self.naming.named.connect(self._name_group)
        self.consistency.chosen.connect(self.session.select)
        self.alike.chosen.connect(self.session.select)
        self.check_sheet.chosen.connect(self.session.select)
        self.check_button.clicked.connect(self.check_sheet.open_sheet)
        self.questions.found.connect(self._mark_stale)
        inspector, details, heading = self.photo_inspector, self.photo_details, self.heading
        details.name_wanted.connect(self._ask_name_of)
        for button, slot in (
            (self.left_out, self.skipped_wanted.emit),
            (self.waits, self.choice_wanted.emit),
            (self.show_button, self._start_show),
            (self.hide_button, self._hide_faces),
            (heading.rename, self._start_naming),
            (heading.merge, self._ask_whom_to_merge),
            (heading.remove, self._remove_person),
            (inspector.reconstruct, self._reconstruct),
            (inspector.folder, self._open_folder),
            (inspector.move_button, self._ask_where_to_move),
            (inspector.photograph, self._open_editor),
            (inspector.exclude, self._exclude),
            (inspector.right, self._confirm),
            (inspector.remove, self._remove_photos),
            (details.open, self._open_selected),
            (details.folder, self._open_folder),
            (details.find_folder, self._find_folder),
            (details.move_button, self._ask_where_to_move),
            (details.take_away, self._take_name_away),
        ):
            button.clicked.connect(lambda _=False, slot=slot: slot())
        bind("rename", self, self._start_naming)
        bind_button("merge", heading.merge)
        bind("photograph", self, self._open_editor)
        bind("remove person", self, self._remove_person, self.people)
        bind("remove photos", self, self._remove_photos, self.grid, self.consistency.chart)

    def showEvent(self, event: QShowEvent) -> None:
        self.findings.forget()  # files may change while the page is hidden
        self._gallery = None
        self._stale = True
        super().showEvent(event)

    # Display

    def _refresh(self) -> None:
        gallery, skipped = self.session.gallery, self.session.skipped
        left_out = sum(not file.needs_choice for file in skipped)
        self.left_out.setText(f"{count(left_out, 'file')} left out")
        self.left_out.setVisible(left_out > 0)
        self.waits.setText(pending_photos(skipped, gallery.index).words)
        self.waits.setVisible(bool(self.waits.text()))
        if gallery is not self._gallery:
            self._gallery = gallery
            self.seen = PeopleOverview(gallery.index, self.findings.checks)
            self._note_what_came()
            self._list_entries()
            self.findings.check()
            self.shown = ""
        self.findings.group()
        self.questions.find()
        self.questions.show(self.seen)
        self._go_to_new()
        key = self._key_to_show()
        if self._has_other_search() or key != self.shown:
            self.shown = key
            self._show_entry()
        elif self.shows_photos and not self.photos.is_current:
            self._show_part()
        self.list.select(key)
        if not self._shows_group and self.session.photo not in self.grid.selected_keys():
            self.grid.select(*[self.session.photo] if self.session.photo else [])
        self._show_photo()

    def _list_entries(self) -> None:
        gallery, findings = self.session.gallery, self.findings
        unused = len(self.session.skipped)
        names = self.list.is_open and self._shows_group  # the user names one group after another
        self.entries = list_entries(
            gallery, findings.groups, self.seen, unused, findings.not_grouped
        )
        waiting = faces_of(self.entries, gallery)
        self._new = frozenset(self._new.intersection(waiting))
        opens = names or not gallery.people or bool(self._new)
        self.list.show_entries(self.entries, self._face_of_entry, opens=opens)
        rows = self.seen.need_attention
        line = f"{count(len(gallery.people), 'person')}, {gallery.index.words}"
        need = "needs" if len(rows) == 1 else "need"
        line += f" · {gallery.index.words_of(rows)} {need} attention" if rows else ""
        self.header.set_subtitle(line)

    def _note_what_came(self) -> None:
        """Remember the faces from the last import, so that the unnamed ones are shown next."""
        if self.session.arrived is not self._arrived:
            self._arrived = self._new = self.session.arrived
            self._goes_to_new = bool(self._new)

    def _go_to_new(self) -> None:
        """Show the first group of new faces once grouping has finished, and ask for a name."""
        if not (self._goes_to_new and self._new) or self.session.jobs.is_busy(JobKind.GROUP_FACES):
            return
        photos = self.session.gallery.index.photos
        for key, entry in self.entries.items():
            if entry.kind == "group" and any(photos[row].id in self._new for row in entry.rows):
                self._goes_to_new = False
                self._other = key
                self.session.photo = photos[entry.rows[0]].id
                if not isinstance(QApplication.focusWidget(), QLineEdit):
                    QTimer.singleShot(0, self, self._start_naming)
                return

    def _key_to_show(self) -> Key:
        """Return the key of the chosen entry, or else that of the selected face or person."""
        if self.session.searched:
            self._other = ALL
        photo, index = self.session.photo, self.session.gallery.index
        row, other = index.row_of(photo) if photo else None, self.entries.get(self._other)
        stays = other is not None and (other.kind == "all" or not other.rows)
        if other and (stays or row is None or row in other.rows):
            return self._other
        self._other = ""
        if row is not None:
            keys = (key for key, entry in self.entries.items() if row in entry.rows)
            order = (k for k in keys if k not in (ALL, ATTENTION))
            return index.photos[row].person or next(order, UNKNOWN)
        if self.session.person in self.entries:
            return self.session.person or ""
        return next(iter((*self.seen.people, *self.entries)), UNKNOWN)

    def _has_other_search(self) -> bool:
        """Return whether the search has changed; if so, switch from faces to photographs."""
        if self.session.searched == self.photos.searched:
            return False
        self.parts.set_current(0)
        return True

    def _keys_like(self, words: str) -> Sequence[str]:
        """Return the people whose name or file names contain the given words."""
        return self.session.gallery.index.people_like(words)

    def _face_of_entry(self, key: Key) -> FaceItem:
        entry, warning = self.entries[key], ""
        if not entry.rows:  # files that await a choice, or were left out
            number = count(len(self.session.skipped), "file")
            return FaceItem(key, _no_picture, entry.title, number)
        concerns = self.seen.concerns_of_rows(entry.rows) if entry.is_person else []
        if len(concerns) == 1:
            title = concerns[0].title
            warning = f"1 photo needs attention: {title[0].lower()}{title[1:]}."
        elif concerns:
            warning = f"{len(concerns)} photos need attention."
        best = self.seen.best_row(entry.rows) if entry.is_person else entry.rows[0]
        image = partial(_colour_portrait, self.session.gallery, best)
        note = self.seen.index.words_of(entry.rows)
        if entry.kind == "all":
            note = count(len(self.seen.index.rows_by_sha))
        return FaceItem(key, image, entry.title, note, warning=warning)

    def _face_of_photo(self, number: int, row: int, *, named: bool) -> FaceItem:
        """Return the grid item for a face; if ``named``, its caption is the person's name."""
        photo = self.seen.index.photos[row]
        concern = self.findings.checks.concerns.get(photo.id)
        caption = photo.person or photo.path.name if named else f"photo {number}"
        excluded = "left out" if photo.excluded else ""
        draw = _portrait if self._entry.is_person else _colour_portrait
        warning = f"{concern.title}. {concern.sentence}" if concern else ""
        return FaceItem(
            photo.id,
            partial(draw, self.session.gallery, row),
            f"{number} · left out" if photo.excluded else caption,
            warning=concern.sentence if concern else "",
            accessible=", ".join(filter(None, (caption, photo.path.name, excluded, warning))),
            file=photo.path.name,
        )

    @property
    def _entry(self) -> PeopleEntry:
        return self.entries.get(self.shown, PeopleEntry("", [], "single"))

    @property
    def _shows_group(self) -> bool:
        """Whether the page shows a group of faces to be named together."""
        return self._entry.group is not None

    @property
    def shows_photos(self) -> bool:
        """Whether the page shows whole photographs rather than faces."""
        return self._entry.has_photos and self.parts.current == 0

    def _show_entry(self) -> None:
        gallery, entry, before = self.session.gallery, self._entry, self.grid.faces.keys
        person, group = entry.is_person, entry.group
        numbered = enumerate(entry.rows, start=1)
        self.grid.show_faces([self._face_of_photo(n, row, named=not person) for n, row in numbered])
        amount = gallery.index.words_of(entry.rows)
        if entry.kind == "all":
            amount = count(len(gallery.index.rows_by_sha))
        used = sum(not gallery.index.photos[row].excluded for row in entry.rows)
        part = person and used < len(entry.rows)
        words, tone = (f"{used} of {amount} used", "warn") if part else (amount, "neutral")
        self.heading.show_entry(self.shown, entry.title, words, cast(Tone, tone), person=person)
        self.heading.merge.setEnabled(len(self.seen.people) > 1)
        is_new = self.naming.isHidden() or self.grid.faces.keys != before
        self.naming.setVisible(group is not None)
        self.hide_button.setVisible(entry.is_nameless or entry.kind == "hidden")
        hides = entry.kind != "hidden"
        self.hide_button.setText("Not interested" if hides else "Ask about them again")
        modes = self.grid.SelectionMode  # in a group, a click leaves one face out
        self.grid.setSelectionMode(modes.MultiSelection if group else modes.ExtendedSelection)
        if group is not None:
            self.naming.show_group(group.perhaps, self.seen.people)
            if is_new:
                self.naming.field.setText("")
                ticked = group.likely if group.perhaps else self.grid.faces.keys
                self.grid.select(*(ticked or self.grid.faces.keys))
        of_everybody = entry.kind in ("attention", "all")
        self._looks.setVisible(of_everybody)
        self.check_button.setVisible(of_everybody)
        self._show_part()

    def _show_part(self) -> None:
        """Show the photographs or the faces of the chosen entry."""
        entry = self._entry
        self.parts.setVisible(entry.has_photos)
        photos = self.shows_photos
        self.show_button.setVisible(photos)
        if not photos:
            self.photos.years.hide()
        if photos:
            self.photos.show_person(self.shown if entry.is_person else None)
        self._shown_part.setCurrentIndex(0 if photos else 1)
        self.facts.setCurrentIndex(1 if photos else 0)
        self.consistency.setVisible(entry.is_person and not photos)
        if entry.is_person and not photos:
            self.consistency.show_person(self.session.gallery, self.shown, self.findings.checks)
        if self.over.is_over:
            self.large.show_photos(self.photos.photos())
        self._show_photo()

    def _show_photo(self) -> None:
        if self.shows_photos:
            self._show_whole_photo()
            return
        faces, gallery = self._faces(), self.session.gallery
        row = gallery.index.row_of(faces[0]) if faces else None
        if row is None or self._gallery is not gallery:
            self.photo_inspector.show_nothing()
            return
        title, amount = f"Photo {self.grid.faces.row_of(faces[0]) + 1}", ""
        if not self._entry.is_person:
            title = gallery.index.photos[row].person or "Unknown"
        if len(faces) > 1:
            title, amount = f"{title}, one of {len(faces):,} selected", self.edits.words_of(faces)
        concern = self.findings.checks.concerns.get(faces[0])
        by_face_space = self._entry.has_photos  # otherwise the page asks who or what this is
        self.photo_inspector.show_photo(gallery, row, title, concern, amount, by_face_space)

    def _show_whole_photo(self) -> None:
        photos, gallery = self.photos.grid.selected_photos(), self.session.gallery
        if not photos:
            self.photo_details.show_nothing()
            return
        first = photos[0]
        made = self.photos.grid.thumbnails.get(first, self.photos.grid.side())
        reason = "" if made is None else made.reason
        gone = reason or first.why_gone or self.findings.why_gone(first)
        image = None if made is None or reason else made.image
        there = [face for face in first.faces if gallery.index.row_of(face.id) is not None]
        rows = [gallery.index.row_by_id[face.id] for face in there]
        portraits = [_colour_portrait(gallery, row) for row in rows]
        if len(there) == len(first.faces):
            self.photo_details.show_photos(photos, image, portraits, gone=gone)

    def _show_findings(self) -> None:
        self._say_how_many(len(self.findings.groups))
        self._gallery = None
        self._mark_stale()

    def _say_how_many(self, groups: int) -> None:
        """Add the number of new groups of faces to the message about an import."""
        message = self.session.message
        if self._goes_to_new and message is not None and message.undoable and groups:
            more = f"{count(groups, 'group')} to name."
            if not message.text.endswith(more):
                words = f"{message.text} {more}"
                self.session.show_message(words, "ok", message.skipped, undoable=True)

    # Selection

    def _choose(self, key: Key) -> None:
        entry = self.entries[key]
        self._other = "" if entry.is_person else key
        self._goes_to_new = False
        self.session.searched = ""
        if entry.is_person:
            self.session.select_person(key)
        elif entry.kind == "all" or not entry.rows:
            self._mark_stale()
        else:
            self.session.select(self.session.gallery.index.photos[entry.rows[0]].id)

    def _ask_for_group(self) -> None:
        if self._stale:  # a quick click may arrive before the page has refreshed
            self._refresh_shown()
        if self._shows_group:
            self._start_naming()

    def _faces(self) -> list[FaceId]:
        """Return the selected faces, starting with the session's current face.

        A photograph stands for the person's faces in it or, under “All photos”, for all its faces.
        """
        if self.shows_photos:
            photos = self.large_or_selected()
            faces = [face for photo in photos for face in photo.faces]
            person = self.photos.person
            return [face.id for face in faces if person is None or face.person == person]
        return sorted(self.grid.selected_keys(), key=lambda face: face != self.session.photo)

    def large_or_selected(self) -> Sequence[AlbumPhoto]:
        """Return the photograph in the large view, or else the selected photographs."""
        if self.over.is_over or self.large.is_full_screen:
            return [] if self.large.photo is None else [self.large.photo]
        return self.photos.grid.selected_photos()

    def _next_photo(self) -> FaceId | None:
        """Return the face to select once the selected faces have been removed."""
        if self.shows_photos:
            return None
        rows, keys = [self.grid.faces.row_of(face) for face in self._faces()], self.grid.faces.keys
        rest = keys[max(rows, default=0) + 1 :][:1] + keys[: min(rows, default=0)][-1:]
        return rest[0] if rest else None

    def _other_people(self) -> list[str]:
        """Return the names of all people except the person shown."""
        return [person for person in self.seen.people if person != self.shown]

    # Edits, described in `PeopleEdits`

    def _start_naming(self) -> None:
        if self._shows_group:
            self.naming.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._entry.is_person:
            self.heading.ask("", (), partial(self.edits.rename, self.shown), text=self.shown)

    def _ask_whom_to_merge(self) -> None:
        if self._entry.is_person and (others := self._other_people()):
            merge = partial(self.edits.merge, self.shown)
            self.heading.ask(f"Merge {self.shown} into", others, merge, new=False)

    def _ask_who_else(self, faces: Sequence[FaceId]) -> None:
        """Select faces that may belong to somebody else, and ask whose they are."""
        self.parts.set_current(1)
        self.session.select(faces[0])
        self._refresh_shown()
        self.grid.select(*faces)
        self._ask_where_to_move()

    def _remove_photos(self) -> None:
        self.edits.remove(self._faces(), self._next_photo())

    def _remove_person(self) -> None:
        if not self._entry.is_person:
            return
        person, people = self.shown, self.seen.people
        place = people.index(person)
        following = (people[place + 1 :] + people[:place][::-1])[:1]
        rows = [row for other in following for row in self.entries[other].rows[:1]]
        then = self.seen.index.photos[rows[0]].id if rows else None
        self.edits.remove_person(person, then)

    def _ask_name_of(self, face: FaceId) -> None:
        """Ask for the name of an unnamed face."""
        self.heading.ask("Who is this?", self.seen.people, partial(self.edits.move, [face]))

    def _ask_where_to_move(self) -> None:
        if faces := self._faces():
            move = partial(self.edits.move, faces, then=self._next_photo())
            self.heading.ask(f"Move {self.edits.words_of(faces)} to", self._other_people(), move)

    def _move_dropped(self, faces: list[FaceId], on: Key) -> None:
        entry = self.entries.get(on)
        if entry is not None and entry.is_person:
            self.edits.move(faces, on, self._next_photo())
        elif on == UNKNOWN or (entry is not None and entry.is_nameless):
            self.edits.take_name_away(faces, self._next_photo())

    def _take_name_away(self) -> None:
        """Remove the names of the selected faces, and do not suggest those names for them again."""
        self.edits.take_name_away(self._faces(), self._next_photo())

    def _hide_faces(self) -> None:
        """Stop asking about the faces of an entry or, if they are hidden, ask about them again."""
        photos, hidden = self.session.gallery.index.photos, self._entry.kind == "hidden"
        faces = [photos[row].id for row in self._entry.rows]
        if self._entry.kind in ("single", "hidden"):
            faces = self._faces() or faces
        self.edits.hide(faces, not hidden)

    def _use_as_key(self) -> None:
        """Use the selected face as the key photo of its person."""
        if faces := self._faces():
            self.edits.use_as_key(faces[0])

    def _toggle_favourite(self, shas: Sequence[str] = ()) -> None:
        """Mark photographs as favourites, or unmark them."""
        wanted = [*shas] or [photo.photograph.sha for photo in self.large_or_selected()]
        if wanted:
            actions.toggle_favourite(self.session, wanted)

    def _name_group(self, name: str) -> None:
        """Name the selected faces of a group, and ask about the next group."""
        faces, photos = self._faces(), self.session.gallery.index.photos
        if not faces:
            self.session.show_message(f"First click the faces that show {name}.", "warn")
            return
        self._goes_to_new = False
        groups = [entry for key, entry in self.entries.items() if key != self.shown and entry.group]
        rest = [row for row in self._entry.rows if photos[row].id not in faces]
        rows = [*(entry.rows[0] for entry in groups), *rest]
        self.edits.move(faces, name, photos[rows[0]].id if rows else None)

    def _exclude(self) -> None:
        """Exclude the selected faces from comparison, or include them again."""
        self.edits.exclude(self._faces())

    def _confirm(self) -> None:
        """Confirm the names of the selected faces, so that the program stops asking about them."""
        self.edits.confirm(self._faces())

    # Other pages and windows

    def _reconstruct(self) -> None:
        if faces := self._faces():
            self.session.select(faces[0])
            self.session.show_page("reconstruct")

    def _selected_path(self) -> Path | None:
        """Return the path of the selected photograph, or of the selected face's photograph."""
        if self.shows_photos:
            photos = self.large_or_selected()
            return photos[0].photograph.path if photos else None
        face = self.session.face(self.session.photo) if self.session.photo else None
        return None if face is None else face[0].path

    def _open_folder(self) -> None:
        if (path := self._selected_path()) is not None:
            open_folder(self.session, path)

    def _copy_path(self) -> None:
        if (path := self._selected_path()) is not None:
            copy_path(self.session, path)

    def _find_folder(self) -> None:
        """Ask where a missing photograph is now, and look there for all missing photographs."""
        path = self._selected_path()
        start, title = (
            str(self.session.settings.last_folder),
            "Find the folder with the missing photos",
        )
        if path and (folder := QFileDialog.getExistingDirectory(self, title, start)):
            actions.find_folder(self.session, path, Path(folder))

    # The large view

    def _open_selected(self) -> None:
        if photos := self.photos.grid.selected_photos():
            self._open_large(photos[0].photograph.sha)

    def _open_face(self, face: FaceId) -> None:
        """Open the photograph of a face in the large view, among all photographs of that person."""
        row = self.session.gallery.index.row_of(face)
        if row is None:
            return
        person = self.session.gallery.index.photos[row].person
        self.photos.show_person(person)
        self._open_large(face.sha)

    def _open_large(self, sha: str) -> None:
        self.large.show_photos(self.photos.photos(), sha)
        self.over.show_over(True)
        self.large.view.setFocus()

    def _start_show(self) -> None:
        """Start a slideshow at the selected photograph, or else at the first one."""
        photos = self.photos.grid.selected_photos() or self.photos.photos()
        if photos:
            self._open_large(photos[0].photograph.sha)
            self.large.toggle_show()

    def _close_large(self, sha: str) -> None:
        self.over.show_over(False)
        self._show_part()
        if self.shows_photos:
            self.photos.grid.select(sha)
            self.photos.grid.setFocus()
            self._show_photo()
        else:
            self.grid.setFocus()

    # Exports and forgetting

    def export(self) -> None:
        """Open the menu of formats for export to other programs and people (Ctrl+E)."""
        photos = self.photos.grid.selected_photos() if self.shows_photos else []
        some = [photo.photograph.sha for photo in photos] if len(photos) > 1 else None
        words = "" if some is None else count(len(some))
        find = partial(outgoing, self._content(), some)
        open_below(self.export_button, export_menu(self.session, self, find, words))

    def _forget(self, person: str) -> None:
        """Ask whether to forget a person permanently, and do so if the user agrees."""
        shas = {photo.photograph.sha for photo in album(self._content(), [person])}
        answer = confirm_forgetting(self, person)
        if answer is None:
            return

        def forgotten() -> None:
            forget(shas)
            self.photos.grid.thumbnails.forget_images()

        actions.forget_person(self.session, person, forgotten, remember=answer)

    def _content(self) -> Content:
        project = self.session.project
        assert project is not None  # it contains the person
        return project.content

    # Context menus

    def _show_menu(self, at: QPoint) -> None:
        """Open the context menu for the selected photographs or faces."""
        faces = self._faces()
        photos = self.large_or_selected() if self.shows_photos else ()
        if not (faces or photos):
            return
        index = self.session.gallery.index
        rows = [index.row_by_id[face] for face in faces if face in index.row_by_id]
        named = any(index.photos[row].person is not None for row in rows)
        one = len(faces) == 1
        entries: list[tuple[str, Callable[[], object], bool]] = [
            ("Open", self._open_one, True),
            ("Show in folder", self._open_folder, True),
            ("Copy the file’s path", self._copy_path, True),
            ("Favourite", self._toggle_favourite, bool(photos)),
            ("", print, True),
            ("Move to person…", self._ask_where_to_move, bool(faces)),
            ("Remove the name", self._take_name_away, named),
            ("Use as key photo", self._use_as_key, named and one),
            ("Correct the face…", self._open_editor, bool(faces)),
            ("Remove from the gallery", self._remove_photos, bool(faces)),
            ("", print, True),
            ("Reconstruct", self._reconstruct, one),
        ]
        self._pop_up([entry for entry in entries if entry[2]], at)

    def _show_entry_menu(self, key: Key, at: QPoint) -> None:
        """Open the context menu for an entry in the list."""
        self._choose(key)
        self._refresh_shown()
        entry = self._entry
        entries: list[tuple[str, Callable[[], object], bool]] = []
        if entry.is_person:
            person = self.shown
            entries = [
                ("Rename", self._start_naming, True),
                ("Merge…", self._ask_whom_to_merge, len(self.seen.people) > 1),
                ("Remove the name", partial(self.edits.take_person_away, person), True),
                ("Remove from the gallery", self._remove_person, True),
                ("Forget…", partial(self._forget, person), True),
            ]
        elif entry.is_nameless:
            entries = [
                ("Add a name…", self._start_naming, self._shows_group),
                ("Not interested", self._hide_faces, True),
            ]
        elif entry.kind == "all":
            entries = [("Check the collection…", self.check_sheet.open_sheet, True)]
        elif entry.kind == "hidden":
            entries = [("Ask about them again", self._hide_faces, True)]
        self._pop_up([one for one in entries if one[2]], at)

    def _pop_up(
        self, entries: Sequence[tuple[str, Callable[[], object], bool]], at: QPoint
    ) -> None:
        if not entries:
            return
        menu = QMenu("Photo", self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, act, _ in entries:
            if words:
                menu.addAction(words).triggered.connect(lambda _=False, act=act: act())
            else:
                menu.addSeparator()
        menu.popup(at)

    def _open_one(self) -> None:
        if self.shows_photos:
            self._open_selected()
        elif faces := self._faces():
            self._open_face(faces[0])

    def _open_editor(self) -> None:
        """Open the selected photograph in the photo editor."""
        from ...photos.dialog import correct_photo

        session, index = self.session, self.session.gallery.index
        selected = self._faces()
        row = index.row_of(selected[0]) if selected else None
        if row is None:
            return
        photo, levels = index.photos[row], as_levels(session.gallery.faces.image(row))
        file = Photo(photo.path, photo.person, photo.placement, photo.photograph.turned)

        def save(reading: ReviewReading) -> bool:
            """Replace the face with a new crop from its photograph."""

            def edit(gallery: Gallery) -> Gallery:
                again = recropped_faces(gallery.index, {photo.id: reading}, gallery.faces.shape)
                return gallery.with_faces(again, {photo.id: photo.id})

            done = session.apply("correcting 1 face", edit)
            if done:
                words = "The face was cropped again. Ctrl+Z undoes it."
                session.show_message(words, "ok")
            return done

        add = partial(importing.add_missed_face, session)
        correct_photo(self, session, EditableFace(file, photo.id, levels), save, add)


def _no_picture() -> QImage:
    """Return an empty image for an entry that has no face."""
    image = QImage(8, 8, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _portrait(gallery: Gallery, row: int) -> QImage:
    """Return a gallery face in grey, as used for comparison; it is faded if excluded."""
    if not gallery.index.photos[row].pictured:
        return _colour_portrait(gallery, row)
    return _faint(gallery, row, grey_image(gallery.faces.image(row)))


def _colour_portrait(gallery: Gallery, row: int) -> QImage:
    """Return a gallery face in colour, as shown for its person; it is faded if excluded."""
    image = person_image(gallery.index.photos[row], gallery.faces.image(row))
    return _faint(gallery, row, image)


def _faint(gallery: Gallery, row: int, image: QImage) -> QImage:
    if not gallery.index.photos[row].excluded:
        return image
    faint = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    with QPainter(faint) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        painter.fillRect(faint.rect(), QColor(0, 0, 0, _FADED))
    return faint
