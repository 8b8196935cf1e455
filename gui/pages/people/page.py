"""The People page: the people, their photographs, and groups of faces without a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QPainter,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView

from eigenfaces.faces.face_set import as_levels
from eigenfaces.importing.correct import EditableFace, ReviewReading, recropped_faces
from eigenfaces.photographs.photos import Photo
from eigenfaces.project.save import waiting
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import (
    FaceGroup,
    PeopleOverview,
    PhotoChecks,
    check_photos,
    group_faces,
)
from eigenfaces.text import count, folded, were
from gui.pages.people.inspector import PhotoInspector
from gui.pages.people.person import ConsistencyCard, GroupNaming, PersonHeading
from gui.state import actions
from gui.state.session import Edit, Session
from gui.style import theme
from gui.style.images import grey_image
from gui.style.theme import Tone
from gui.widgets.boxes import add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, Shrinkable
from gui.widgets.controls import Button, LinkButton, SearchField
from gui.widgets.face_list import Face, FaceGrid, PersonList
from gui.widgets.page import Page
from gui.widgets.words import label

ATTENTION, UNKNOWN = "\0attention", "\0unknown"
"""Keys of rows above the people, as “\\0” and the key of its first face is that of a group of faces
without a name; no name of a person can begin like this."""

_FADED = 90  # of 255: how much is left of the picture of an excluded photograph
_PAUSE = 60  # ms on one person or photograph before what takes long is worked out
_UNTOUCHED = "The photos on disk are not touched."


@dataclass(frozen=True)
class Listed:
    """A row of the list of people: its title, and the rows of the gallery in it.

    ``group`` is what is asked about, where these are faces of probably one person without a name.
    """

    title: str
    rows: list[int]
    group: FaceGroup | None = None
    is_person: bool = False


class PeoplePage(Page):
    """People at the left, photographs of one person in the middle, one photograph right."""

    key = "people"
    title = "People"
    icon = "people"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.header = PageHeader("People")
        self.left_out = Button("", "warning")
        self.header.add_action(self.left_out)
        self.filter = SearchField("Filter people")
        self.waits = Button("", "people")
        self.waits.setToolTip("Look, choose and confirm: what was found is kept with the project.")
        self.people = PersonList("People")
        self.nobody = label("", "secondary", wrap=True)
        self.everybody = LinkButton("Show everybody")
        self.heading = PersonHeading()
        self.naming = GroupNaming()
        self.grid = FaceGrid("Photos")
        self.grid.allow_many()
        self.consistency = ConsistencyCard()
        self.inspector = self.photo_inspector = PhotoInspector()
        self.entries: Mapping[str, Listed] = {}  # by key: that of a person is a name
        self.shown = ""  # the key of what is shown
        self.seen = PeopleOverview(session.gallery.index)
        self._found = PhotoChecks()
        self._checked: tuple[object, ...] = ()
        self._groups: tuple[FaceGroup, ...] = ()  # as they were found: some may have names by now
        self._grouped: tuple[set[str], str] | None = None  # crops, and the basis of suggestions
        self._gallery: Gallery | None = None
        self._chosen = ""  # what was chosen in the list, where it is no person
        self._later = QTimer(self, singleShot=True, interval=_PAUSE)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        people, photos, body = Card(), Card(), Shrinkable()
        people.set_padding(10, 10)
        people.setFixedWidth(128 + theme.pixels(90))
        self.everybody.setProperty("flush", True)
        left = Qt.AlignmentFlag.AlignLeft
        line = (self.everybody, 0, left)
        add_parts(people.body, self.filter, self.waits, self.nobody, line, (self.people, 1))
        photos.setMinimumHeight(theme.pixels(200))
        add_parts(photos.body, self.heading, self.naming, (self.grid, 1))
        middle = in_column((photos, 3), (self.consistency, 2), spacing=12)
        in_row(people, (middle, 1), inside=body, spacing=12)
        in_column(self.header, (body, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        self.left_out.clicked.connect(self.skipped_wanted)
        self.waits.clicked.connect(self.choice_wanted)
        self.filter.textChanged.connect(self._show_people)
        self.everybody.clicked.connect(self.filter.clear)
        self.people.chosen.connect(self._choose)
        self.people.clicked.connect(lambda _: self._start_naming() if self._asks else None)
        self.people.photos_dropped.connect(self._move_dropped)
        self.grid.chosen.connect(self.session.select)
        self.grid.activated_face.connect(lambda _: self._reconstruct())
        self.grid.selectionModel().selectionChanged.connect(self._show_photo)
        self.naming.named.connect(self._name_group)
        self.consistency.chosen.connect(self.session.select)
        self._later.timeout.connect(self.consistency.draw)
        self._later.timeout.connect(self.photo_inspector.measure)
        inspector, heading = self.photo_inspector, self.heading
        for button, slot in (
            (self.consistency.train, lambda: actions.train(self.session)),
            (heading.rename, self._start_naming),
            (heading.merge, self._ask_whom_to_merge),
            (heading.remove, self._remove_person),
            (inspector.reconstruct, self._reconstruct),
            (inspector.folder, self._open_folder),
            (inspector.move_button, self._ask_where_to_move),
            (inspector.photograph, self._mend),
            (inspector.exclude, self._exclude),
            (inspector.right, self._confirm),
        ):
            button.clicked.connect(lambda _=False, slot=slot: slot())
        for words, slot in (
            ("Reconstruct", self._reconstruct),
            ("Photograph…", self._mend),
            ("Open folder", self._open_folder),
            ("", self._reconstruct),
            ("Move to person…", self._ask_where_to_move),
            ("Exclude from training", self._exclude),
            ("Remove from the gallery", self._remove),
        ):
            action = QAction(words, self.grid)
            action.setSeparator(not words)
            action.triggered.connect(slot)
            self.grid.addAction(action)
        self.grid.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        # Del only counts while something on this page has the focus.
        here = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("F2"), self, self._start_naming)
        QShortcut(QKeySequence("Ctrl+P"), self, self._mend)
        QShortcut(QKeySequence("Ctrl+M"), self, self._ask_whom_to_merge)
        QShortcut(QKeySequence("Del"), self, self._remove, context=here)

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
        self.waits.setText(waiting(skipped, gallery.index).words)
        self.waits.setVisible(bool(self.waits.text()))
        if gallery is not self._gallery:
            self._gallery = gallery
            self.seen = PeopleOverview(gallery.index, self._found)
            self.entries = self._listed()
            self._show_people()
            self._check()
            self.shown = ""
        self._group()
        shown = self._to_show()
        if shown != self.shown:
            self.shown = shown
            self._show_entry()
        self.people.select(shown)
        if not self._asks and self.session.photo not in self.grid.selected_keys():
            self.grid.select(*[self.session.photo] if self.session.photo else [])
        self._show_photo()

    def _listed(self) -> dict[str, Listed]:
        """Return what is listed: groups of faces without a name, the rest of them, and people."""
        index, listed = self.session.gallery.index, dict[str, Listed]()
        nameless = dict.fromkeys(index.rows_of(None))
        for group in self._groups:
            held = [index.places[key] for key in group.keys if key in index.places]
            if rows := [row for row in held if row in nameless]:
                known = group.perhaps in index.people
                title = f"Perhaps {group.perhaps}" if known else "Who is this?"
                asked = group if known else FaceGroup(group.keys)
                listed[f"\0{index.photos[rows[0]].key}"] = Listed(title, rows, asked)
                nameless = {row: None for row in nameless if row not in rows}
        listed[ATTENTION] = Listed("Needs attention", self.seen.need_attention)
        listed[UNKNOWN] = Listed("Unknown", [*nameless])
        for person in self.seen.people:
            listed[person] = Listed(person, index.rows_of(person), is_person=True)
        return {key: each for key, each in listed.items() if each.rows}

    def _to_show(self) -> str:
        """Return what to show: the entry of the selected face, else of the person."""
        photo, index = self.session.photo, self.session.gallery.index
        row = index.row_of(photo) if photo else None
        if self._chosen in self.entries and (row is None or row in self.entries[self._chosen].rows):
            return self._chosen
        self._chosen = ""
        if row is not None:
            holding = (key for key, each in self.entries.items() if row in each.rows)
            nameless = next((key for key in holding if key != ATTENTION), UNKNOWN)
            return index.photos[row].person or nameless
        if self.session.person in self.entries:
            return self.session.person or ""
        return next(iter((*self.seen.people, *self.entries)), UNKNOWN)

    def _show_people(self) -> None:
        gallery, words = self.session.gallery, self.filter.text().strip()
        like = {*gallery.index.people_like(words)} if words else self.entries.keys()
        self.people.show_faces([self._face_of_entry(key) for key in self.entries if key in like])
        self.people.select(self.shown)
        self.nobody.setText(f"Nobody, and no photo, is called “{words}”.")
        for part in (self.nobody, self.everybody):
            part.setVisible(bool(words) and not like)
        self.people.setVisible(not words or bool(like))
        odd = self.seen.need_attention
        line = f"{count(len(self.seen.people), 'person')}, {gallery.index.words}"
        needs = "needs" if len(odd) == 1 else "need"
        line += f" · {gallery.index.words_of(odd)} {needs} attention" if odd else ""
        self.header.set_subtitle(line)

    def _face_of_entry(self, key: str) -> Face:
        entry, warning = self.entries[key], ""
        concerns = self.seen.of_rows(entry.rows) if entry.is_person else []
        if len(concerns) == 1:
            title = concerns[0].title
            warning = f"1 photo needs attention: {title[0].lower()}{title[1:]}."
        elif concerns:
            warning = f"{len(concerns)} photos need attention."
        best = self.seen.best(entry.rows) if entry.is_person else entry.rows[0]
        image = partial(_portrait, self.session.gallery, best)
        words = self.seen.index.words_of(entry.rows)
        return Face(key, image, entry.title, words, warning=warning)

    def _face_of_photo(self, number: int, row: int, *, named: bool) -> Face:
        """Return a photograph of the grid; ``named``: with the person in the caption."""
        photo = self.seen.index.photos[row]
        concern = self._found.concerns.get(photo.key)
        said = photo.person or photo.path.name if named else f"photo {number}"
        out = "excluded from training" if photo.excluded else ""
        doubt = f"{concern.title}. {concern.sentence}" if concern else ""
        return Face(
            photo.key,
            partial(_portrait, self.session.gallery, row),
            f"{number} · excluded" if photo.excluded else said,
            warning=concern.sentence if concern else "",
            accessible=", ".join(filter(None, (said, photo.path.name, out, doubt))),
            file=photo.path.name,
        )

    @property
    def _entry(self) -> Listed:
        return self.entries.get(self.shown, Listed("Unknown", []))

    def _show_entry(self) -> None:
        gallery, entry, before = self.session.gallery, self._entry, self.grid.faces.keys
        self.grid.show_faces(
            [
                self._face_of_photo(number, row, named=not entry.is_person)
                for number, row in enumerate(entry.rows, start=1)
            ]
        )
        number = gallery.index.words_of(entry.rows)
        used = sum(not gallery.index.photos[row].excluded for row in entry.rows)
        some = entry.is_person and used < len(entry.rows)
        said = f"{used} of {number} used" if some else number
        tone: Tone = "warn" if some else "neutral"
        self.heading.show_entry(self.shown, entry.title, said, tone, person=entry.is_person)
        self.heading.merge.setEnabled(len(self.seen.people) > 1)
        asked, mode = entry.group, QAbstractItemView.SelectionMode
        new = self.naming.isHidden() or self.grid.faces.keys != before
        self.naming.setVisible(asked is not None)
        self.grid.setSelectionMode(mode.MultiSelection if asked else mode.ExtendedSelection)
        if asked:
            self.naming.show_group(asked.perhaps, self.seen.people)
        if asked and new:
            self.naming.field.clear()
            self.grid.select(*self.grid.faces.keys)
        self.consistency.setVisible(entry.is_person)
        if entry.is_person:
            self.consistency.show_person(gallery, self.shown, self._found)

    def _show_photo(self) -> None:
        keys, gallery = self._keys(), self.session.gallery
        row = gallery.index.row_of(keys[0]) if keys else None
        if row is None or self._gallery is not gallery:
            self.photo_inspector.show_nothing()
            return
        title = f"Photo {self.grid.faces.row_of(keys[0]) + 1}"
        if not self._entry.is_person:
            title = gallery.index.photos[row].person or "Unknown"
        several = len(keys) > 1
        if several:
            title = f"{title}, one of {len(keys):,} selected"
        concern, chosen = self._found.concerns.get(keys[0]), self._counted(keys) if several else ""
        self.photo_inspector.show_photo(gallery, row, title, concern, chosen)
        *_, move, exclude, _ = self.grid.actions()
        move.setText(self.photo_inspector.move_button.text())
        exclude.setText(self.photo_inspector.exclude.text())
        self._later.start()

    def _check(self) -> None:
        """Check files and faces in a job: a slow disk must not block the window."""
        gallery, before = self.session.gallery, self._found
        now = (gallery.index, gallery.preparation, gallery.training, gallery.recipe)
        if now == self._checked or not len(gallery.faces):
            return
        self._checked = now

        def done(found: PhotoChecks) -> None:
            self._found = found
            if found.concerns != before.concerns or found.apart is not before.apart:
                self._gallery = None
                self._mark_stale()

        check = partial(check_photos, gallery, before)
        start, failed = self.session.jobs.start, self.session.show_error
        start("check photos", "Looking at the photos", check, done, failed)

    def _group(self) -> None:
        """Group the faces without a name in a job, again when others are near to them."""
        gallery = self.session.gallery
        crops = {gallery.index.photos[row].crop for row in gallery.index.rows_of(None)}
        calibrated = gallery.calibrated is not None
        now = crops, gallery.calibration_key if calibrated else ""
        known = self._grouped[0] if self._grouped else set()
        # What was suggested stands until it is measured anew.
        waits = gallery.training is not None and not calibrated and crops <= known
        if waits or now == self._grouped:
            return
        self._grouped = now

        def done(found: tuple[FaceGroup, ...]) -> None:
            self._groups, self._gallery = found, None
            self._mark_stale()

        if crops:
            title = "Grouping the faces without a name"
            work, failed = partial(group_faces, gallery), self.session.show_error
            self.session.jobs.start("group faces", title, work, done, failed)

    # What is chosen

    def _choose(self, key: str) -> None:
        entry = self.entries[key]
        self._chosen = "" if entry.is_person else key
        if entry.is_person:
            self.session.select_person(key)
        else:
            self.session.select(self.session.gallery.index.photos[entry.rows[0]].key)

    @property
    def _asks(self) -> bool:
        """Whether the faces of a group are shown, to be named together."""
        return self._entry.group is not None

    def _keys(self) -> list[str]:
        """Return the keys of the selected photographs, first that of the session."""
        return sorted(self.grid.selected_keys(), key=lambda key: key != self.session.photo)

    def _counted(self, keys: Sequence[str]) -> str:
        """Return in words how many faces these are, and on how many photos."""
        index = self.session.gallery.index
        return index.words_of([index.places[key] for key in keys if key in index.places])

    def _after(self) -> str | None:
        """Return the photograph to select after the selected ones are gone."""
        keys, shown = self._keys(), self.grid.faces.keys
        rows = [self.grid.faces.row_of(key) for key in keys]
        rest = shown[max(rows, default=0) + 1 :][:1] + shown[: min(rows, default=0)][-1:]
        return rest[0] if rest else None

    # Edits: each has a name for undo, and says what was done

    def _edit(self, title: str, edit: Edit, said: str = "", then: str | None = None) -> None:
        """Make an edit, select a photograph after it (else the same one), and say what was done."""
        if self.session.apply(title, edit):
            # Whose it is may have another name now.
            self.session.select(then or self.session.photo)
            if said:
                self.session.show_message(f"{said} Ctrl+Z takes it back.", "ok")

    def _start_naming(self) -> None:
        if self._asks:
            self.naming.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._entry.is_person:
            others = [each for each in self.seen.people if each != self.shown]
            self.heading.ask("", others, partial(self.rename, self.shown), text=self.shown)

    def rename(self, person: str, name: str) -> None:
        """Give somebody another name; if somebody else has it, ask whether the two are one."""
        alike = [each for each in self.seen.people if folded(each) == folded(name)]
        if others := [each for each in alike if each != person]:
            wanted = name if name in others else others[0]
            self.heading.ask_to_merge(wanted, partial(self._merge, person))
        elif name != person:
            self._edit(f"rename {person} to {name}", lambda gallery: gallery.rename(person, name))

    def _ask_whom_to_merge(self) -> None:
        others = [each for each in self.seen.people if each != self.shown]
        if self._entry.is_person and others:
            done = partial(self._merge, self.shown)
            self.heading.ask(f"Merge {self.shown} into", others, done, new=False)

    def _merge(self, person: str, into: str) -> None:
        edit, said = lambda now: now.merge(person, into), f"{person} and {into} are now one."
        self._edit(f"merge {person} into {into}", edit, said)

    def _remove(self) -> None:
        """Remove the selected photographs, if they have the focus; else the person."""
        keys = self._keys()
        if not self.grid.hasFocus():
            self._remove_person()
        elif keys:
            photos, edit = self._counted(keys), lambda now: now.remove(keys)
            said = f"{photos} {were(len(keys))} taken out of the gallery. {_UNTOUCHED}"
            self._edit(f"remove {photos}", edit, said, self._after())

    def _remove_person(self) -> None:
        if not self._entry.is_person:
            return
        person, people, photos = self.shown, self.seen.people, self.seen.index.photos
        place = people.index(person)
        following = (people[place + 1 :] + people[:place][::-1])[:1]
        said = f"{person} was taken out of the gallery. {_UNTOUCHED}"
        then = [photos[row].key for each in following for row in self.entries[each].rows[:1]]
        edit = lambda now: now.remove_person(person)  # noqa: E731
        self._edit(f"remove {person}", edit, said, then[0] if then else None)

    def _ask_where_to_move(self) -> None:
        keys, after = self._keys(), self._after()
        others = [each for each in self.seen.people if each != self.shown]
        if keys:
            done = partial(self.move_photos, keys, then=after)
            self.heading.ask(f"Move {self._counted(keys)} to", others, done)

    def _move_dropped(self, keys: list[str], on: str) -> None:
        if on == UNKNOWN or self.entries[on].is_person:
            self.move_photos(keys, None if on == UNKNOWN else on, self._after())

    def move_photos(self, keys: Sequence[str], person: str | None, then: str | None = None) -> None:
        """Move photographs to a person, known or new, or (None) to nobody; then select another."""
        index = self.session.gallery.index
        held = [row for row in map(index.places.get, keys) if row is not None]
        rows = [row for row in held if index.photos[row].person != person]
        moving = [index.photos[row].key for row in rows]
        what, whom = index.words_of(rows), person or "Unknown"
        edit, verb = lambda now: now.move(moving, person), "is" if len(rows) == 1 else "are"
        if moving:
            said = f"{what} {verb} now with {whom}."
            self._edit(f"move {what} to {whom}", edit, said, then or moving[0])

    def _name_group(self, name: str) -> None:
        """Give the faces of a group that are selected a name, and ask about the next one."""
        keys, photos = self._keys(), self.session.gallery.index.photos
        if not keys:
            self.session.show_message(f"Click the faces that show {name} first.", "warn")
            return
        others = (
            each.rows for key, each in self.entries.items() if each.group and key != self.shown
        )
        left = [row for row in self._entry.rows if photos[row].key not in keys]
        following = next((photos[rows[0]].key for rows in (*others, left) if rows), None)
        self.move_photos(keys, name, following)

    def _exclude(self) -> None:
        """Exclude photographs from training and matching, or include them again."""
        if keys := self._keys():
            photos, index = self._counted(keys), self.session.gallery.index
            out = not index.photos[index.places[keys[0]]].excluded
            title = f"exclude {photos} from training" if out else f"include {photos} again"
            self._edit(title, lambda gallery: gallery.exclude(keys, out))

    def _confirm(self) -> None:
        """Note that photographs are right, so that they are not asked about again."""
        keys = self._keys()
        title = f"{self._counted(keys)} {'is' if len(keys) == 1 else 'are'} right"
        self._edit(title, lambda gallery: gallery.confirm(keys))

    # Other pages and windows

    def _reconstruct(self) -> None:
        if keys := self._keys():
            self.session.select(keys[0])
            self.session.show_page("reconstruct")

    def _mend(self) -> None:
        """Open the photo editor on the selected photograph; the others shown can be stepped to."""
        from gui.photos.dialog import mend

        if keys := self._keys():
            gallery = self.session.gallery
            faces = [_shown_face(gallery, row) for row in self._entry.rows]
            at = [face.key for face in faces].index(keys[0])
            mend(self, self.session, faces, at, lambda mended, _: self._keep_mended(faces, mended))

    def _keep_mended(
        self, faces: Sequence[EditableFace], mended: Mapping[int, ReviewReading]
    ) -> None:
        """Replace faces by what was cut again from their photographs."""
        session = self.session
        readings = {faces[place].key: reading for place, reading in mended.items()}
        what = count(len(readings), "face")

        def edit(gallery: Gallery) -> Gallery:
            again = recropped_faces(gallery.index, readings, gallery.faces.shape)
            return gallery.enrol(again, {key: key for key in readings})

        session.write(
            "Saving the photos",
            edit,
            lambda: session.show_message(
                f"{what} {were(len(readings))} cut again from the photograph. "
                "Ctrl+Z takes it back.",
                "ok",
            ),
            undo=f"mending {what}",
        )

    def _open_folder(self) -> None:
        found = self.session.face(self.session.photo) if self.session.photo else None
        if found is not None:
            folder = found[0].path.parent
            if folder.is_dir():
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
            else:
                self.session.show_message(f"The folder “{folder}” is no longer there.", "warn")


def _portrait(gallery: Gallery, row: int) -> QImage:
    """Return the picture of a face of the gallery; that of an excluded one is faint."""
    image = grey_image(gallery.faces.image(row))
    if not gallery.index.photos[row].excluded:
        return image
    made = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(made)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(made.rect(), QColor(0, 0, 0, _FADED))
    painter.end()
    return made


def _shown_face(gallery: Gallery, row: int) -> EditableFace:
    """Return a face of the gallery as the photo editor takes it."""
    photo = gallery.index.photos[row]
    levels = as_levels(gallery.faces.image(row))
    return EditableFace(Photo(photo.path, photo.person, photo.placement), photo.key, levels)
