"""The cards of the Synthesise page: sliders, the face, the real faces closest to it, the morph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from eigenfaces.laboratory.synthesis import Likeness, RealFace, RealFaces, SyntheticFace
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, percent
from gui.plots.axes import Axis
from gui.plots.marks import Rule, Shade, Steps
from gui.plots.plot import PlotView
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image, rounded
from gui.style.theme import CAPTION, SMALL
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, Shrinkable
from gui.widgets.controls import LinkButton, PlayButton, Slider
from gui.widgets.face_list import CellStyle, Face, FaceRow
from gui.widgets.painted import FaceView
from gui.widgets.words import ElidedLabel, label

SLIDERS, MOST = 12, 2.5
_HOW = f"Ends: the mean ∓ {MOST} σ. Bold: moved. Double-click: 0."
_NEAREST, _LEAST = 7, 68  # faces, and px for each
_LONG = (
    "95 % of the 1,000 faces that train have 0.70 to 1.29. This one lies as far from the mean as "
    "they do.",
    "49 % of the photos lie 8.23 or farther from the closest other of their person (median 8.22), "
    "so by its distance it could be Person 13.",
)
"""Sentences of the usual length, for which there is room; longer ones have a tooltip."""

STEPS = (0, 20, 40, 60, 80, 100)
_FRAME, _STEP = 40, 2  # ms between two steps of the animation; per cent of each
_PAD = 12  # px of a cell beside its picture

_BINS, _BEYOND, _ABOVE = 24, 1.4, 1.08  # of the radii; times the largest: room beside and above

_SHORT: dict[Likeness, str] = {
    "itself": "{}",
    "could be": "could be {}",
    "hardly": "hardly {}",
    "nobody": "nobody",
    "unknown": "live",
}
MEAN = ""
"""The key of the mean face; other keys are those of photos and probes, and `person_key`."""

_PERSON = "\0"  # no key of a photo begins with it
_STEPS = 100
"""Steps of the slider for one unit of its value."""

_BY = 0.1  # by which an arrow key moves; five times that by Page Up and Down
_BY_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -5,
    Qt.Key.Key_PageUp: 5,
}

_WORDS, _READ_OUT, _GAP = 50, 52, 10  # px of the texts at both ends, and between the parts
_HANDLE = 7.0  # px, its radius
_TALLEST = 48  # px of a row; the style sheet states the least
_ROUND = 4.0  # px, the corners of a picture
_BOLD = QFont.Weight.Bold
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BipolarSlider(QSlider):
    """A value from −most to most: the bar begins at zero, where a double-click leads.

    ``moved``: the person has moved it. `show_value` moves it without that.
    """

    moved = Signal(float)

    def __init__(self, name: str, most: float) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._most, self._title, self._note = most, name, ""
        self._value, self._strong = 0.0, False
        self._ends: tuple[QImage, QImage] | None = None
        self._drawn: dict[int, QPixmap] = {}
        self._groove: QRectF | None = None
        self._fresh = True
        self.setProperty("role", "bipolar")
        self.setRange(round(-most * _STEPS), round(most * _STEPS))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.set_words(name)

    @property
    def score(self) -> float:
        """The value shown, which may lie beyond the ends where nobody has moved it."""
        return self._value

    @property
    def read_out(self) -> str:
        """The value in words."""
        return signed(self._value)

    @property
    def strong(self) -> bool:
        """Whether the value is marked as moved."""
        return self._strong

    def set_words(self, title: str, note: str = "", name: str = "") -> None:
        """Set the words at the left, and the name for screen readers."""
        self._title, self._note = title, note
        self.setAccessibleName(name or ", ".join(part for part in (title, note) if part))
        self.update()

    def set_ends(self, low: QImage, high: QImage) -> None:
        """Set the pictures of both ends."""
        self._ends = low, high
        self._drawn.clear()
        self._groove = None
        self.update()

    def show_value(self, value: float, *, strong: bool) -> None:
        """Show a value, perhaps as moved, without a signal."""
        if (value, strong) == (self._value, self._strong) and not self._fresh:
            return
        self._value, self._strong, self._fresh = value, strong, False
        before = self.blockSignals(True)
        self.setValue(round(value * _STEPS))
        self.blockSignals(before)
        self.setAccessibleDescription(self.read_out)
        # Words and picture at the left stay as they are: twelve of these move with a morph.
        self.update(round(self.groove().left() - 2 * _HANDLE), 0, self.width(), self.height())

    def groove(self) -> QRectF:
        """Return the line on which the handle moves."""
        if self._groove is None:
            across = self._picture_size().width()
            left = theme.pixels(_WORDS) + _GAP + across + 2 * _GAP
            right = self.width() - theme.pixels(_READ_OUT) - _GAP - across - 2 * _GAP
            self._groove = QRectF(left, self.height() / 2 - 2, max(20.0, right - left), 4)
        return self._groove

    def place(self, value: float) -> float:
        """Return the pixel of a value; beyond the ends, of the end."""
        share = (value + self._most) / (2 * self._most)
        groove = self.groove()
        return groove.left() + min(max(share, 0.0), 1.0) * groove.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._groove = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._groove = None  # the text may be larger

    def sliderChange(self, change: QSlider.SliderChange) -> None:
        if change != QSlider.SliderChange.SliderValueChange:  # `show_value` paints what is new
            super().sliderChange(change)

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(420), theme.pixels(_TALLEST))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.pixels(260), super().minimumSizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._holds(event.position()):
            self._move_to(event.position().x())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_to(event.position().x())
        else:
            near = self._holds(event.position())
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._move(0.0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls; no face changes by the way

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _BY_KEYS:
            self._move(round(self._value + _BY_KEYS[key] * _BY, 2))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._move(-self._most if key == Qt.Key.Key_Home else self._most)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._move(0.0)
        else:
            event.ignore()

    def _holds(self, at: QPointF) -> bool:
        groove = self.groove()
        return groove.left() - 2 * _HANDLE <= at.x() <= groove.right() + 2 * _HANDLE

    def _move_to(self, x: float) -> None:
        groove = self.groove()
        share = (x - groove.left()) / groove.width()
        self._move((2 * share - 1) * self._most)

    def _move(self, value: float) -> None:
        value = round(min(max(value, -self._most), self._most), 2)
        if value != self._value:
            self.show_value(value, strong=True)
            self.moved.emit(value)

    def _picture_size(self) -> QSize:
        if self._ends is None:
            return QSize(0, 0)
        most = QSize(self.width() // 6, min(self.height() - 4, theme.pixels(_TALLEST)))
        return self._ends[0].size().scaled(most, Qt.AspectRatioMode.KeepAspectRatio)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            groove = self.groove()
            if event.rect().left() < groove.left() - 2 * _HANDLE - 1:
                self._paint_words(painter)
                self._paint_end(painter, 0, groove)
            self._paint_end(painter, 1, groove)
            self._paint_groove(painter, groove)
            self._paint_read_out(painter)

    def _paint_words(self, painter: QPainter) -> None:
        t, middle = theme.tokens(), self.height() / 2
        title, note = theme.font(CAPTION, _BOLD), theme.font(SMALL)
        tall, below = QFontMetrics(title).height() - 2, QFontMetrics(note).height()
        top = middle - (tall + below) / 2 if self._note else middle - tall / 2
        for words, used, colour, height in (
            (self._title, title, t.text, tall),
            (self._note, note, t.secondary, below),
        ):
            painter.setFont(used)
            painter.setPen(QColor(colour))
            line = QRectF(4, top, theme.pixels(_WORDS) + _GAP, height)
            painter.drawText(line, _LEFT, words)
            top += height

    def _paint_read_out(self, painter: QPainter) -> None:
        t = theme.tokens()
        painter.setFont(theme.font(CAPTION, _BOLD if self._strong else QFont.Weight.Normal))
        painter.setPen(QColor(t.text if self._strong else t.secondary))
        painter.drawText(QRectF(self.rect()).adjusted(0, 0, -4, 0), _RIGHT, self.read_out)

    def _paint_end(self, painter: QPainter, end: int, groove: QRectF) -> None:
        """Paint the picture at the left (0) or right (1) end."""
        if self._ends is None:
            return
        size, ratio = self._picture_size(), self.devicePixelRatioF()
        drawn = self._drawn.get(end)
        if drawn is None or drawn.size() != size * ratio:
            made = rounded(self._ends[end], size, ratio, _ROUND)
            drawn = self._drawn[end] = QPixmap.fromImage(made)
        left = groove.right() + 2 * _GAP if end else groove.left() - 2 * _GAP - size.width()
        painter.drawPixmap(QPointF(left, (self.height() - size.height()) / 2), drawn)

    def _paint_groove(self, painter: QPainter, groove: QRectF) -> None:
        t = theme.tokens()
        zero, at, middle = self.place(0.0), self.place(self._value), groove.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.track))
        painter.drawRoundedRect(groove, 2, 2)
        painter.setBrush(QColor(t.accent))
        painter.drawRect(QRectF(min(zero, at), groove.top(), abs(at - zero), groove.height()))
        painter.setBrush(QColor(t.tertiary))
        painter.drawRect(QRectF(zero - 0.75, middle - 6, 1.5, 12))
        painter.setPen(QPen(QColor(t.accent), 2))
        focused = self.hasFocus()
        painter.setBrush(QColor(t.accent if focused else t.surface))
        painter.drawEllipse(QPointF(at, middle), _HANDLE, _HANDLE)
        if focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(t.accent), 1.2))
            painter.drawEllipse(QPointF(at, middle), _HANDLE + 3.5, _HANDLE + 3.5)


def signed(value: float) -> str:
    """Return a value in standard deviations, with its sign.

    >>> signed(0.84), signed(-1.0), signed(0.04)
    ('+0.8 σ', '−1.0 σ', '0.0 σ')
    """
    rounded = round(value, 1)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return f"{sign}{abs(rounded):.1f} σ"


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
    if key.startswith(_PERSON):
        person = key.removeprefix(_PERSON)
        photos = len(real.places.get(person, ()))
        if not photos:
            return None
        name = f"{person}, mean of {count(photos)}"
        return StartingFace(key, name, person, real.mean_of(person))
    return _start_of_photo(session, real, key)


def _start_of_photo(session: Session, real: RealFaces, key: str) -> StartingFace | None:
    found, gallery = session.face(key), session.gallery
    if found is None:
        return None
    photo, image = found
    row = gallery.index.row_of(key)
    if row is None:
        coordinates = gallery.trained.project(image.ravel())
    else:
        coordinates = gallery.trained.coordinates[row]
    name = photo.path.name
    if photo.person is not None and row is not None:
        number = gallery.index.rows_of(photo.person).index(row) + 1
        name = f"{photo.person}, photo {number}"
    short = photo.person or photo.path.name
    return StartingFace(key, name, short, SyntheticFace.at(real.space, coordinates))


def other_end(session: Session, start: str) -> str:
    """Return the first photo of somebody else, for the end of a morph; or the last photo."""
    index = session.gallery.index
    row = index.row_of(start)
    person = index.photos[row].person if row is not None else start.removeprefix(_PERSON)
    at = row or 0
    later = chain(islice(index.photos, at, None), islice(index.photos, at))
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
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_text(self, text: str) -> None:
        """Show other words."""
        self.words.setText(text)
        self.words.setToolTip(text)

    def sizeHint(self) -> QSize:
        # As wide as it is now: a card that does not ask for heights by width has room, too.
        return QSize(theme.pixels(60), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:
        return _height(self._longest, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.setFixedSize(self.size())
        if event.oldSize().width() != self.width():
            self.updateGeometry()


@lru_cache(maxsize=64)
def _height(words: str, width: int) -> int:
    """Return how high words are; a layout asks again and again."""
    metrics, room = QFontMetrics(theme.font(theme.CAPTION)), QRect(0, 0, width, 10_000)
    return metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, words).height() + 2


class ThumbRow(FaceRow):
    """Small faces in one line, as large as the height allows and as all of them have room."""

    def __init__(self, name: str, most: int, least: int = 0, *, subcaption: bool = False) -> None:
        """``least``: px for a face and its caption; where there is less, fewer faces have room."""
        super().__init__(name, QSize(52, 64), subcaption=subcaption)
        self.count = self._most = most
        self._least, self._subcaption = least, subcaption
        self._shape: tuple[int, ...] = (112, 92)
        self._tallest = 64

    def set_shape(self, shape: tuple[int, ...]) -> None:
        """Set the (h, w) of the faces."""
        self._shape = shape
        self._fit()

    def set_tallest(self, height: int) -> None:
        """Set how high a face may be."""
        self._tallest = height
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        height, width = self._shape
        if self._least:
            self.count = min(max(self.width() // theme.pixels(self._least), 1), self._most)
        room = (self.width() - 4) // self.count
        wide = max(20, min(round(self._tallest * width / height), room - _PAD))
        picture = QSize(wide, round(wide * height / width))
        style = CellStyle(picture, subcaption=self._subcaption, widest=room / wide)
        if style != self.cells.style:
            self.cells.style = style
            self.fit_cells()


class _Sides(Shrinkable):
    """The face and the plot beside it: it takes the room that others leave."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class FaceCard(Card):
    """The face, large, and how far from the mean it lies among real faces."""

    def __init__(self) -> None:
        super().__init__("The face", "live")
        self.view = FaceView("", grows=True, name="The face made here")
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumSize(120, 110)
        self.plausibility = LiveText(_LONG[0], "How plausible it is")
        side = Shrinkable()
        in_column(
            label("Could it be real?", "strong"),
            (self.chart, 1),
            self.plausibility,
            inside=side,
            spacing=4,
        )
        sides = _Sides()
        in_row((self.view, 1), (side, 1), inside=sides, spacing=14)
        self.body.addWidget(sides, 1)
        self.view.setMinimumHeight(150)

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
        """Show a face, and where it lies among them."""
        self.view.set_image(grey_image(face.pixels))
        radius = face.radius
        self.chart.move_rule(min(radius, self.chart.frame.x.hi), f"this face {radius:.2f}")
        self.plausibility.set_text(real.plausibility(face))


