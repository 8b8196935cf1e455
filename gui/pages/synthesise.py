"""The Synthesise page: a face that is nobody, made by moving along the components."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.laboratory.synthesis import (
    Likeness,
    RealFaces,
    SyntheticFace,
    pictured_otherwise,
)
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import as_table, count, percent
from gui.plots.axes import Axis
from gui.plots.marks import Rule, Shade, Steps
from gui.plots.plot import PlotView, plot_menu
from gui.state import actions
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card, PageHeader, Shrinkable
from gui.widgets.controls import Button, LinkButton, PlayButton, Segmented, Slider, open_below
from gui.widgets.face_list import Face, FittedRow
from gui.widgets.fields import FaceChooser
from gui.widgets.flow import Columns
from gui.widgets.page import Page
from gui.widgets.painted import FaceView
from gui.widgets.saving import add_exports
from gui.widgets.words import ElidedLabel, label, set_look

SLIDERS, MOST = 12, 2.5
STEPS = (0, 20, 40, 60, 80, 100)
MEAN = ""
"""The key of the mean face; other keys are those of photos and probes, and `person_key`."""

_PERSON = "\0"  # no key of a photo begins with it
_HOW = f"Ends: the mean ∓ {MOST} σ. Bold: changed. Double-click: back to 0."
_NEAREST, _LEAST = 7, 68  # faces, and px for each
_LONG = (
    "95 % of the 1,000 faces that train have 0.70 to 1.29. This one lies as far from the mean as "
    "they do.",
    "49 % of the photos lie 8.23 or farther from the closest other of their person (median 8.22), "
    "so by its distance it could be Person 13.",
)
"""Sentences of the usual length, for which there is room; longer ones have a tooltip."""

_FRAME, _STEP = 40, 2  # ms between two steps of the animation; per cent of each
_BINS, _BEYOND, _ABOVE = 24, 1.4, 1.08  # of the radii; times the largest: room beside and above
_COLUMN = 340  # px, the least width of a column
_ROOMY, _LOW = 800, 770
"""Page heights (px): for large thumbnails; below the other, one of two cards has to do."""

_SHORT: dict[Likeness, str] = {
    "itself": "{}",
    "could be": "could be {}",
    "hardly": "hardly {}",
    "nobody": "nobody",
    "unknown": "live",
}
_UNIT = 100  # steps of a slider for one unit of its value
_HANDLE = 17  # px, the width of a handle, as of all sliders


class BipolarSlider(Slider):
    """A value from −most to most: the bar begins at zero, where a double-click leads.

    ``moved``: the person has moved it. `show_value` moves it without that.
    """

    moved = Signal(float)

    def __init__(self, most: float) -> None:
        super().__init__("Score", round(-most * _UNIT), round(most * _UNIT))
        self.score = 0.0  # which may lie beyond the ends if nobody has moved it
        self.setProperty("role", "bipolar")
        self.setSingleStep(_UNIT // 10)
        self.setPageStep(_UNIT // 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.valueChanged.connect(self._tell)

    def show_value(self, value: float) -> None:
        """Show a value without a signal."""
        self.score = value
        with QSignalBlocker(self):
            self.setValue(round(value * _UNIT))
        self.setAccessibleDescription(signed(value))
        self.update()

    def _tell(self, value: int) -> None:
        self.show_value(value / _UNIT)
        self.moved.emit(self.score)

    def place(self, value: float) -> float:
        """Return the pixel of a value; beyond the ends, of the end."""
        most = self.maximum() / _UNIT
        share = min(max((value + most) / (2 * most), 0.0), 1.0)
        return _HANDLE / 2 + share * (self.width() - _HANDLE)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setValue(0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls; no face changes by the way

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.setValue(0)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, middle = theme.tokens(), self.height() / 2
        zero, at, end = self.place(0.0), self.place(self.score), self.width() - _HANDLE / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.track))
            groove = QRectF(QPointF(_HANDLE / 2, middle - 2), QPointF(end, middle + 2))
            painter.drawRoundedRect(groove, 2, 2)
            painter.fillRect(QRectF(min(zero, at), middle - 2, abs(at - zero), 4), look.accent)
            painter.fillRect(QRectF(zero - 0.75, middle - 6, 1.5, 12), QColor(look.tertiary))
            painter.setPen(QPen(QColor(look.accent), 2))
            painter.setBrush(QColor(look.accent if self.hasFocus() else look.surface))
            painter.drawEllipse(QPointF(at, middle), 7.0, 7.0)


def signed(value: float) -> str:
    """Return a value in standard deviations, with its sign.

    >>> signed(0.84), signed(-1.0), signed(0.04)
    ('+0.8 σ', '−1.0 σ', '0.0 σ')
    """
    rounded = round(value, 1)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return f"{sign}{abs(rounded):.1f} σ"


class ComponentRow(QWidget):
    """The slider of a component between the pictures of its ends, and its value in words."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.slider = BipolarSlider(MOST)
        self.share = label("", "small")
        self.value = label("", "caption")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # A label of a fixed size asks for no new layout, while a morph moves twelve of them.
        self.value.setFixedSize(theme.pixels(52), theme.pixels(20))
        self.ends = tuple(FaceView(grows=True) for _ in range(2))
        words = QWidget()
        words.setFixedWidth(theme.pixels(54))
        title = label(f"{number}", "strong")
        in_column(STRETCH, title, self.share, STRETCH, inside=words, spacing=0)
        for end in self.ends:
            end.setMinimumHeight(theme.pixels(24))
            end.setMaximumHeight(theme.pixels(52))
            end.setFixedWidth(theme.pixels(46))
        low, high = self.ends
        parts = (words, low, (self.slider, 1), high, self.value)
        in_row(*parts, inside=self, spacing=4)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)

    def show_component(self, share: str, ends: Floats) -> None:
        """Show another component: its share, and the faces (2, h, w) at its ends."""
        self.share.setText(share)
        name = f"Component {self._number}, {share} of the variance, in standard deviations"
        self.slider.setAccessibleName(name)
        for view, face, end in zip(self.ends, ends, ("least", "most"), strict=True):
            view.set_image(grey_image(face))
            view.setAccessibleName(f"The mean with the {end} of component {self._number}")
        self.show()

    def show_value(self, value: float, *, strong: bool) -> None:
        """Show a value, perhaps as moved."""
        if (value, strong) != (self.slider.score, self.strong) or not self.value.text():
            self.slider.show_value(value)
            self.value.setText(signed(value))
            set_look(self.value, "role", "strong" if strong else "caption")

    @property
    def strong(self) -> bool:
        """Whether the value is marked as moved."""
        return bool(self.value.property("role") == "strong")


