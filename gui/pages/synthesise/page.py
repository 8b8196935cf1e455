"""The Synthesise page: a face that is nobody, made by moving along the components."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace, pictured_otherwise
from eigenfaces.project.exports import save_grey
from eigenfaces.project.project import SUFFIX
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import as_table, count
from gui.pages.synthesise.cards import (
    MEAN,
    ClosestCard,
    FaceCard,
    MorphCard,
    Sliders,
    StartingFace,
    other_end,
    person_key,
    start_of,
)
from gui.state import actions
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column
from gui.widgets.cards import Banner, PageHeader
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.face_list import Face
from gui.widgets.fields import FaceChooser
from gui.widgets.flow import Columns
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread

_COLUMN = 340  # px, the least width of a column
_ROOMY, _LOW = 800, 770
"""Page heights (px): for large thumbnails; below the other, one of two cards has to do."""


class SynthesisePage(Page):
    """Sliders for the components, the face they make, and how near it comes to real faces."""

    key = "synthesise"
    title = "Synthesise"
    icon = "synthesise"
    needs_training = True

    def __init__(self, session: Session, rng: np.random.Generator | None = None) -> None:
        super().__init__(session)
        self.rng = rng or np.random.default_rng()
        self.real: RealFaces | None = None
        self.face: SyntheticFace | None = None
        self.start: StartingFace | None = None
        self._of: tuple[object, ...] = ()  # what the real faces were taken from
        self._touched = False
        self._follows: str | None = None  # the selected photo that was taken notice of
        self._ends: dict[str, str | None] = {"A": None, "B": None}  # keys; None: not chosen
        self._asked = ""
        self._means: list[Face] = []  # to choose from, before probes and photos
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self._make_controls()
        self.sliders = Sliders()
        self.sliders.moved.connect(self._move)
        self.face_card = FaceCard()
        self.closest = ClosestCard()
        self.closest.row.chosen.connect(self._begin_with)
        self.morph = MorphCard()
        self.morph.moved.connect(self._morph)
        self.morph.end_wanted.connect(self._choose_end)
        self.tabs = Segmented(["Closest real faces", "Morph A → B"], name="Below the face")
        self.tabs.changed.connect(self._fit)
        self.note = Banner("accent", dismissible=False)
        self.content.installEventFilter(self)
        self.content.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._lay_out()

    def _make_controls(self) -> None:
        self.start_button = Button("Start from…", "image")
        self.start_button.clicked.connect(lambda: self._choose("start", self.start_button))
        self._random = Button("Random", "dice")
        self._random.setToolTip("Draw every score by chance, from N(0, λ) (R)")
        self._random.clicked.connect(self.draw_at_random)
        self._reset = Button("Reset", "reset")
        self._reset.clicked.connect(self.reset)
        self._export = Button("Export…", "export")
        self._export.clicked.connect(self.export)
        self._chooser = FaceChooser(self)
        self._chooser.face_chosen.connect(self._chosen)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        shortcut.activated.connect(self.copy)

    def _lay_out(self) -> None:
        header = PageHeader(self.title, "Make a face that is nobody")
        for button in (self.start_button, self._random, self._reset, self._export):
            header.add_action(button)
        right = QWidget()
        in_column(
            (self.face_card, 1), self.tabs, self.closest, self.morph, inside=right, spacing=12
        )
        cards = Columns((1, 2), _COLUMN)
        cards.add(self.sliders, right)
        in_column(header, self.note, (cards, 1), inside=self.content, spacing=12)

    # What a person does

    def draw_at_random(self) -> None:
        """Show a face drawn by chance (R)."""
        if self.real is not None:
            self._show(SyntheticFace.random(self.real.space, self.rng))

    def reset(self) -> None:
        """Go back to where the face began (0)."""
        if self.start is not None:
            self._show(self.start.face)
            self._touched = False

    def copy(self) -> None:
        """Put the face on the clipboard."""
        image = self.face_card.view.image
        if image is not None:
            QGuiApplication.clipboard().setImage(image)
            self.session.say("The face is on the clipboard.")

    def export(self) -> None:
        face = self.face
        if face is None:
            self.session.say("There is nothing to export before training.")
            return
        menu = QMenu("Export", self)
        for words, file, write in (
            ("The face as a picture…", "nobody.png", lambda path: save_grey(path, face.pixels)),
            ("Its scores as a table…", "nobody.csv", partial(write_scores, face)),
        ):
            menu.addAction(words).triggered.connect(
                partial(save_in_thread, self.session, self, file, write)
            )
        open_below(self._export, menu)

    def take_paths(self, paths: list[Path]) -> bool:
        """Start from dropped photographs, as probes; leave folders and projects to the window."""
        others = any(path.is_dir() or path.suffix == SUFFIX for path in paths)
        if others or self.session.gallery.training is None:
            return False
        self._touched = False  # what is dropped replaces what was made
        actions.add_probes(self.session, paths)
        return True

    def _move(self, component: int, score: float) -> None:
        if self.face is not None:
            self._show(self.face.moved(component, score))

    def _morph(self) -> None:
        a, b = self.morph.a, self.morph.b
        if a is not None and b is not None:
            self._show(a.face.towards(b.face, self.morph.share), on_the_way=True)

    def _choose_end(self, end: str) -> None:
        self._choose(end, self.morph.ends[end])

    def _choose(self, asked: str, button: QWidget) -> None:
        """Open the list of people and photos, to start from or as an end of the morph."""
        self._asked = asked
        shown = {"start": self.start, "A": self.morph.a, "B": self.morph.b}[asked]
        session = self.session
        self._chooser.open_below(
            button,
            session.gallery.faces,
            session.probes,
            shown.key if shown else None,
            first=self._means,
        )

    def _chosen(self, key: str) -> None:
        if self._asked == "start":
            self._begin_with(key)
        else:
            self._ends[self._asked] = key
            self._show_ends()
            self._morph()

    def _begin_with(self, key: str) -> None:
        """Start from the mean, a person, a photo or a probe; a photo is then selected."""
        if self.real is None or (start := start_of(self.session, self.real, key)) is None:
            return
        if self.session.face(key) is not None and key != self.session.photo:
            self._follows = key
            self.session.select(key)
        self._begin(start)

    # What is shown

    def _refresh(self) -> None:
        gallery, session = self.session.gallery, self.session
        if gallery.training is None:
            return
        of = (gallery.training, gallery.index, gallery.shown_k)
        if of != self._of:
            self._of = of
            self._show_gallery(gallery)
        selected = session.photo
        if selected != self._follows:
            self._follows = selected
            if selected is not None and not self._touched and self.real is not None:
                self._begin(start_of(session, self.real, selected) or self._mean())

    def _show_gallery(self, gallery: Gallery) -> None:
        """Show what has changed, or why it cannot be: all photos may be excluded."""
        try:
            real = RealFaces.of(gallery)
        except EigenfacesError as error:
            self.note.show_text(str(error), "warn")
            self.note.show()
            return
        note = pictured_otherwise(gallery)
        self.note.show_text(note, "accent")
        self.note.setVisible(bool(note))
        self._show_real(gallery, real)

    def _show_real(self, gallery: Gallery, real: RealFaces) -> None:
        """Show other real faces; the face made here stays as it is in the same face space."""
        before, self.real = self.real, real
        same = before is not None and before.space.mean is real.space.mean
        if not same or before is None or len(before.space) != len(real.space):
            self.sliders.show_space(real.space)
        for row in (self.closest.row, self.morph.row):
            row.set_shape(real.space.shape)
        self.face_card.show_real(real)
        self.closest.show_images(gallery.faces.image)
        self._means = [self._mean_face(MEAN, "The mean face", "of all that train")]
        self._means += [
            self._mean_face(person_key(person), person, "mean of all photos")
            for person in gallery.people
        ]
        key = self.start.key if self.start is not None and same else self.session.photo or MEAN
        if not same:
            self._follows = self.session.photo
        start = start_of(self.session, real, key) or self._mean()
        if same and self._touched and self.face is not None:
            self.start, self.face = start, self.face.within(real.space)
            self._show_ends()
            self._step.start()
        else:
            self._begin(start)

    def _begin(self, start: StartingFace) -> None:
        self.start = start
        self.start_button.setToolTip(f"The face began with: {start.name}")
        self._reset.setToolTip(f"Back to the start: {start.name} (0)")
        self._show_ends()
        self._show(start.face)
        self._touched = False

    def _mean(self) -> StartingFace:
        assert self.real is not None
        mean = start_of(self.session, self.real, MEAN)
        assert mean is not None
        return mean

    def _show_ends(self) -> None:
        """Show the way from A, where it begins unless another is chosen, to B."""
        if self.real is None or self.start is None:
            return
        of = partial(start_of, self.session, self.real)
        a = of(self._ends["A"]) if self._ends["A"] is not None else None
        a = a or self.start
        b = of(self._ends["B"]) if self._ends["B"] is not None else None
        b = b or of(other_end(self.session, a.key)) or self._mean()
        self.morph.show_ends(a, b)

    def _show(self, face: SyntheticFace, *, on_the_way: bool = False) -> None:
        """Show another face, soon: many steps at once are drawn once."""
        self.face, self._touched = face, True
        if not on_the_way:
            self.morph.play.stop()
            self.morph.show_share(0)
        self._on_the_way = on_the_way
        self._step.start()

    def _draw(self) -> None:
        face, real, start = self.face, self.real, self.start
        self._step.stop()
        if face is None or real is None or start is None:
            return
        self.sliders.show_face(face, start.face)
        self.face_card.show_face(face, real)
        whom = self.closest.show_face(face, real)
        self.face_card.set_note(f"{count(len(real.space), 'component')} · {whom}")
        self.morph.mark(self._on_the_way)

    def _mean_face(self, key: str, name: str, words: str) -> Face:
        """Return a mean, to choose; the picture is made when it is seen."""

        def picture() -> QImage:
            found = start_of(self.session, self.real, key) if self.real is not None else None
            return QImage() if found is None else grey_image(found.face.pixels)

        return Face(key, picture, name, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.content.setFocus(Qt.FocusReason.OtherFocusReason)  # so that the keys work at once

    def _fit(self) -> None:
        """On a low page show the closest faces or the morph; on a tall one both."""
        low = self.height() < theme.pixels(_LOW)
        self.tabs.setVisible(low)
        self.closest.setVisible(not low or self.tabs.current == 0)
        self.morph.setVisible(not low or self.tabs.current == 1)
        thumb = 78 if self.height() >= theme.pixels(_ROOMY) else 56
        for row in (self.closest.row, self.morph.row):
            row.set_tallest(theme.pixels(thumb))
        self._step.start()  # there may be room for another number of faces

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Keys that the focused part does not use are passed up to the content.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        acts = {
            Qt.Key.Key_R: self.draw_at_random,
            Qt.Key.Key_0: self.reset,
            Qt.Key.Key_Space: self.morph.play.toggle,
        }
        act = acts.get(Qt.Key(event.key()))
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if act is None or not plain:
            return False
        act()
        return True


def write_scores(face: SyntheticFace, path: Path) -> None:
    """Write one line for each component: its score in standard deviations, and the coordinate."""
    scored = zip(face.scores.tolist(), face.coordinates.tolist(), strict=True)
    rows = ((number, *both) for number, both in enumerate(scored, 1))
    heading = ("component", "score", "coordinate")
    path.write_text(as_table(heading, rows), "utf-8", newline="")