class ClosestCard(Card):
    """The real faces closest to it, as proof that it is nobody; pressing one starts from it."""

    def __init__(self) -> None:
        super().__init__("Closest real faces", "distance in face space")
        self.row = ThumbRow("Closest real faces", _NEAREST, _LEAST, subcaption=True)
        self.sentence = LiveText(_LONG[1], "Whether it is somebody")
        self.body.addWidget(self.row)
        self.body.addWidget(self.sentence)
        self._image: Callable[[int], Floats]

    def show_images(self, read: Callable[[int], Floats]) -> None:
        """Take the pictures of other faces: by their row in the gallery."""
        # The same array again is not drawn anew.
        self._image = lru_cache(maxsize=512)(read)

    def show_face(self, face: SyntheticFace, real: RealFaces) -> str:
        """Show what is closest to a face; return in a few words whom it could be taken for."""
        nearest = real.nearest(face, self.row.count)
        self.row.show_faces([self._face(each) for each in nearest])
        kind, sentence = real.likeness(nearest[0])
        self.sentence.set_text(sentence)
        return _SHORT[kind].format(nearest[0].photo.person or "a face without a name")

    def _face(self, real: RealFace) -> Face:
        person, distance = real.photo.person or "Nobody named", f"{real.distance:.1f}"
        spoken = f"{person}, {real.photo.path.name}, at {distance}"
        return Face(real.photo.key, self._image(real.row), person, distance, accessible=spoken)