class Sliders(Card):
    """The first components; ``moved``: the component, counted from 0, and its score."""

    moved = Signal(int, float)

    def __init__(self) -> None:
        super().__init__("Components")
        self.body.setSpacing(2)
        self.rows = [ComponentRow(at + 1) for at in range(SLIDERS)]
        for at, row in enumerate(self.rows):
            row.slider.moved.connect(partial(self.moved.emit, at))
            self.body.addWidget(row, 1)
        self.body.addWidget(ElidedLabel(_HOW, "caption", Qt.TextElideMode.ElideRight))

    def show_space(self, space: FaceSpace) -> None:
        """Show the components of another face space: their shares, and the mean moved by each."""
        rows, mean = min(SLIDERS, len(space)), SyntheticFace.mean(space)
        self.set_title(f"Components 1–{rows}" if rows > 1 else "Component 1")
        ends = [mean.moved(at, end).coordinates for at in range(rows) for end in (-MOST, MOST)]
        faces = space.reconstruct(np.stack(ends)).reshape(-1, 2, *space.shape)
        for row in self.rows[rows:]:
            row.hide()
        for row, face, share in zip(self.rows, faces, space.variance_ratio.tolist(), strict=False):
            row.show_component(percent(share), face)

    def show_face(self, face: SyntheticFace, start: SyntheticFace) -> None:
        """Show where a face lies, and what differs from where it began."""
        scores = zip(face.scores.tolist(), start.scores.tolist(), strict=True)
        for row, (score, begun) in zip(self.rows, scores, strict=False):
            row.show_value(score, strong=abs(score - begun) > 1e-9)


