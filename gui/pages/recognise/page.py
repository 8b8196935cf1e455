"""The Recognise page: a photograph with a name on every face, and what can be answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QScrollArea, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.named_faces import (
    FaceOnPhoto,
    faces_csv,
    faces_json,
    sort_into,
    write_sidecars,
)
from eigenfaces.recognition import answers as answering
from eigenfaces.recognition.answers import Reply, answer_to
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import answers_csv
from eigenfaces.text import count
from gui.pages.recognise.empty import DropZone, nobody_enrolled, spare_photos, try_held_out_photos
from gui.pages.recognise.face import ChosenFace
from gui.pages.recognise.findings import Findings, compare
from gui.pages.recognise.photo import ShownPhoto, mend_probe
from gui.pages.recognise.photos import SURE, Item, PhotosCard, Shot, shots_of
from gui.pages.recognise.why import WhyView, named_by
from gui.state import actions
from gui.state.jobs import CALIBRATE, EXPORT
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.controls import Button, LinkButton
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread
from gui.widgets.words import ElidedLabel, label

_PICTURES = "Photos (*.avif *.bmp *.gif *.jpeg *.jpg *.pgm *.png *.ppm *.tif *.tiff *.webp)"
_SHOT, _EMPTY, _NOBODY, _WHY = range(4)
_CANDIDATES = "candidates.csv"


class RecognisePage(Page):
    """The photographs at the left, one of them large, and its chosen face at the right.

    The page keeps its own face: choosing one of the nearest faces selects that face everywhere
    else, and leaves the photograph in view.
    """

    key, title, icon = "recognise", "Recognise", "recognise"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.findings = Findings(session)
        self.findings.changed.connect(self._mark_stale)
        self.shots: list[Shot] = []
        self._current: str | None = None
        self._several: tuple[str, ...] = ()  # keys of the faces that are answered together
        self._seen: str | None = None  # the selection at the last refresh
        self._known: frozenset[str] = frozenset()  # keys of what was listed then
        self._new: frozenset[str] = frozenset()  # of many that have come, until one is chosen
        self._answered: frozenset[str] = frozenset()  # keys of what was answered then
        self._measuring = self._explains = False
        self._of = session.project
        self.photos, self.photo, self.face = (
            PhotosCard(self.findings),
            ShownPhoto(session),
            ChosenFace(),
        )
        self.why = WhyView(session)
        self.zone = DropZone(self.open_photos, lambda: try_held_out_photos(session), self._film)
        self._nobody = nobody_enrolled(session)
        self._lay_out()
        self._connect()

    # What can be done

    def take_paths(self, paths: list[Path]) -> bool:
        actions.add_probes(self.session, paths)
        return True

    def open_photos(self) -> None:
        """Choose photographs by a dialog."""
        start = str(self.session.settings.last_folder)
        kinds = f"{_PICTURES};;All files (*)"
        chosen, _ = QFileDialog.getOpenFileNames(self, "Open photos to recognise", start, kinds)
        if chosen:
            self.session.settings.last_folder = Path(chosen[0]).parent
            self.take_paths([Path(path) for path in chosen])

    def export(self) -> None:
        """Write a table of the faces (Ctrl+E)."""
        self.write("faces.csv")

    def write(self, what: str) -> None:
        """Write what is known of the faces: a table of this name, “names”, or “copies”."""
        session = self.session
        gallery, probes = session.gallery, [p for p in session.probes if self.findings.fits(p)]
        if gallery.training is None or not probes:
            session.say("There is nothing to export yet: train first, then open photos.")
            return

        def faces() -> list[FaceOnPhoto]:
            return [
                FaceOnPhoto.of(each.probe, each.verdict.decision, answer_to(gallery, each.probe))
                for each in compare(gallery, probes)
            ]

        def table(part: Path) -> None:
            if what == _CANDIDATES:
                text = answers_csv([found.answer for found in compare(gallery, probes)])
            else:
                text = faces_csv(faces()) if what.endswith("csv") else faces_json(faces())
            mark = "utf-8-sig" if what.endswith("csv") else "utf-8"
            part.write_text(text, encoding=mark, newline="")

        def written(done: tuple[int, list[str]]) -> None:
            said = f"Names are written beside {count(done[0])}."
            session.say(" ".join([said, *done[1]]), "warn" if done[1] else "ok")

        def copied(done: tuple[int, int]) -> None:
            said = f"{count(done[0], 'copy', 'copies')} made; {count(done[1])} without a name."
            session.say(said, "ok")

        start = session.jobs.start
        if what == "names":
            start(EXPORT, "Writing the names", lambda _: write_sidecars(faces()), written)
        elif what == "copies":
            folder = str(session.settings.last_folder)
            if into := QFileDialog.getExistingDirectory(self, "Copy the photos into", folder):
                start(
                    EXPORT, "Copying the photos", lambda _: sort_into(Path(into), faces()), copied
                )
        else:
            save_in_thread(session, self, what, table)

    def answer(self, said: str, people: tuple[str, ...] = ()) -> None:
        """Answer what is shown, and go on to the next: one step of undo."""
        self._answer(self._chosen(), said, people)

    def _answer(self, items: Sequence[Item], said: str, people: tuple[str, ...] = ()) -> None:
        replies = [reply for item in items if (reply := _reply(item, said, people))]
        if not replies:
            return
        after = self._after(items) if said not in ("back", "not") else self._current
        if actions.answer(self.session, replies, self._show_reply):
            self._current, self._several = after, ()
            self._look()
        self.photos.list.setFocus()

    def confirm_sure(self) -> None:
        """Answer “Right” to every face that is sure: one step of undo."""
        items = [item for shot in self.shots for item in shot.items if item.group == SURE]
        self._answer(items, "right")

    def _show_reply(self, sentence: str) -> None:
        self.photo.reply = f"{sentence} Ctrl+Z takes it back."

    def mend(self) -> None:
        """Open the photo editor on the photograph; the others can be stepped to."""
        mend_probe(self, self.session, self._current)

    def step(self, by: int) -> None:
        """Look at the next photograph of the list, or the one before."""
        order, shot = self.photos.order(), self._shot()
        if shot is not None and shot.key in order:
            at = min(max(order.index(shot.key) + by, 0), len(order) - 1)
            self._choose_shots([order[at]])

    # What is shown

    def _refresh(self) -> None:
        session = self.session
        if session.project is not self._of:
            self._of, self._explains, self.photo.reply = session.project, False, ""
        self._choose_current()
        before = self._shot()
        looked_at = {item.key for item in before.items} if before else {self._current or ""}
        if self._explains:  # then it is exact
            looked_at = set()
        try:
            self.findings.update(looked_at)
        except EigenfacesError as error:
            session.say(str(error), "error")
        self.shots = shots_of(session, self.findings)
        self._follow_new()
        if not session.gallery.enrolled:
            self._show_state(_NOBODY)
        elif not self.shots:
            self.zone.allow_try(bool(spare_photos(session.gallery)))
            self._show_state(_EMPTY)
            if QApplication.focusWidget() is None:  # the list had it
                self.zone.setFocus()
        else:
            self._show_shot()
            if isinstance(QApplication.focusWidget(), QStackedWidget | QScrollArea | None):
                self.photos.list.setFocus()  # whose keys answer

    def _follow_new(self) -> None:
        """Of many photographs that have come, look at the first to answer, until one is chosen."""
        probes = self.session.probes
        if len({each.photo.path for each in probes if each.photo.key not in self._known}) > 1:
            self._new = frozenset(each.photo.key for each in probes) - self._known
        self._known = frozenset(each.photo.key for each in probes)
        new = [item for shot in self.shots for item in shot.items if item.key in self._new]
        if new:
            self._current = next((item for item in new if item.is_open), new[0]).key
        if new and not self.findings.missing():
            self._new, self._seen = frozenset(), self._current
            self.session.select(self._current)

    def _show_shot(self) -> None:
        shot, item = self._shot(), self._item()
        if shot is None:  # of photographs that have just come
            self._current = self.shots[0].key
            shot, item = self._shot(), self._item()
        assert shot is not None
        self._several = tuple(each.key for each in self._chosen()) if self._several else ()
        lines = [each.key for each in self.shots if {i.key for i in each.items} & {*self._several}]
        self.photos.show_shots(self.shots, lines or [shot.key])
        self._named_by.set_full_text(named_by(self.session.gallery))
        reason = self.session.gallery.automatic
        self._named_by.setToolTip(reason.reason if reason else "")
        self.photo.show_shot(shot, self._several or (self._current or "",))
        if len(self._several) > 1:
            self.face.show_items(self._chosen(), self.session.gallery.people)
        elif item is not None:
            self.face.show_item(item)
        else:
            self.face.show_none()
        found = item.found if item else None
        self._explains = self._explains and found is not None
        if self._explains and found is not None:
            self.why.show_finding(found)
            self.why.choosers.show_gallery(self.session.gallery)
        self._show_state(_WHY if self._explains else _SHOT)

    def _show_state(self, state: int) -> None:
        parts: dict[QWidget, bool] = {
            self.photos: state in (_SHOT, _WHY),
            self.photo: state == _SHOT,
            self.face: state == _SHOT,
            self.why: state == _WHY,
            self.zone: state == _EMPTY,
            self._nobody: state == _NOBODY,
            self._header: state in (_SHOT, _WHY),
        }
        focus = QApplication.focusWidget()
        for part, shown in parts.items():
            if not shown and focus is not None and (part is focus or part.isAncestorOf(focus)):
                focus.clearFocus()  # or it went to the navigation, where Enter leaves the page
            part.setVisible(shown)
        # A click beside everything, as on a button with nothing to do, leaves the keys to answers.
        self.content.setFocusProxy(self.photos.list if parts[self.photos] else self.zone)

    def _shot(self) -> Shot | None:
        """Return the photograph that is looked at."""
        own = ((shot, (shot.key, *(item.key for item in shot.items))) for shot in self.shots)
        return next((shot for shot, keys in own if self._current in keys), None)

    def _item(self) -> Item | None:
        """Return the face that is looked at."""
        items = shot.items if (shot := self._shot()) else ()
        return next((item for item in items if item.key == self._current), None)

    def _chosen(self) -> list[Item]:
        """Return the faces that an answer is about."""
        keys = self._several or (self._current,)
        return [item for shot in self.shots for item in shot.items if item.key in keys]

    def _after(self, items: Sequence[Item], *, left: bool = False) -> str | None:
        """Return the key of the next face to answer, once these are answered, or ``left`` as is.

        Of a photograph all are answered before the next one comes.
        """
        gone, shot = {item.key for item in items}, self._shot()
        order = [i.key for each in self.shots for i in each.items if i.is_open or i.key in gone]
        last = max((at for at, key in enumerate(order) if key in gone), default=-1)
        others = [key for key in order[last + 1 :] + order[: last + 1] if key not in gone]
        if shot is not None and not left:
            here = {item.key for item in shot.items}
            others.sort(key=lambda key: key not in here)
        return others[0] if others else self._current

    def _choose_current(self) -> None:
        """Look at the face that is selected, or whose answer was taken back; else stay."""
        session = self.session
        keys = {probe.photo.key for probe in session.probes}
        answers = frozenset(session.gallery.answers)
        if back := sorted((self._answered - answers) & keys):
            self._current, self._several, self.photo.reply = back[0], (), ""
        self._answered = answers
        if session.photo != self._seen:
            self._seen = session.photo
            if self._seen in keys:
                self._current, self._several = self._seen, ()

    # What is chosen

    def _choose_face(self, at: int, beside: bool = False) -> None:
        """Choose a face of the photograph, perhaps beside others, by its place on it."""
        keys = self.photo.keys
        if at < len(keys):
            before = set(self._several or (self._current or "",)) if beside else set[str]()
            picked = [key for key in keys if key in before ^ {keys[at]}] or [keys[at]]
            self._current = keys[at] if keys[at] in picked else picked[0]
            self._several = tuple(picked) if len(picked) > 1 else ()
            self.photo.reply = ""
            self._look()

    def _choose_shots(self, keys: list[str]) -> None:
        """Look at a photograph of the list; of several, answer all faces to answer at once."""
        shots = [shot for shot in self.shots if shot.key in keys]
        several = [item.key for shot in shots for item in shot.to_do] if len(shots) > 1 else []
        if shots:
            first = next((item.key for item in shots[0].to_do), shots[0].key)
            self._current = several[0] if several else first
            self._several, self.photo.reply = tuple(several), ""
            self._look()

    def _look(self) -> None:
        """Show what is chosen, and select it for all pages."""
        self._new = frozenset()
        self._mark_stale()
        if not (self._current or "\0").startswith("\0"):
            self._seen = self._current
            self.session.select(self._current)

    def _remove(self, lines: Sequence[str] = ()) -> None:
        """Take photographs off the list; the next one is shown."""
        shot = self._shot()
        lines = lines or ([shot.key] if shot else [])
        gone = [s for s in self.shots if s.key in lines]
        order, left = self.photos.order(), [s.key for s in self.shots if s not in gone]
        at = order.index(lines[0]) if lines else 0
        after = next((key for key in order[at:] + order[at::-1] if key in left), None)
        self.session.remove_probes([k for s in gone for k in (s.key, *(i.key for i in s.items))])
        self._current, self._several = after, ()
        self._look()

    def _do(self, command: str) -> None:
        """Do what was chosen in the menu of a face."""
        if command == "mend":
            self.mend()
        elif command == "remove":
            self._remove()
        elif self._current is not None:
            self._go(self._current, "reconstruct")

    def _go(self, key: str, page: str) -> None:
        self._seen = key  # the photograph stays in view, even if this face is also on one
        self.session.select(key)
        self.session.show_page(page)

    # Why, keys, and what goes on meanwhile

    def explain(self) -> None:
        """Show why, in place of the photograph; of others as well, until it is closed."""
        item = self._item()
        if item is not None and item.found is not None:
            self._explains, self._several = True, ()
            self._refresh_shown()
            self.why.banner.back.setFocus()  # Esc, too, leads back

    def close_why(self) -> bool:
        """Show the photograph again; return whether the explanation was open."""
        was, self._explains = self._explains, False
        if was:
            self._refresh_shown()
            self.photos.list.setFocus()
        return was

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, focus = event.key(), QApplication.focusWidget()
        if key == Qt.Key.Key_Escape and (self.close_why() or self.face.close_name()):
            return
        with_list = focus in (self.photos.list, self.photo) and not self._explains
        enter, plain = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter), not event.modifiers()
        if with_list and enter and not self.face.press("Enter") and self.face.isVisible():
            # What Enter does not answer, it leaves.
            self._current, self._several = self._after(self._chosen(), left=True), ()
            self._look()
        elif with_list and plain and Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self._choose_face(key - Qt.Key.Key_1)
        elif not (with_list and (enter or (plain and self.face.press(event.text().upper())))):
            super().keyPressEvent(event)

    def _look_at_jobs(self) -> None:
        """Show anew what waits for a measurement that begins or ends."""
        busy = self.session.jobs.is_busy(CALIBRATE)
        if busy != self._measuring:
            self._measuring = busy
            self._mark_stale()

    def _film(self) -> None:
        from gui.photos.camera import show_camera

        show_camera(self.session, self)

    def _face_menu(self, at: QPoint) -> None:
        self._refresh_shown()  # the face under the pointer was chosen just now
        self.face.pop_up(at)

    # Layout

    def _connect(self) -> None:
        self.photos.dropped.connect(self.take_paths)
        self.photos.open_asked.connect(self.open_photos)
        self.photos.confirm_asked.connect(self.confirm_sure)
        self.photos.removed.connect(self._remove)
        self.photos.chosen.connect(self._choose_shots)
        self.photo.chosen.connect(self._choose_face)
        for part in (self.photos, self.photo):
            part.opened.connect(self.mend)
            part.menu_asked.connect(self._face_menu)
        self.zone.dropped.connect(self.take_paths)
        self.zone.clicked.connect(self.open_photos)
        self.face.answered.connect(self.answer)
        self.face.command.connect(self._do)
        self.face.closed.connect(self.photos.list.setFocus)
        self.face.why.clicked.connect(self.explain)
        self.face.nearest.chosen.connect(lambda key: self._go(key, "recognise"))
        self.face.nearest.activated_face.connect(lambda key: self._go(key, "people"))
        self.why.closed.connect(self.close_why)
        self.session.jobs.changed.connect(self._look_at_jobs)
        keys: dict[str, Callable[[], object]] = {
            "Ctrl+P": self.mend,
            "W": self.explain,
            "PgUp": lambda: self.step(-1),
            "PgDown": lambda: self.step(1),
        }
        for name, act in keys.items():
            QShortcut(QKeySequence(name), self).activated.connect(act)

    def _lay_out(self) -> None:
        self._header = QWidget()
        self._named_by = ElidedLabel("", "secondary", Qt.TextElideMode.ElideRight)
        recipes, camera = LinkButton("Recipes"), Button("", "camera", name="Use the camera")
        recipes.clicked.connect(lambda: self.session.show_page("evaluate"))
        camera.clicked.connect(self._film)
        self.exports, menu = Button("Export", "export"), QMenu(self)
        kinds = {
            "faces.csv": "Table (CSV)…\tCtrl+E",
            "faces.json": "Table (JSON)…",
            _CANDIDATES: "Table of all candidates (CSV)…",
            "names": "Names beside the photos (XMP)",
            "copies": "Copies in a folder a person…",
        }
        for what, text in kinds.items():
            menu.addAction(text, partial(self.write, what))
        self.exports.setMenu(menu)
        self._open = Button("Open photos…", "image")
        self._open.clicked.connect(self.open_photos)
        buttons = (camera, self.exports, self._open)
        title = label("Recognise", "title")
        in_row(title, self._named_by, recipes, STRETCH, *buttons, inside=self._header, spacing=10)
        parts = (self.photos, (self.photo, 1), self.face, (self.why, 1), (self.zone, 1))
        row = in_row(*parts, (self._nobody, 1), spacing=12)
        in_column(self._header, (row, 1), inside=self.content, spacing=12)
        self.content.setFocusPolicy(Qt.FocusPolicy.ClickFocus)


def _reply(item: Item, said: str, people: tuple[str, ...]) -> Callable[[Gallery], Reply] | None:
    """Return the answer about one face; without ``people``, of the person whom it is named as."""
    person = people[0] if people else item.proposed
    if said in ("right", "it is"):
        reply = answering.right if said == "right" else answering.it_is
        return partial(reply, probe=item.probe, person=person) if person else None
    if said == "not":
        return partial(answering.it_is_not, probe=item.probe, people=people)
    replies = {
        "nobody": answering.nobody_known,
        "no face": answering.no_face,
        "back": answering.unanswered,
    }
    return partial(replies[said], probe=item.probe)