class Sliders(Card):
    """The first components; ``moved``: the component, counted from 0, and its score."""

    moved = Signal(int, float)

    def __init__(self) -> None:
        super().__init__("Components")
        self.body.setSpacing(2)
        self.sliders = [BipolarSlider(f"Component {at + 1}", MOST) for at in range(SLIDERS)]
        for at, slider in enumerate(self.sliders):
            slider.moved.connect(partial(self.moved.emit, at))
            self.body.addWidget(slider, 1)
        self.body.addWidget(ElidedLabel(_HOW, "caption", Qt.TextElideMode.ElideRight))

    def show_space(self, space: FaceSpace) -> None:
        """Show the components of another face space: their numbers, shares and ends."""
        shown = min(SLIDERS, len(space))
        self.set_title(f"Components 1–{shown}" if shown > 1 else "Component 1")
        for slider in self.sliders[shown:]:
            slider.hide()
        for at, (slider, ends) in enumerate(zip(self.sliders, _ends(space, shown), strict=False)):
            share = percent(float(space.variance_ratio[at]))
            name = f"Component {at + 1}, {share} of the variance, in standard deviations"
            slider.set_words(str(at + 1), share, name)
            slider.set_ends(*map(grey_image, ends))
            slider.show()

    def show_face(self, face: SyntheticFace, start: SyntheticFace) -> None:
        """Show where a face lies, and what differs from where it began."""
        scores = zip(face.scores.tolist(), start.scores.tolist(), strict=True)
        for slider, (score, begun) in zip(self.sliders, scores, strict=False):
            slider.show_value(score, strong=abs(score - begun) > 1e-9)