@dataclass(frozen=True, eq=False)
class StartingFace:
    """A face to begin with, or an end of a morph: its key, its name, and one in two words."""

    key: str
    name: str
    short: str
    face: SyntheticFace


def person_key(person: str) -> str:
    """Return the key of the mean of somebody's photos."""
    return f"{_PERSON}{person}"


def start_of(session: Session, real: RealFaces, key: str) -> StartingFace | None:
    """Return the start with this key; None where it is gone."""
    if key == MEAN:
        return StartingFace(MEAN, "The mean face", "Mean", SyntheticFace.mean(real.space))
    gallery, person = session.gallery, key.removeprefix(_PERSON)
    if person != key:
        photos = len(real.places.get(person, ()))
        name = f"{person}, mean of {count(photos)}"
        return StartingFace(key, name, person, real.mean_of(person)) if photos else None
    face, row = session.face(key), gallery.index.row_of(key)
    if face is None:
        return None
    (photo, image), trained = face, gallery.trained
    name, short = photo.path.name, photo.person or photo.path.name
    if photo.person is not None and row is not None:
        name = f"{photo.person}, photo {gallery.index.rows_of(photo.person).index(row) + 1}"
    at = trained.project(image.ravel()) if row is None else trained.coordinates[row]
    return StartingFace(key, name, short, SyntheticFace.at(real.space, at))


def other_end(session: Session, start: str) -> str:
    """Return the first photo of somebody else, for the end of a morph; or the last photo."""
    index = session.gallery.index
    row = index.row_of(start)
    person = index.photos[row].person if row is not None else start.removeprefix(_PERSON)
    later = chain(islice(index.photos, row or 0, None), islice(index.photos, row or 0))
    others = (photo.key for photo in later if photo.person not in (None, person))
    return next(others, index.photos[-1].key)


class LiveText(QWidget):
    """Words that change at every step: they have the room of the longest, whatever they are.

    A label of a fixed size asks for no new layout, which would take longer than all the rest.
    """

    def __init__(self, longest: str, name: str) -> None:
        super().__init__()
        self._longest = longest
        self.words = label("", "caption", wrap=True)
        self.words.setParent(self)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_text(self, text: str) -> None:
        """Show other words."""
        self.words.setText(text)
        self.words.setToolTip(text)

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(60), self.heightForWidth(self.width()))

    def heightForWidth(self, width: int) -> int:
        metrics, room = QFontMetrics(theme.font(theme.CAPTION)), QRect(0, 0, width, 10_000)
        return metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self._longest).height() + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.setFixedSize(self.size())
        self.updateGeometry()


class FaceCard(Card):
    """The face, large, and how far from the mean it lies among real faces."""

    def __init__(self) -> None:
        super().__init__("The face", "live")
        self.view = FaceView("", grows=True, name="The face made here")
        self.view.setMinimumHeight(150)
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumSize(120, 110)
        self.plausibility = LiveText(_LONG[0], "How plausible it is")
        side, title = Shrinkable(), label("Could it be real?", "strong")
        in_column(title, (self.chart, 1), self.plausibility, inside=side, spacing=4)
        sides = Shrinkable()
        sides.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        in_row((self.view, 1), (side, 1), inside=sides, spacing=14)
        self.body.addWidget(sides, 1)

    def show_real(self, real: RealFaces) -> None:
        """Draw how far other real faces lie from the mean."""
        low, high = float(real.radii.min()), float(real.radii.max())
        counts, edges = np.histogram(real.radii, _BINS, (low, high) if high > low else None)
        ground = [] if real.usual is None else [Shade(*real.usual)]
        self.chart.show_marks(
            [Rule(0.0), *ground, Steps("faces", edges, counts)],
            Axis("radius, in σ a component", span=(0.0, _BEYOND * high)),
            Axis("faces", span=(0.0, _ABOVE * float(counts.max()))),
        )

    def show_face(self, face: SyntheticFace, real: RealFaces) -> None:
        """Show a face, and where it lies among them: beyond the axis, at its end."""
        self.view.set_image(grey_image(face.pixels))
        radius = face.radius
        self.chart.move_rule(min(radius, self.chart.frame.x.hi), f"this face {radius:.2f}")
        self.plausibility.set_text(real.plausibility(face))


