"""The cards of the Synthesise page: sliders, the face, the real faces closest to it, the morph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice

import numpy as np
from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.laboratory.synthesis import Likeness, RealFace, RealFaces, SyntheticFace
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, percent
from gui.plots import SpreadChart
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.bipolar_slider import BipolarSlider
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, Shrinkable
from gui.widgets.controls import LinkButton, PlayButton, Slider
from gui.widgets.face_delegate import CellStyle
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face
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
        self.chart = SpreadChart("radius, in σ a component", "faces")
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
        self.chart.show_spread(real.radii, real.usual)

    def show_face(self, face: SyntheticFace, real: RealFaces) -> None:
        """Show a face, and where it lies among them."""
        self.view.set_image(grey_image(face.pixels))
        radius = real.radius(face)
        self.chart.set_mark(radius, f"this face {radius:.2f}")
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