def _ends(space: FaceSpace, shown: int) -> Floats:
    """Return the mean face with the least and the most of each component: (s, 2, h, w)."""
    mean = SyntheticFace.mean(space)
    faces = [mean.moved(at, end).coordinates for at in range(shown) for end in (-MOST, MOST)]
    return space.reconstruct(np.stack(faces)).reshape(-1, 2, *space.shape)


class MorphCard(Card):
    """Morphs A to B: ``moved`` when the share of B is chosen, ``end_wanted`` to choose an end."""

    moved = Signal()
    end_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__("Morph A → B")
        self.a: StartingFace | None = None
        self.b: StartingFace | None = None
        self.ends = {end: self._chooser(end) for end in ("A", "B")}
        self.row = ThumbRow("Steps of the morph", len(STEPS))
        self.row.chosen.connect(lambda key: self._go(int(key)))
        self.slider = Slider("Share of B, in per cent")
        self.slider.valueChanged.connect(self._moved)
        self.share_words = label("0 %", "strong")
        self.share_words.setFixedSize(theme.pixels(48), theme.pixels(20))  # so no new layout
        self.play = PlayButton(
            self.slider, lambda at: at + _STEP, milliseconds=_FRAME, name="Play the morph"
        )
        self.play.setToolTip("Play the morph (Space)")
        controls = in_row((self.slider, 1), self.share_words, self.play, spacing=10)
        self.body.addWidget(self.row)
        self.body.addLayout(controls)

    @property
    def share(self) -> float:
        """How much of B, 0…1."""
        return self.slider.value() / 100

    def show_ends(self, a: StartingFace, b: StartingFace) -> None:
        """Show the way between two other faces."""
        self.a, self.b = a, b
        self.row.set_shape(a.face.space.shape)
        for end, start in zip(self.ends.values(), (a, b), strict=True):
            end.setToolTip(f"{start.name}. Choose another.")
        names = {0: a.short, 100: b.short}
        self.row.show_faces(
            [
                Face(
                    str(step),
                    a.face.towards(b.face, step / 100).pixels,
                    names.get(step, f"{step} %"),
                )
                for step in STEPS
            ]
        )

    def mark(self, on_the_way: bool) -> None:
        """Mark the step that is shown, if the face lies on the way at all."""
        key = str(self.slider.value())
        marked = [key] if on_the_way and int(key) in STEPS else []
        if self.row.selected_keys() != marked:
            self.row.select(*marked)

    def show_share(self, share: float) -> None:
        """Show a share of B, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * share))
        self.share_words.setText(f"{self.slider.value()} %")

    def _chooser(self, end: str) -> LinkButton:
        button = LinkButton(f"Choose {end}…")
        button.clicked.connect(lambda: self.end_wanted.emit(end))
        self.add_to_heading(button)
        return button

    def _go(self, per_cent: int) -> None:
        if per_cent == self.slider.value():
            self._moved(per_cent)
        else:
            self.slider.setValue(per_cent)

    def _moved(self, per_cent: int) -> None:
        self.share_words.setText(f"{per_cent} %")
        self.moved.emit()
