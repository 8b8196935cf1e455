"""The People page: the people, their photographs, and how consistent these are."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu

from eigenfaces.project.save import waiting
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import (
    FaceGroup,
    PeopleOverview,
    PhotoChecks,
    check_photos,
    group_faces,
)
from eigenfaces.text import count, folded
from gui.pages.people.consistency import ConsistencyCard
from gui.pages.people.gallery_edits import GalleryEdits, shown_face
from gui.pages.people.people_list import (
    ATTENTION,
    UNKNOWN,
    PeopleCard,
    Pictures,
    Special,
    person_faces,
    photo_faces,
)
from gui.pages.people.person_heading import GroupNaming, PersonHeading
from gui.pages.people.person_picker import PersonPicker
from gui.pages.people.photo_inspector import PhotoInspector
from gui.state import actions
from gui.state.session import Session
from gui.style import theme
from gui.style.theme import Tone
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, PageHeader, Shrinkable
from gui.widgets.controls import Button
from gui.widgets.face_list import FaceGrid
from gui.widgets.page import Page


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
        self.card = PeopleCard()
        self.people = self.card.list
        self.heading = PersonHeading()
        self.naming = GroupNaming()
        self.grid = FaceGrid("Photos")
        self.grid.allow_many()
        self.consistency = ConsistencyCard()
        self.photo_inspector = PhotoInspector()
        self.inspector = self.photo_inspector
        self.edits = GalleryEdits(session)
        self.seen = PeopleOverview(session.gallery.index)
        self.special: dict[str, Special] = {}  # what is listed above the people
        self.group = ""  # whose photographs are shown: a name, or a key of `special`
        self.shown: list[int] = []  # their rows
        self._pictures = Pictures()
        self._found = PhotoChecks()
        self._checked: tuple[object, ...] = ()
        self._groups: tuple[FaceGroup, ...] = ()  # as they were found: some may have names by now
        self._grouped: tuple[set[str], str] | None = None  # crops, and the basis of suggestions
        self._gallery: Gallery | None = None
        self._chosen = ""  # a key of `special`
        self._lay_out()
        self._connect()

    # Parts

    def _lay_out(self) -> None:
        photos = Card()
        photos.body.addWidget(self.heading)
        photos.body.addWidget(self.naming)
        photos.body.addWidget(self.grid, 1)
        photos.setMinimumHeight(theme.pixels(200))
        middle = in_column((photos, 3), (self.consistency, 2), spacing=12)
        body = Shrinkable()
        in_row(self.card, (middle, 1), inside=body, spacing=12)
        in_column(self.header, (body, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        self.left_out.clicked.connect(self.skipped_wanted)
        self.card.choice_wanted.connect(self.choice_wanted)
        self.card.filter_changed.connect(self._filter_people)
        self.people.chosen.connect(self._choose)
        self.people.clicked.connect(lambda _: self._start_naming() if self._asks else None)
        self.people.photos_dropped.connect(self._move_dropped)
        self.grid.chosen.connect(self.session.select)
        self.grid.activated_face.connect(lambda _: self._reconstruct())
        self.grid.selectionModel().selectionChanged.connect(self._show_photo)
        self.heading.renamed.connect(self._rename)
        self.heading.merge_agreed.connect(self._merge)
        self.heading.merge_wanted.connect(self._ask_whom_to_merge)
        self.heading.removal_wanted.connect(self._remove_person)
        self.naming.named.connect(self._name_group)
        self.consistency.train_wanted.connect(lambda: actions.train(self.session))
        self.consistency.chosen.connect(self.session.select)
        inspector = self.photo_inspector
        inspector.reconstruct_wanted.connect(self._reconstruct)
        inspector.folder_wanted.connect(self._open_folder)
        inspector.move_wanted.connect(self._ask_where_to_move)
        inspector.photograph_wanted.connect(self._mend)
        inspector.exclude_wanted.connect(self._exclude)
        inspector.right.clicked.connect(lambda: self.edits.confirm(self.grid.selected_keys()))
        # A hidden page's keys are off. Del only counts while something on this page has the focus.
        context = Qt.ShortcutContext
        for keys, slot, where in (
            ("F2", self._start_naming, context.WindowShortcut),
            ("Ctrl+P", self._mend, context.WindowShortcut),
            ("Ctrl+M", self._ask_whom_to_merge, context.WindowShortcut),
            ("Del", self._remove, context.WidgetWithChildrenShortcut),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(where)
            shortcut.activated.connect(slot)
        self.grid.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.grid.customContextMenuRequested.connect(self._show_menu)

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
        self.card.show_waiting(waiting(skipped, gallery.index).words)
        if gallery is not self._gallery:
            self._gallery = gallery
            self.seen = PeopleOverview(gallery.index, self._found)
            self._pictures.show(gallery)
            self.special = self._special()
            self._show_people()
            self._check()
            self.group = ""
        self._group()
        group = self._chosen_group()
        if group != self.group:
            self.group = group
            self._show_group()
        self.people.select(group)
        if not self._asks and self.session.photo not in self.grid.selected_keys():
            self.grid.select(*[self.session.photo] if self.session.photo else [])
        self._show_photo()

    def _chosen_group(self) -> str:
        """Return whose photographs to show: those of the selected face, else of the person."""
        seen, key = self.seen, self.session.photo
        row = seen.index.row_of(key) if key else None
        wanted = self._rows_of(self._chosen) if self._chosen else []
        if wanted and (row is None or row in wanted):
            return self._chosen
        self._chosen = ""
        if row is not None:
            person = self.session.gallery.index.photos[row].person
            holding = (group for group in self.special if row in self._rows_of(group))
            return person or next((each for each in holding if each != ATTENTION), UNKNOWN)
        if self.session.person in seen.index.rows_by_person and self.session.person is not None:
            return self.session.person
        return next(iter((*seen.people, *self.special)), UNKNOWN)

    def _rows_of(self, group: str) -> list[int]:
        if group in self.special:
            return self.special[group].rows
        return self.seen.index.rows_by_person.get(group, [])

    def _special(self) -> dict[str, Special]:
        """Return what is listed above the people: groups of faces without a name, and the rest."""
        index, special = self.session.gallery.index, dict[str, Special]()
        nameless = dict.fromkeys(index.rows_of(None))
        for group in self._groups:
            held = [index.places[key] for key in group.keys if key in index.places]
            if rows := [row for row in held if row in nameless]:
                known = group.perhaps in index.people
                title = f"Perhaps {group.perhaps}" if known else "Who is this?"
                asked = group if known else FaceGroup(group.keys)
                special[f"\0{index.photos[rows[0]].key}"] = Special(title, rows, asked)
                nameless = {row: None for row in nameless if row not in rows}
        special[ATTENTION] = Special("Needs attention", self.seen.need_attention)
        special[UNKNOWN] = Special("Unknown", [*nameless])
        return {key: each for key, each in special.items() if each.rows}

    def _show_people(self) -> None:
        gallery = self.session.gallery
        faces = person_faces(gallery, self.seen, self._pictures, self.card.words, self.special)
        self.card.show_people(faces)
        named = count(len(self.seen.index.people), "person")
        odd, line = self.seen.need_attention, f"{named}, {gallery.index.words}"
        if odd:
            needs = "needs" if len(odd) == 1 else "need"
            line += f" · {gallery.index.words_of(odd)} {needs} attention"
        self.header.set_subtitle(line)

    def _filter_people(self) -> None:
        self._show_people()
        self.people.select(self.group)

    def _show_group(self) -> None:
        gallery, group, before = self.session.gallery, self.group, self.grid.faces.keys
        self.shown, above = self._rows_of(group), self.special.get(group)
        asked = above.group if above else None
        self.grid.show_faces(
            photo_faces(gallery, self.seen, self._pictures, self.shown, named=bool(above))
        )
        self._show_heading(above)
        new = self.naming.isHidden() or self.grid.faces.keys != before
        self.naming.setVisible(asked is not None)
        mode = QAbstractItemView.SelectionMode
        self.grid.setSelectionMode(mode.MultiSelection if asked else mode.ExtendedSelection)
        if asked:
            self.naming.show_group(asked.perhaps, gallery.people)
        if asked and new:
            self.naming.field.clear()
            self.grid.select(*self.grid.faces.keys)
        self.consistency.setVisible(not above)
        if not above:
            self.consistency.show_person(gallery, group, self._found)

    def _show_heading(self, above: Special | None) -> None:
        photos, index = self.session.gallery.index.photos, self.session.gallery.index
        chips: list[tuple[str, Tone]] = [(index.words_of(self.shown), "neutral")]
        if not above:
            used = sum(not photos[row].excluded for row in self.shown)
            whole = used == len(self.shown)
            chips.append((f"{used} of {len(self.shown)} used", "ok" if whole else "warn"))
        title, others = above.title if above else self.group, len(index.people) > 1
        self.heading.show_group(title, chips, person=not above, others=others)

    def _show_photo(self) -> None:
        keys = self.grid.selected_keys()
        key = self.session.photo if self.session.photo in keys else next(iter(keys), None)
        row = self.seen.index.row_of(key) if key else None
        if row is None or key is None or self._gallery is not self.session.gallery:
            self.photo_inspector.show_nothing()
            return
        number = self.grid.faces.row_of(key) + 1
        title = (
            f"Photo {number}"
            if self.group not in self.special
            else (self.session.gallery.index.photos[row].person or "Unknown")
        )
        if len(keys) > 1:
            title = f"{title}, one of {len(keys):,} selected"
        concern = self._found.concerns.get(key)
        chosen = self.edits.counted(keys) if len(keys) > 1 else ""
        self.photo_inspector.show_photo(self.session.gallery, row, title, concern, chosen)

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

        self.session.jobs.start(
            "check photos",
            "Looking at the photos",
            lambda tick: check_photos(gallery, before, tick),
            done,
            self.session.tell,
        )

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
            work, failed = partial(group_faces, gallery), self.session.tell
            self.session.jobs.start("group faces", title, work, done, failed)

    # Choosing

    def _choose(self, group: str) -> None:
        self._chosen = group if group in self.special else ""
        rows = self._rows_of(group)
        if group in self.special:
            self.session.select(self.session.gallery.index.photos[rows[0]].key if rows else None)
        else:
            self.session.select_person(group)

    # Actions

    @property
    def _asks(self) -> bool:
        """Whether the faces of a group are shown, to be named together."""
        return self.group in self.special and self.special[self.group].group is not None

    def _start_naming(self) -> None:
        if self._asks:
            self.naming.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.heading.start_renaming()

    def _name_group(self, name: str) -> None:
        """Give the faces of a group that are selected a name, and ask about the next one."""
        keys, photos = self.grid.selected_keys(), self.session.gallery.index.photos
        if not keys:
            self.session.say(f"Click the faces that show {name} first.", "warn")
            return
        people = sorted(self.seen.index.people, key=lambda known: known != name)
        alike = (known for known in people if folded(known) == folded(name))
        others = (
            each.rows for key, each in self.special.items() if each.group if key != self.group
        )
        left = [row for row in self.shown if photos[row].key not in keys]
        following = next((photos[rows[0]].key for rows in (*others, left) if rows), None)
        self.edits.move(keys, next(alike, name), following)

    def _person(self) -> str | None:
        return self.group if self.group not in ("", *self.special) else None

    def _rename(self, name: str) -> None:
        person = self._person()
        if person is None:
            return
        others = [each for each in self.seen.index.people if each != person]
        alike = [each for each in others if folded(each) == folded(name)]
        if alike:
            self.heading.ask_to_merge(name if name in alike else alike[0])
        else:
            self.edits.rename(person, name)

    def _merge(self, into: str) -> None:
        person = self._person()
        if person is not None and person != into:
            self.edits.merge(person, into)

    def _remove(self) -> None:
        """Remove the selected photographs, if they have the focus; else the person."""
        if self.grid.hasFocus():
            self.edits.remove_photos(self.grid.selected_keys(), self._after())
        else:
            self._remove_person()

    def _remove_person(self) -> None:
        person = self._person()
        if person is not None:
            people = self.seen.people
            place = people.index(person)
            following = (people[place + 1 :] + people[:place][::-1])[:1]
            self.edits.remove_person(person, following[0] if following else None)

    def _after(self) -> str | None:
        """Return the photograph to select after the selected ones are removed."""
        keys = self.grid.selected_keys()
        rows = [self.grid.faces.row_of(key) for key in keys]
        shown = self.grid.faces.keys
        rest = shown[max(rows, default=0) + 1 :][:1] + shown[: min(rows, default=0)][-1:]
        return rest[0] if rest else None

    def _exclude(self) -> None:
        keys, places = self.grid.selected_keys(), self.seen.index.places
        if keys:
            first = self.session.photo if self.session.photo in keys else keys[0]
            photo = self.session.gallery.index.photos[places[first or keys[0]]]
            self.edits.exclude(keys, not photo.excluded)

    def _move_dropped(self, keys: list[str], group: str) -> None:
        if group == UNKNOWN or group not in self.special:
            self.edits.move(keys, None if group == UNKNOWN else group, self._after())

    def _ask_whom_to_merge(self) -> None:
        person = self._person()
        if person is not None and len(self.seen.index.people) > 1:
            picker = self._picker(f"Merge {person} into", person, allow_new=False)
            picker.picked.connect(self._merge)
            picker.open_at(self.heading.merge_button)

    def _ask_where_to_move(self) -> None:
        keys = self.grid.selected_keys()
        if not keys:
            return
        after = self._after()
        picker = self._picker(f"Move {self.edits.counted(keys)} to", self._person(), allow_new=True)
        for signal in (picker.picked, picker.named):
            signal.connect(lambda name: self.edits.move(keys, name, after))
        anchor = self.photo_inspector.move_button
        picker.open_at(anchor if anchor.isVisible() else self.grid)

    def _picker(self, title: str, without: str | None, *, allow_new: bool) -> PersonPicker:
        faces = person_faces(self.session.gallery, self.seen, self._pictures, "", {})
        shown = [face for face in faces if face.key != without]
        return PersonPicker(title, shown, self, allow_new=allow_new)

    def _reconstruct(self) -> None:
        keys = self.grid.selected_keys()
        if keys:
            self.session.select(self.session.photo if self.session.photo in keys else keys[0])
            self.session.show_page("reconstruct")

    def _mend(self) -> None:
        """Open the photo editor on the selected photograph; the others shown can be stepped to."""
        from gui.photos.dialog import mend

        keys = self.grid.selected_keys()
        if keys:
            gallery = self.session.gallery
            first = self.session.photo if self.session.photo in keys else keys[0]
            rows = {gallery.index.photos[row].key: row for row in self.shown}
            faces = [shown_face(gallery, row) for row in rows.values()]
            at = list(rows).index(first)
            mend(self, self.session, faces, at, partial(self.edits.mend, faces))

    def _open_folder(self) -> None:
        found = self.session.face(self.session.photo) if self.session.photo else None
        if found is not None:
            folder = found[0].path.parent
            if folder.is_dir():
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
            else:
                self.session.say(f"The folder “{folder}” is no longer there.", "warn")

    def _show_menu(self, at: QPoint) -> None:
        if not self.grid.selected_keys():
            return
        menu = QMenu(self.grid)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        excluded = self.photo_inspector.exclude.text()
        menu.addAction("Reconstruct", self._reconstruct)
        menu.addAction("Photograph…", self._mend)
        menu.addAction("Open folder", self._open_folder)
        menu.addSeparator()
        menu.addAction(self.photo_inspector.move_button.text(), self._ask_where_to_move)
        menu.addAction(excluded, self._exclude)
        menu.addAction("Remove from the gallery", self._remove)
        menu.popup(self.grid.viewport().mapToGlobal(at))
