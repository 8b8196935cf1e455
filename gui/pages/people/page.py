"""The People page: the people, their photographs, and groups of faces without a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QPainter,
    QShowEvent,
)

from eigenfaces.faces.identity import FaceId
from eigenfaces.importing.correct import EditableFace, ReviewReading, recropped_faces
from eigenfaces.photographs.find import Photo
from eigenfaces.project.project import Project
from eigenfaces.project.unused import pending_photos
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import (
    FaceCluster,
    PeopleOverview,
    PhotoChecks,
    check_photos,
    cluster_faces,
)
from eigenfaces.recognition.look_alikes import LookAlike, find_look_alikes
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count, was_or_were
from gui.pages.people.inspector import PhotoInspector
from gui.pages.people.look_alikes import Answer, Face, LookAlikeCard
from gui.pages.people.person import ConsistencyCard, GroupNaming, PersonHeading
from gui.state import actions
from gui.state.jobs import JobKind
from gui.state.session import Edit, Session
from gui.style import theme
from gui.style.images import grey_image
from gui.style.theme import Tone
from gui.widgets.box_layouts import add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, Shrinkable
from gui.widgets.commands import bind, bind_button
from gui.widgets.controls import Button, SearchField
from gui.widgets.face_list import FaceGrid, FaceItem, Key, ThumbnailList
from gui.widgets.labels import label
from gui.widgets.page import Page

ATTENTION, UNKNOWN = "\0attention", "\0unknown"
"""Keys of rows above the people, as no name of a person begins; that of a group of faces without a
name is its first face."""

_FADED = 90  # of 255: how much is left of the picture of an excluded photograph
_UNTOUCHED = "The photos on disk are not touched."


@dataclass(frozen=True)
class PeopleEntry:
    """A row of the list of people: its title, and the rows of the gallery in it.

    ``group`` is what is asked about, where these are faces of probably one person without a name.
    """

    title: str
    rows: list[int]
    group: FaceCluster | None = None
    is_person: bool = False


class PeoplePage(Page):
    """People at the left, photographs of one person in the middle, one photograph right."""

    key, title, icon = "people", "People", "people"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.left_out = Button("", "warning")
        self.header = PageHeader("People", "", self.left_out, self.details)
        self.filter = SearchField("Filter people")
        self.waits = Button("", "people")
        self.waits.setToolTip("Look, choose and confirm.")
        self.alike = LookAlikeCard()
        self.people = ThumbnailList("People")
        self.nobody = label("", "secondary", wrap=True)
        self.heading, self.naming, self.grid = PersonHeading(), GroupNaming(), FaceGrid("Photos")
        self.grid.allow_many()
        self.consistency = ConsistencyCard()
        self.inspector = self.photo_inspector = PhotoInspector()
        self.entries: Mapping[Key, PeopleEntry] = {}  # that of a person is a name
        self.shown: Key = ""  # the key of the entry that is shown
        self.seen = PeopleOverview(session.gallery.index)
        self._checks = PhotoChecks()
        self._checked: tuple[object, ...] = ()
        self._groups: tuple[FaceCluster, ...] = ()  # as they were found: some may have names by now
        self._grouped: tuple[set[str], str] | None = None  # crops, and the basis of suggestions
        self._alike: tuple[LookAlike, ...] = ()  # as they were found: some may be answered by now
        self._alike_place = 0  # of the one that is shown, among those not answered
        self._measured: tuple[Project | None, str] | None = None  # where and by what they were
        self._gallery: Gallery | None = None
        self._other: Key = ""  # the key of the entry chosen, where it is no person
        people, photos, body = Card(), Card(), Shrinkable()
        people.set_padding(10, 10)
        people.setFixedWidth(128 + theme.pixels(90))
        add_parts(people.body, self.filter, self.waits, self.nobody, (self.people, 1))
        photos.setMinimumHeight(theme.pixels(200))
        add_parts(photos.body, self.heading, self.naming, (self.grid, 1))
        middle = in_column((photos, 3), (self.consistency, 2), spacing=12)
        in_row(people, (middle, 1), inside=body, spacing=12)
        in_column(self.header, self.alike, (body, 1), inside=self.content, spacing=12)
        self._connect()

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._show_people)
        self.people.chosen.connect(self._choose)
        self.people.clicked.connect(self._ask_for_group)
        self.people.photos_dropped.connect(self._move_dropped)
        self.grid.chosen.connect(self.session.select)
        self.grid.activated_face.connect(lambda _: self._reconstruct())
        self.grid.selectionModel().selectionChanged.connect(self._show_photo)
        self.naming.named.connect(self._name_group)
        self.consistency.chosen.connect(self.session.select)
        self.alike.chosen.connect(self.session.select)
        self.alike.next.clicked.connect(self._show_next_alike)
        inspector, heading = self.photo_inspector, self.heading
        for button, slot in (
            (self.left_out, self.skipped_wanted.emit),
            (self.waits, self.choice_wanted.emit),
            (self.consistency.train, lambda: actions.train(self.session)),
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
        ):
            button.clicked.connect(lambda _=False, slot=slot: slot())
        bind("rename", self, self._start_naming)
        bind_button("merge", heading.merge)
        bind("photograph", self, self._open_editor)
        bind("remove person", self, self._remove_person, self.people)
        bind("remove photos", self, self._remove_photos, self.grid, self.consistency.chart)

    def showEvent(self, event: QShowEvent) -> None:
        self._checked = ()  # files may change while the page is hidden
        self._gallery = None
        self._stale = True
        super().showEvent(event)

    # What is shown

    def _refresh(self) -> None:
        gallery, skipped = self.session.gallery, self.session.skipped
        left_out = sum(not file.needs_choice for file in skipped)
        self.left_out.setText(f"{count(left_out, 'file')} left out")
        self.left_out.setVisible(left_out > 0)
        self.waits.setText(pending_photos(skipped, gallery.index).words)
        self.waits.setVisible(bool(self.waits.text()))
        if gallery is not self._gallery:
            self._gallery = gallery
            self.seen = PeopleOverview(gallery.index, self._checks)
            self.entries = self._list_entries()
            self._show_people()
            self._check()
            self.shown = ""
        self._group()
        self._find_look_alikes()
        self._show_look_alikes()
        key = self._key_to_show()
        if key != self.shown:
            self.shown = key
            self._show_entry()
        self.people.select(key)
        if not self._shows_group and self.session.photo not in self.grid.selected_keys():
            self.grid.select(*[self.session.photo] if self.session.photo else [])
        self._show_photo()

    def _list_entries(self) -> dict[Key, PeopleEntry]:
        """Return what is listed: groups of faces without a name, the rest of them, and people."""
        index, entries = self.session.gallery.index, dict[Key, PeopleEntry]()
        nameless = dict.fromkeys(index.rows_of(None))
        for group in self._groups:
            places = [index.row_by_id[face] for face in group.faces if face in index.row_by_id]
            if rows := [row for row in places if nameless.pop(row, row) is None]:
                known = group.perhaps in index.people
                title = f"Perhaps {group.perhaps}" if known else "Who is this?"
                question = group if known else FaceCluster(group.faces)
                entries[index.photos[rows[0]].id] = PeopleEntry(title, rows, question)
        entries[ATTENTION] = PeopleEntry("Needs attention", self.seen.need_attention)
        entries[UNKNOWN] = PeopleEntry("Unknown", [*nameless])
        for person in self.seen.people:
            entries[person] = PeopleEntry(person, index.rows_of(person), is_person=True)
        return {key: entry for key, entry in entries.items() if entry.rows}

    def _key_to_show(self) -> Key:
        """Return the key of the entry chosen, of the selected face, or else of the person."""
        photo, index = self.session.photo, self.session.gallery.index
        row, other = index.row_of(photo) if photo else None, self.entries.get(self._other)
        if other and (row is None or row in other.rows):
            return self._other
        self._other = ""
        if row is not None:
            keys = (key for key, entry in self.entries.items() if row in entry.rows)
            return index.photos[row].person or next((k for k in keys if k != ATTENTION), UNKNOWN)
        if self.session.person in self.entries:
            return self.session.person or ""
        return next(iter((*self.seen.people, *self.entries)), UNKNOWN)

    def _show_people(self) -> None:
        index, words = self.session.gallery.index, self.filter.text().strip()
        keys = {*index.people_like(words)} if words else self.entries.keys()
        self.people.show_faces([self._face_of_entry(key) for key in self.entries if key in keys])
        self.people.select(self.shown)
        self.nobody.setText(f"No person or photo is called “{words}”.")
        self.nobody.setVisible(bool(words) and not keys)
        self.people.setVisible(not words or bool(keys))
        rows = self.seen.need_attention
        line = f"{count(len(self.seen.people), 'person')}, {index.words}"
        need = "needs" if len(rows) == 1 else "need"
        line += f" · {index.words_of(rows)} {need} attention" if rows else ""
        self.header.set_subtitle(line)

    def _face_of_entry(self, key: Key) -> FaceItem:
        entry, warning = self.entries[key], ""
        concerns = self.seen.concerns_of_rows(entry.rows) if entry.is_person else []
        if len(concerns) == 1:
            title = concerns[0].title
            warning = f"1 photo needs attention: {title[0].lower()}{title[1:]}."
        elif concerns:
            warning = f"{len(concerns)} photos need attention."
        best = self.seen.best_row(entry.rows) if entry.is_person else entry.rows[0]
        image = partial(_portrait, self.session.gallery, best)
        note = self.seen.index.words_of(entry.rows)
        return FaceItem(key, image, entry.title, note, warning=warning)

    def _face_of_photo(self, number: int, row: int, *, named: bool) -> FaceItem:
        """Return a photograph of the grid; ``named``: with the person in the caption."""
        photo = self.seen.index.photos[row]
        concern = self._checks.concerns.get(photo.id)
        caption = photo.person or photo.path.name if named else f"photo {number}"
        excluded = "excluded from training" if photo.excluded else ""
        warning = f"{concern.title}. {concern.sentence}" if concern else ""
        return FaceItem(
            photo.id,
            partial(_portrait, self.session.gallery, row),
            f"{number} · excluded" if photo.excluded else caption,
            warning=concern.sentence if concern else "",
            accessible=", ".join(filter(None, (caption, photo.path.name, excluded, warning))),
            file=photo.path.name,
        )

    @property
    def _entry(self) -> PeopleEntry:
        return self.entries.get(self.shown, PeopleEntry("Unknown", []))

    @property
    def _shows_group(self) -> bool:
        """Whether the faces of a group are shown, to be named together."""
        return self._entry.group is not None

    def _show_entry(self) -> None:
        gallery, entry, before = self.session.gallery, self._entry, self.grid.faces.keys
        person, group = entry.is_person, entry.group
        numbered = enumerate(entry.rows, start=1)
        self.grid.show_faces([self._face_of_photo(n, row, named=not person) for n, row in numbered])
        amount = gallery.index.words_of(entry.rows)
        used = sum(not gallery.index.photos[row].excluded for row in entry.rows)
        part = person and used < len(entry.rows)
        words, tone = (f"{used} of {amount} used", "warn") if part else (amount, "neutral")
        self.heading.show_entry(self.shown, entry.title, words, cast(Tone, tone), person=person)
        self.heading.merge.setEnabled(len(self.seen.people) > 1)
        is_new = self.naming.isHidden() or self.grid.faces.keys != before
        self.naming.setVisible(group is not None)
        modes = self.grid.SelectionMode  # of a group, a click leaves one face out
        self.grid.setSelectionMode(modes.MultiSelection if group else modes.ExtendedSelection)
        if group is not None:
            self.naming.show_group(group.perhaps, self.seen.people)
            if is_new:
                self.naming.field.setText("")
                self.grid.select(*self.grid.faces.keys)
        self.consistency.setVisible(person)
        if person:
            self.consistency.show_person(gallery, self.shown, self._checks)

    def _show_photo(self) -> None:
        faces, gallery = self._faces(), self.session.gallery
        row = gallery.index.row_of(faces[0]) if faces else None
        if row is None or self._gallery is not gallery:
            self.photo_inspector.show_nothing()
            return
        title, amount = f"Photo {self.grid.faces.row_of(faces[0]) + 1}", ""
        if not self._entry.is_person:
            title = gallery.index.photos[row].person or "Unknown"
        if len(faces) > 1:
            title, amount = f"{title}, one of {len(faces):,} selected", self._count(faces)
        concern = self._checks.concerns.get(faces[0])
        self.photo_inspector.show_photo(gallery, row, title, concern, amount)

    def _check(self) -> None:
        """Check files and faces in a job: a slow disk must not block the window."""
        gallery, before = self.session.gallery, self._checks
        state = (gallery.index, gallery.preparation, gallery.training, gallery.recipe)
        if state == self._checked or not len(gallery.faces):
            return
        self._checked = state

        def done(checks: PhotoChecks) -> None:
            self._checks = checks
            if checks.concerns != before.concerns or checks.apart is not before.apart:
                self._gallery = None
                self._mark_stale()

        work, failed = partial(check_photos, gallery, before), self.session.show_error
        self.session.run(JobKind.CHECK_PHOTOS, "Looking at the photos", work, done, failed)

    def _group(self) -> None:
        """Group the faces without a name in a job, again when others are near to them."""
        gallery = self.session.gallery
        crops = {gallery.index.photos[row].crop for row in gallery.index.rows_of(None)}
        calibrated = gallery.calibrated is not None
        state = crops, gallery.calibration_key if calibrated else ""
        known = self._grouped[0] if self._grouped else set()
        # What was suggested stands until it is measured anew.
        waits = gallery.training is not None and not calibrated and crops <= known
        if waits or state == self._grouped:
            return
        self._grouped = state

        def done(groups: tuple[FaceCluster, ...]) -> None:
            self._groups, self._gallery = groups, None
            self._mark_stale()

        if crops:
            title = "Grouping the faces without a name"
            work, failed = partial(cluster_faces, gallery), self.session.show_error
            self.session.run(JobKind.GROUP_FACES, title, work, done, failed)

    def _find_look_alikes(self) -> None:
        """Find who look alike in a job, again when distances are measured anew.

        Until then what was found stands, unless it is answered.
        """
        gallery, project = self.session.gallery, self.session.project
        if self._measured is not None and self._measured[0] is not project:
            self._alike, self._measured = (), None
        if gallery.calibrated is None or self._measured == (project, gallery.calibration_key):
            return
        self._measured = project, gallery.calibration_key

        def done(found: tuple[LookAlike, ...]) -> None:
            self._alike = found
            self._mark_stale()

        work, failed = lambda _: find_look_alikes(gallery), self.session.show_error
        self.session.run(
            JobKind.LOOK_ALIKES, "Looking for people who look alike", work, done, failed
        )

    def _show_look_alikes(self) -> None:
        """Show one of those who look alike that nobody has answered."""
        gallery = self.session.gallery
        trained = gallery.training is not None
        some = [alike for alike in self._alike if trained and alike.is_open(gallery)]
        self.alike.setVisible(bool(some))
        if some:
            place = self._alike_place % len(some)
            alike = some[place]
            faces, answers = self._faces_of_alike(alike), self._answers_to(alike)
            self.alike.show_alike(alike, faces, answers, place, len(some))

    def _show_next_alike(self) -> None:
        self._alike_place += 1
        self._show_look_alikes()

    def _faces_of_alike(self, alike: LookAlike) -> list[Face]:
        """Return the faces in question, then one of each of two people, with their names."""
        index, shown = self.seen.index, list[tuple[int, str]]()
        for face in alike.faces:
            row = index.row_by_id[face]
            shown.append((row, index.photos[row].path.name))
        for person in dict.fromkeys(alike.people):
            rest = [row for row in index.rows_of(person) if index.photos[row].id not in alike.faces]
            if alike.kind != "two people" and rest:
                shown.append((self.seen.best_row(rest), person))
        pictures = self.session.gallery.faces
        return [Face(index.photos[row].id, pictures.image(row), name) for row, name in shown]

    def _answers_to(self, alike: LookAlike) -> list[Answer]:
        """Return what can be answered: words, what follows from them, and the edit."""
        one, other = alike.people
        settle = partial(self._settle, one, other)
        match alike.kind:
            case "one person":
                amounts = {name: len(self.seen.index.rows_of(name)) for name in alike.people}
                kept = max(alike.people, key=lambda name: amounts[name])
                gone = other if kept == one else one
                merge = partial(self._merge, gone, kept)
                hint = f"Give all photos of {gone} to {kept} (Ctrl+Z undoes it)"
                return [
                    Answer("The same", hint, merge),
                    Answer("Two people", "Do not ask about them again", settle),
                ]
            case "photo":
                move = partial(self.move_photos, alike.faces, other)
                return [
                    Answer(f"It is {other}", f"Move the photo to {other}", move),
                    Answer(f"It is {one}", f"{one} and {other} are two people", settle),
                ]
            case "two people":
                part = partial(self._ask_who_else, alike.faces)
                return [
                    Answer("Two people…", "Give the photos that differ another name", part),
                    Answer("One person", f"All photos of {one} are right", settle),
                ]
            case "near":
                return [Answer("OK", "Do not mention this again", settle)]

    # What is chosen

    def _choose(self, key: Key) -> None:
        entry = self.entries[key]
        self._other = "" if entry.is_person else key
        if entry.is_person:
            self.session.select_person(key)
        else:
            self.session.select(self.session.gallery.index.photos[entry.rows[0]].id)

    def _ask_for_group(self) -> None:
        if self._stale:  # a quick click comes before what it shows
            self._refresh_shown()
        if self._shows_group:
            self._start_naming()

    def _faces(self) -> list[FaceId]:
        """Return the selected faces, first that of the session."""
        return sorted(self.grid.selected_keys(), key=lambda face: face != self.session.photo)

    def _count(self, faces: Sequence[FaceId]) -> str:
        """Return in words how many faces these are, and on how many photos."""
        index = self.session.gallery.index
        return index.words_of([index.row_by_id[face] for face in faces if face in index.row_by_id])

    def _next_photo(self) -> FaceId | None:
        """Return the photograph to select after the selected ones are gone."""
        rows, keys = [self.grid.faces.row_of(face) for face in self._faces()], self.grid.faces.keys
        rest = keys[max(rows, default=0) + 1 :][:1] + keys[: min(rows, default=0)][-1:]
        return rest[0] if rest else None

    def _other_people(self) -> list[str]:
        """Return everybody but the person shown."""
        return [person for person in self.seen.people if person != self.shown]

    # Edits: each has a name for undo, and says what was done

    def _edit(self, title: str, edit: Edit, sentence: str = "", then: FaceId | None = None) -> None:
        """Make an edit, select a photograph after it (else the same one), and say what was done."""
        if self.session.apply(title, edit):
            # Whose it is may have another name now.
            self.session.select(then or self.session.photo)
            if sentence:
                self.session.show_message(f"{sentence} Ctrl+Z undoes it.", "ok")

    def _start_naming(self) -> None:
        if self._shows_group:
            self.naming.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._entry.is_person:
            self.heading.ask("", (), partial(self._rename, self.shown), text=self.shown)

    def _rename(self, person: str, name: str) -> None:
        if name != person:
            self._edit(f"rename {person} to {name}", lambda gallery: gallery.rename(person, name))

    def _ask_whom_to_merge(self) -> None:
        if self._entry.is_person and (others := self._other_people()):
            merge = partial(self._merge, self.shown)
            self.heading.ask(f"Merge {self.shown} into", others, merge, new=False)

    def _merge(self, person: str, into: str) -> None:
        sentence = f"{person} and {into} are now one person."
        self._edit(f"merge {person} into {into}", lambda now: now.merge(person, into), sentence)

    def _settle(self, one: str, other: str) -> None:
        """Note that people who look alike are two, or that one who looks like two is one."""
        title = f"{one} is one person" if one == other else f"{one} and {other} are two people"
        self._edit(title, lambda now: now.settle(one, other), f"Noted: {title}.")

    def _ask_who_else(self, faces: Sequence[FaceId]) -> None:
        """Show the photographs of a person that may be somebody else's, and ask whose they are."""
        self.session.select(faces[0])
        self._refresh_shown()
        self.grid.select(*faces)
        self._ask_where_to_move()

    def _remove_photos(self) -> None:
        if faces := self._faces():
            photos, edit = self._count(faces), lambda now: now.remove(faces)
            sentence = f"{photos} {was_or_were(len(faces))} taken out of the gallery. {_UNTOUCHED}"
            self._edit(f"remove {photos}", edit, sentence, self._next_photo())

    def _remove_person(self) -> None:
        if not self._entry.is_person:
            return
        person, people = self.shown, self.seen.people
        place = people.index(person)
        following = (people[place + 1 :] + people[:place][::-1])[:1]
        rows = [row for other in following for row in self.entries[other].rows[:1]]
        then = self.seen.index.photos[rows[0]].id if rows else None
        sentence = f"{person} was taken out of the gallery. {_UNTOUCHED}"
        self._edit(f"remove {person}", lambda now: now.remove_person(person), sentence, then)

    def _ask_where_to_move(self) -> None:
        if faces := self._faces():
            move = partial(self.move_photos, faces, then=self._next_photo())
            self.heading.ask(f"Move {self._count(faces)} to", self._other_people(), move)

    def _move_dropped(self, faces: list[FaceId], on: Key) -> None:
        if on == UNKNOWN or self.entries[on].is_person:
            self.move_photos(faces, None if on == UNKNOWN else on, self._next_photo())

    def move_photos(
        self, faces: Sequence[FaceId], person: str | None, then: FaceId | None = None
    ) -> None:
        """Move faces to a person, known or new, or (None) to nobody; then select another."""
        index = self.session.gallery.index
        rows = [row for row in map(index.row_by_id.get, faces) if row is not None]
        rows = [row for row in rows if index.photos[row].person != person]
        moving = [index.photos[row].id for row in rows]
        if moving:
            number, whom = index.words_of(rows), person or "Unknown"
            sentence = f"{number} {'is' if len(rows) == 1 else 'are'} now with {whom}."
            edit = lambda now: now.move(moving, person)  # noqa: E731
            self._edit(f"move {number} to {whom}", edit, sentence, then or moving[0])

    def _name_group(self, name: str) -> None:
        """Give the faces of a group that are selected a name, and ask about the next one."""
        faces, photos = self._faces(), self.session.gallery.index.photos
        if not faces:
            self.session.show_message(f"First click the faces that show {name}.", "warn")
            return
        groups = [entry for key, entry in self.entries.items() if key != self.shown and entry.group]
        rest = [row for row in self._entry.rows if photos[row].id not in faces]
        rows = [*(entry.rows[0] for entry in groups), *rest]
        self.move_photos(faces, name, photos[rows[0]].id if rows else None)

    def _exclude(self) -> None:
        """Exclude photographs from training and matching, or include them again."""
        if faces := self._faces():
            photos, index = self._count(faces), self.session.gallery.index
            out = not index.photos[index.row_by_id[faces[0]]].excluded
            title = f"exclude {photos} from training" if out else f"include {photos} again"
            self._edit(title, lambda gallery: gallery.exclude(faces, out))

    def _confirm(self) -> None:
        """Note that photographs are right, so that they are not asked about again."""
        faces = self._faces()
        title = f"{self._count(faces)} {'is' if len(faces) == 1 else 'are'} right"
        self._edit(title, lambda gallery: gallery.confirm(faces))

    # Other pages and windows

    def _reconstruct(self) -> None:
        if faces := self._faces():
            self.session.select(faces[0])
            self.session.show_page("reconstruct")

    def _open_folder(self) -> None:
        face = self.session.face(self.session.photo) if self.session.photo else None
        if face is not None:
            folder = face[0].path.parent
            if folder.is_dir():
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
            else:
                self.session.show_message(f"The folder “{folder}” is no longer there.", "warn")

    def _open_editor(self) -> None:
        """Open the photo editor on the selected photograph."""
        from gui.photos.dialog import correct_photo

        session, index = self.session, self.session.gallery.index
        selected = self._faces()
        row = index.row_of(selected[0]) if selected else None
        if row is None:
            return
        photo, levels = index.photos[row], as_levels(session.gallery.faces.image(row))
        file = Photo(photo.path, photo.person, photo.placement, photo.photograph.turned)

        def save(reading: ReviewReading) -> bool:
            """Replace the face by what was cut again from its photograph."""

            def edit(gallery: Gallery) -> Gallery:
                again = recropped_faces(gallery.index, {photo.id: reading}, gallery.faces.shape)
                return gallery.with_faces(again, {photo.id: photo.id})

            done = session.apply("correcting 1 face", edit)
            if done:
                words = "1 face was cut again from the photo. Ctrl+Z undoes it."
                session.show_message(words, "ok")
            return done

        correct_photo(self, session, EditableFace(file, photo.id, levels), save)


def _portrait(gallery: Gallery, row: int) -> QImage:
    """Return the picture of a face of the gallery; that of an excluded one is faint."""
    image = grey_image(gallery.faces.image(row))
    if not gallery.index.photos[row].excluded:
        return image
    faint = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    with QPainter(faint) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        painter.fillRect(faint.rect(), QColor(0, 0, 0, _FADED))
    return faint