class ClosestCard(Card):
    """The real faces closest to it, as proof that it is nobody; pressing one starts from it."""

    def __init__(self) -> None:
        super().__init__("Closest real faces", "distance in face space")
        self.row = FittedRow("Closest real faces", _NEAREST, _LEAST, subcaption=True)
        self.sentence = LiveText(_LONG[1], "Whether it could be somebody")
        add_parts(self.body, self.row, self.sentence)

    def show_face(self, face: SyntheticFace, real: RealFaces, faces: FaceSet) -> str:
        """Show what is closest to a face; return in a few words whom it could be taken for."""
        nearest, listed = real.nearest(face, self.row.room_for()), []
        for match in nearest:
            photo, distance = match.photo, f"{match.distance:.1f}"
            person, image = photo.person or "Nobody named", faces.image(match.row)
            spoken = f"{person}, {photo.path.name}, at {distance}"
            listed.append(Face(photo.key, image, person, distance, accessible=spoken))
        self.row.show_faces(listed)
        kind, sentence = real.likeness(nearest[0])
        self.sentence.set_text(sentence)
        return _SHORT[kind].format(nearest[0].photo.person or "a face without a name")


class MorphCard(Card):
    """Morphs A to B: ``moved`` when the share of B is chosen, ``end_wanted`` to choose an end."""

    moved = Signal()
    end_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__("Morph A → B")
        self.a: StartingFace | None = None
        self.b: StartingFace | None = None
        self.ends = {end: LinkButton(f"Choose {end}…") for end in ("A", "B")}
        for end, button in self.ends.items():
            button.clicked.connect(lambda *_, end=end: self.end_wanted.emit(end))
            self.add_to_heading(button)
        self.row = FittedRow("Steps of the morph", len(STEPS))
        self.row.chosen.connect(lambda key: self._go(int(key)))
        self.slider = Slider("Share of B, in per cent")
        self.slider.valueChanged.connect(self._move)
        self.share_words = label("0 %", "strong")
        self.share_words.setFixedSize(theme.pixels(48), theme.pixels(20))  # so no new layout
        self.play = PlayButton(
            self.slider, lambda at: at + _STEP, milliseconds=_FRAME, name="Play the morph"
        )
        self.play.setToolTip("Play the morph (Space)")
        controls = in_row((self.slider, 1), self.share_words, self.play, spacing=10)
        add_parts(self.body, self.row, controls)

    def show_ends(self, a: StartingFace, b: StartingFace) -> None:
        """Show the way between two other faces."""
        self.a, self.b = a, b
        self.row.set_shape(a.face.space.shape)
        for button, start in zip(self.ends.values(), (a, b), strict=True):
            button.setToolTip(f"{start.name}. Choose another.")
        names = {0: a.short, 100: b.short}
        faces = [(step, a.face.towards(b.face, step / 100).pixels) for step in STEPS]
        self.row.show_faces(
            [Face(str(step), face, names.get(step, f"{step} %")) for step, face in faces]
        )

    def mark(self, on_the_way: bool) -> None:
        """Mark the step that is shown, if the face lies on the way at all."""
        at = self.slider.value()
        step = [str(at)] if on_the_way and at in STEPS else []
        if self.row.selected_keys() != step:
            self.row.select(*step)

    def show_start(self) -> None:
        """Show no share of B, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(0)
        self.share_words.setText("0 %")

    def _go(self, per_cent: int) -> None:
        if per_cent == self.slider.value():
            self._move(per_cent)
        else:
            self.slider.setValue(per_cent)

    def _move(self, per_cent: int) -> None:
        self.share_words.setText(f"{per_cent} %")
        self.moved.emit()


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
        self._faces = session.gallery.faces  # whose rows those have
        self.face: SyntheticFace | None = None
        self.start: StartingFace | None = None
        self._of: tuple[object, ...] = ()  # what the real faces were taken from
        self._touched = self._on_the_way = False
        self._follows: str | None = None  # the selected photo that was taken notice of
        self._ends: dict[str, str] = {}  # keys of the ends of the morph that were chosen
        self._role = ""  # of the face that is being chosen: "start", "A" or "B"
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self.sliders, self.face_card = Sliders(), FaceCard()
        self.closest, self.morph = ClosestCard(), MorphCard()
        self.sliders.moved.connect(self._move)
        self.closest.row.chosen.connect(self._begin_with)
        self.morph.moved.connect(self._morph)
        self.morph.end_wanted.connect(lambda end: self._choose(end, self.morph.ends[end]))
        plot_menu(self.face_card.chart, session, "radius")
        self.tabs = Segmented(["Closest real faces", "Morph A → B"], name="Below the face")
        self.tabs.changed.connect(self._fit)
        self.note = Banner("accent", dismissible=False)
        self._chooser = FaceChooser(self)
        self._chooser.face_chosen.connect(self._face_chosen)
        self.content.installEventFilter(self)
        self.content.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self).activated.connect(self.copy)
        self._lay_out()

    def _lay_out(self) -> None:
        header, right = PageHeader(self.title, "Make a face that belongs to nobody"), QWidget()
        self.start_button, self._random = Button("Start from…", "image"), Button("Random", "dice")
        self._reset, self._export = Button("Reset", "reset"), Button("Export…", "export")
        self._random.setToolTip("Draw every score at random from N(0, λ) (R)")
        for button, act in (
            (self.start_button, lambda: self._choose("start", self.start_button)),
            (self._random, self.draw_at_random),
            (self._reset, self.reset),
            (self._export, self.export),
        ):
            button.clicked.connect(act)
            header.add_action(button)
        parts = ((self.face_card, 1), self.tabs, self.closest, self.morph)
        in_column(*parts, inside=right, spacing=12)
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
            self.session.show_message("The face is on the clipboard.")

    def export(self) -> None:
        face = self.face
        if face is None:
            self.session.show_message("There is nothing to export before training.")
            return
        menu = QMenu("Export", self)
        picture = partial(save_grey, image=face.pixels)
        files = [
            ("The face as a picture…", "nobody.png", picture),
            ("Its scores as a table…", "nobody.csv", partial(write_scores, face)),
        ]
        add_exports(menu, self.session, self, files)
        open_below(self._export, menu)

    def take_paths(self, paths: list[Path]) -> bool:
        are_photos = actions.take_as_probes(self.session, paths)
        self._touched &= not are_photos  # what is dropped replaces what was made
        return are_photos

    def _move(self, component: int, score: float) -> None:
        if self.face is not None:
            self._show(self.face.moved(component, score))

    def _morph(self) -> None:
        a, b = self.morph.a, self.morph.b
        if a is not None and b is not None:
            share = self.morph.slider.value() / 100
            self._show(a.face.towards(b.face, share), on_the_way=True)

    def _choose(self, role: str, button: QWidget) -> None:
        """Open the list of people and photos, to start from or as an end of the morph."""
        self._role, session = role, self.session
        current = {"start": self.start, "A": self.morph.a, "B": self.morph.b}[role]

        def picture(key: str) -> QImage:  # made when it is seen
            mean = start_of(session, self.real, key) if self.real is not None else None
            return QImage() if mean is None else grey_image(mean.face.pixels)

        names = [(MEAN, "The mean face", "of all training photos")]
        names += [(person_key(name), name, "mean of all photos") for name in session.gallery.people]
        means = [Face(key, partial(picture, key), name, note) for key, name, note in names]
        key, faces = current.key if current else None, session.gallery.faces
        self._chooser.open_below(button, faces, session.probes, key, first=means)

    def _face_chosen(self, key: str) -> None:
        if self._role == "start":
            self._begin_with(key)
        else:
            self._ends[self._role] = key
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

    def _clear(self) -> None:
        self.real = self.face = self.start = None
        self._of = ()
        self.morph.play.stop()
        self._step.stop()

    def _refresh(self) -> None:
        gallery, selected = self.session.gallery, self.session.photo
        of = (gallery.training, gallery.index, gallery.shown_k)
        if of != self._of:
            self._of = of
            self._show_gallery(gallery)
        if selected != self._follows:
            self._follows = selected
            if selected is not None and not self._touched and self.real is not None:
                self._begin(self._start(self.real, selected))

    def _start(self, real: RealFaces, key: str) -> StartingFace:
        """Return the start with this key, or the mean."""
        start = start_of(self.session, real, key) or start_of(self.session, real, MEAN)
        assert start is not None
        return start

    def _show_gallery(self, gallery: Gallery) -> None:
        """Show what has changed, or why it cannot be: all photos may be excluded.

        The face made here stays as it is in the same face space.
        """
        try:
            real = RealFaces.of(gallery)
        except EigenfacesError as error:
            self.note.show_text(str(error), "warn")
            self.note.show()
            return
        note = pictured_otherwise(gallery)
        self.note.show_text(note, "accent")
        self.note.setVisible(bool(note))
        before, self.real, self._faces = self.real, real, gallery.faces
        same = before is not None and before.space.mean is real.space.mean
        if before is None or not same or len(before.space) != len(real.space):
            self.sliders.show_space(real.space)
        for row in (self.closest.row, self.morph.row):
            row.set_shape(real.space.shape)
        self.face_card.show_real(real)
        key = self.start.key if self.start is not None and same else self.session.photo or MEAN
        if not same:
            self._follows = self.session.photo
        start = self._start(real, key)
        if same and self._touched and self.face is not None:
            self.start, self.face = start, self.face.within(real.space)
            self._show_ends()
            self._step.start()
        else:
            self._begin(start)

    def _begin(self, start: StartingFace) -> None:
        self.start = start
        self.start_button.setToolTip(f"Started from: {start.name}")
        self._reset.setToolTip(f"Back to the start: {start.name} (0)")
        self._show_ends()
        self._show(start.face)
        self._touched = False

    def _show_ends(self) -> None:
        """Show the way from A, where it begins unless another is chosen, to B."""
        if self.real is None or self.start is None:
            return
        session, real, ends = self.session, self.real, self._ends
        a = (start_of(session, real, ends["A"]) if "A" in ends else None) or self.start
        b = start_of(session, real, ends["B"]) if "B" in ends else None
        b = b or self._start(real, other_end(session, a.key))
        self.morph.show_ends(a, b)

    def _show(self, face: SyntheticFace, *, on_the_way: bool = False) -> None:
        """Show another face, soon: many steps at once are drawn once."""
        self.face, self._touched, self._on_the_way = face, True, on_the_way
        if not on_the_way:
            self.morph.play.stop()
            self.morph.show_start()
        self._step.start()

    def _draw(self) -> None:
        face, real, start = self.face, self.real, self.start
        self._step.stop()
        if face is not None and real is not None and start is not None:
            self.sliders.show_face(face, start.face)
            self.face_card.show_face(face, real)
            whom = self.closest.show_face(face, real, self._faces)
            self.face_card.set_note(f"{count(len(real.space), 'component')} · {whom}")
            self.morph.mark(self._on_the_way)

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
            acts = {
                Qt.Key.Key_R: self.draw_at_random,
                Qt.Key.Key_0: self.reset,
                Qt.Key.Key_Space: self.morph.play.toggle,
            }
            act, keys = acts.get(Qt.Key(event.key())), Qt.KeyboardModifier
            if act is None or event.modifiers() not in (keys.NoModifier, keys.KeypadModifier):
                return False
            act()
            return True
        return super().eventFilter(watched, event)


def write_scores(face: SyntheticFace, path: Path) -> None:
    """Write one line for each component: its score in standard deviations, and the coordinate."""
    scored = zip(face.scores.tolist(), face.coordinates.tolist(), strict=True)
    rows = ((number, *both) for number, both in enumerate(scored, 1))
    heading = ("component", "score", "coordinate")
    path.write_text(as_table(heading, rows), "utf-8", newline="")
