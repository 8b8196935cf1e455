"""The Synthesise page: a face that belongs to nobody, made by moving along components."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.identity import FaceId
from eigenfaces.laboratory.synthesis import (
    MEAN,
    Start,
    StartingFace,
    SyntheticFace,
    TrainingFaces,
    component_extremes,
    pixel_space_note,
    signed_number,
)
from eigenfaces.manual.keys import with_key
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, percent
from ..state import actions
from ..state.session import Session
from ..style import theme
from ..style.images import grey_image
from ..widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ..widgets.cards import Banner, Card, PageHeader
from ..widgets.controls import Button, LinkButton, PlayButton, Slider, open_below
from ..widgets.face_list import FaceDelegate, FaceItem, FaceListView, FaceRow
from ..widgets.face_menu import install_face_menu
from ..widgets.face_view import FaceView
from ..widgets.fields import FaceChooser
from ..widgets.flow import ColumnsLayout
from ..widgets.labels import Elide, ElidedLabel, label, set_style_property
from ..widgets.page import NOTHING_YET, Page
from ..widgets.saving import add_exports, copy_by_key

SLIDERS, MOST_DEVIATIONS = 12, 2.5
SLIDER_STEPS = (0, 20, 40, 60, 80, 100)

_HOW = f"Slider ends: mean ± {MOST_DEVIATIONS} σ. Bold: changed. Double-click to reset."
_NEAREST = 5  # faces
_FRAME, _STEP = 40, 2  # ms per step of the animation; per cent per step
_COLUMN = 340  # px, the minimum width of a column
_THUMBNAIL, _SMALL, _TALL = 68, 38, 800  # px: a large or small face below; a tall page
_UNIT = 100  # steps of a slider per unit of its value
_HANDLE = 17  # px, the width of the handle of every slider


class BipolarSlider(Slider):
    """Slider from −most to most whose bar starts at zero. A double-click resets the value to zero.

    ``moved``: the user has moved the slider. `show_value` does not emit this signal.
    """

    moved = Signal(float)

    def __init__(self, most: float) -> None:
        super().__init__("Score", round(-most * _UNIT), round(most * _UNIT))
        self.score = 0.0  # may be beyond the ends until the user moves the slider
        self.setProperty("role", "bipolar")
        self.setSingleStep(_UNIT // 10)
        self.setPageStep(_UNIT // 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.valueChanged.connect(self._emit_score)

    def show_value(self, value: float) -> None:
        """Show a value without emitting a signal."""
        self.score = value
        with QSignalBlocker(self):
            self.setValue(round(value * _UNIT))
        self.setAccessibleDescription(signed_number(value))
        self.update()

    def _emit_score(self, value: int) -> None:
        self.show_value(value / _UNIT)
        self.moved.emit(self.score)

    def place(self, value: float) -> float:
        """Return the x coordinate of a value in pixels, limited to the ends of the slider."""
        most = self.maximum() / _UNIT
        share = min(max((value + most) / (2 * most), 0.0), 1.0)
        return _HANDLE / 2 + share * (self.width() - _HANDLE)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.setValue(0)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, middle = theme.tokens(), self.height() / 2
        zero, at = self.place(0.0), self.place(self.score)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.track))
            groove = QRectF(_HANDLE / 2, middle - 2, self.width() - _HANDLE, 4)
            painter.drawRoundedRect(groove, 2, 2)
            painter.fillRect(QRectF(min(zero, at), middle - 2, abs(at - zero), 4), look.accent)
            painter.fillRect(QRectF(zero - 0.75, middle - 6, 1.5, 12), QColor(look.tertiary))
            painter.setPen(QPen(QColor(look.accent), 2))
            painter.setBrush(QColor(look.accent if self.hasFocus() else look.surface))
            painter.drawEllipse(QPointF(at, middle), 7.0, 7.0)


class ComponentRow(QWidget):
    """Row for a component, with a slider between pictures of the two extremes, and the score."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number, self.strong = number, False
        self.slider, self.share = BipolarSlider(MOST_DEVIATIONS), label("", "small")
        self.value = label("", "caption")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # A label of fixed size needs no new layout while a morph changes twelve of them.
        self.value.setFixedSize(theme.pixels(52), theme.pixels(20))
        self.low, self.high = ends = FaceView(grows=True), FaceView(grows=True)
        for end in ends:
            end.setMinimumHeight(theme.pixels(24))
            end.setMaximumHeight(theme.pixels(52))
            end.setFixedWidth(theme.pixels(46))
        words = QWidget()
        words.setFixedWidth(theme.pixels(54))
        title = label(f"{number}", "strong")
        in_column(STRETCH, title, self.share, STRETCH, inside=words, spacing=0)
        parts = (words, self.low, (self.slider, 1), self.high, self.value)
        in_row(*parts, inside=self, spacing=4)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)

    def show_component(self, share: str, ends: Floats) -> None:
        """Show the component's share of the variance, and the faces (2, h, w) at its extremes."""
        self.share.setText(share)
        name = f"Component {self.number} ({share} of the variance), in standard deviations"
        self.slider.setAccessibleName(name)
        for view, face, end in zip((self.low, self.high), ends, ("lowest", "highest"), strict=True):
            view.set_image(grey_image(face))
            view.setAccessibleName(f"The mean with the {end} score of component {self.number}")
        self.show()

    def show_score(self, score: float, start: float) -> None:
        """Show a score, in bold if it differs from that of the starting face."""
        self.strong = abs(score - start) > 1e-9
        self.slider.show_value(score)
        self.value.setText(signed_number(score))
        set_style_property(self.value, "role", "strong" if self.strong else "caption")


class SynthesisePage(Page):
    """Page with sliders for the components, the face they make, and the nearest real faces."""

    key = "synthesise"
    title = "Synthesise"
    icon = "synthesise"
    needs_training = needs_pictures = True

    def __init__(self, session: Session, rng: np.random.Generator | None = None) -> None:
        super().__init__(session)
        self.rng = rng or np.random.default_rng()
        self.real: TrainingFaces | None = None
        self.face: SyntheticFace | None = None
        self.start: StartingFace | None = None  # also the end A of the morph
        self.end: StartingFace | None = None  # the end B
        self._end_chosen: Start | None = None  # the end B that the user chose
        self._version: tuple[object, ...] = ()  # the version of the real faces
        self._touched = False
        self._share: int | None = None  # of B, in per cent, if the face is on the morph
        self._follows: FaceId | None = None  # the selected photo at the last refresh
        self._choosing_end = False  # whether the open list of faces is for B
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self.note = Banner("accent", dismissible=False)
        self._chooser = FaceChooser(self)
        self._chooser.face_chosen.connect(self._face_chosen)
        self.content.set_home()
        self._lay_out()
        self.content.bind_unused("random", self.draw_at_random)
        self.content.bind_unused("reset", self.reset)
        self.content.bind_unused("play morph", self.play.toggle)
        copy_by_key("copy made", self, session, lambda: self.view.image)

    def _lay_out(self) -> None:
        self.start_button, self._random = Button("Start from…", "image"), Button("Random", "dice")
        self._reset, self._export = Button("Reset", "reset"), Button("Export…", "export")
        self._random.setToolTip(with_key("random"))
        acts = {
            self.start_button: lambda: self._choose(self.start_button, self.start),
            self._random: self.draw_at_random,
            self._reset: self.reset,
            self._export: self.export,
        }
        for button, act in acts.items():
            button.clicked.connect(act)
        header = PageHeader(self.title, "Make a face that belongs to nobody", *acts)
        self.component_card = Card("Components")
        self.component_card.body.setSpacing(2)
        self.rows = [ComponentRow(number) for number in range(1, SLIDERS + 1)]
        for component, row in enumerate(self.rows):
            row.slider.moved.connect(partial(self._move, component))
        how = ElidedLabel(_HOW, "caption", Elide.ElideRight)
        add_parts(self.component_card.body, *((row, 1) for row in self.rows), how)
        self.face_card, right = Card("The face", "live"), QWidget()
        self.view = FaceView("", grows=True, name="Synthesised face")
        self.view.setMinimumHeight(110)
        self.random_words = label("", "caption", wrap=True)
        self.random_words.hide()
        add_parts(self.face_card.body, (self.view, 1), self.random_words)
        closest = Card("Closest real faces")
        cells = FaceDelegate(QSize(_SMALL, _SMALL), subcaption=True, beside=True)
        self.closest = FaceListView("Closest real faces", cells)
        self.closest.setMinimumHeight(110)
        self.closest.chosen.connect(self._begin_with)
        install_face_menu(self.closest, self.session, self.closest.face_at)
        add_parts(closest.body, label("distance in face space", "caption"), (self.closest, 1))
        closest.setFixedWidth(theme.pixels(180))
        morph = self._lay_out_morph()
        faces = in_row((self.face_card, 1), closest, spacing=12)
        in_column((faces, 1), morph, inside=right, spacing=12)
        cards = ColumnsLayout((1, 2), _COLUMN)
        cards.add(self.component_card, right)
        in_column(header, self.note, (cards, 1), inside=self.content, spacing=12)

    def _lay_out_morph(self) -> Card:
        """Return the card for the morph from A to B, with its steps, a slider and a play button."""
        card, self.end_button = Card("Morph A → B"), LinkButton("Choose B…")
        self.end_button.clicked.connect(lambda: self._choose(self.end_button, self.end))
        card.add_to_heading(self.end_button)
        self.morph = FaceRow("Morph steps")
        self.morph.chosen.connect(lambda key: self._morph(int(key)))
        self.slider = Slider("Share of B, in per cent")
        self.slider.valueChanged.connect(self._morph)
        self._share_words = label("0 %", "strong")
        self._share_words.setFixedSize(theme.pixels(48), theme.pixels(20))  # needs no new layout
        self.play = PlayButton(
            self.slider, lambda at: at + _STEP, milliseconds=_FRAME, name="Play the morph"
        )
        self.play.setToolTip(with_key("play morph"))
        controls = in_row((self.slider, 1), self._share_words, self.play, spacing=10)
        add_parts(card.body, self.morph, controls)
        return card

    # Actions

    def draw_at_random(self) -> None:
        """Show a random face (key R)."""
        if self.real is not None:
            face = SyntheticFace.random(self.real.space, self.rng)
            self._show(face)
            self.random_words.setText(self.real.random_words(face))
            self.random_words.show()

    def reset(self) -> None:
        """Return to the starting face (key 0)."""
        if self.start is not None:
            self._show(self.start.face)
            self._touched = False

    def export(self) -> None:
        face = self.face
        if face is None:
            self.session.show_message(NOTHING_YET)
            return
        menu, picture = QMenu("Export", self), partial(save_grey, image=face.pixels)
        add_exports(menu, self.session, self, [("Face as a picture…", "nobody.png", picture)])
        open_below(self._export, menu)

    def accept_paths(self, paths: list[Path]) -> bool:
        are_photos = actions.add_dropped_probes(self.session, paths)
        self._touched &= not are_photos  # dropped photos replace the face made here
        return are_photos

    def _move(self, component: int, score: float) -> None:
        if self.face is not None:
            self._show(self.face.moved(component, score))

    def _morph(self, percent: int) -> None:
        """Show the face at this percentage of the way from A to B."""
        if self.start is not None and self.end is not None:
            self._show(self.start.face.morph(self.end.face, percent / 100), percent)

    def _choose(self, button: QWidget, current: StartingFace | None) -> None:
        """Open the list of people and faces for choosing the start or the end of the morph."""
        self._choosing_end, session = button is self.end_button, self.session

        def picture(name: Start) -> QImage:  # made only when visible
            start = self._start(name)
            return QImage() if start is None else grey_image(start.face.pixels)

        names = [(MEAN, "The mean face", "of all training photos")]
        names += [(name, name, "mean of all photos") for name in session.gallery.people]
        means = [FaceItem(key, partial(picture, key), name, note) for key, name, note in names]
        key, faces = current.start if current else None, session.gallery.faces
        self._chooser.open_below(button, faces, session.probes, key, first=means)

    def _face_chosen(self, key: Start) -> None:
        if not self._choosing_end:
            self._begin_with(key)
        else:
            self._end_chosen = key
            self._show_morph()
            self._morph(self.slider.value())

    def _begin_with(self, key: Start) -> None:
        """Start from the mean, a person or a face, and select the face on all pages."""
        if (start := self._start(key)) is None:
            return
        is_face = isinstance(key, FaceId) and self.session.face(key) is not None
        if isinstance(key, FaceId) and is_face and key != self.session.photo:
            self._follows = key
            self.session.select(key)
        self._set_start(start)

    # Display

    def _clear(self) -> None:
        self.real = self.face = self.start = None
        self._version = ()
        self.play.stop()
        self._step.stop()

    def _refresh(self) -> None:
        gallery, selected = self.session.gallery, self.session.photo
        version = (gallery.training, gallery.index, gallery.face_space_k)
        if version != self._version:
            self._version = version
            self._show_gallery(gallery)
        if selected != self._follows:
            self._follows = selected
            if selected is not None and not self._touched and self.real is not None:
                self._set_start(self._start(selected) or self.real.mean)

    def _start(self, key: Start | None) -> StartingFace | None:
        """Return the starting face for a key; None if the face no longer exists."""
        real = self.real
        return None if real is None or key is None else real.starting_face(key, self.session.probes)

    def _show_gallery(self, gallery: Gallery) -> None:
        """Show a changed gallery, or say why it cannot be shown, as when all faces are excluded.

        The face that the user made is kept as long as the face space stays the same.
        """
        try:
            real = TrainingFaces.of(gallery)
        except EigenfacesError as error:
            self.note.show_text(str(error), "warn")
            self.note.show()
            return
        note = pixel_space_note(gallery)
        self.note.show_text(note, "accent")
        self.note.setVisible(bool(note))
        before, self.real = self.real, real
        same = before is not None and before.space.mean is real.space.mean
        if before is None or not same or len(before.space) != len(real.space):
            self._show_space(real.space)
        self.morph.set_shape(real.space.shape)
        key: Start | None = self.session.photo
        if self.start is not None and same:
            key = self.start.start
        if not same:
            self._follows = self.session.photo
        start = self._start(key) or real.mean
        if same and self._touched and self.face is not None:
            self.start, self.face = start, self.face.with_components(real.space)
            self._show_morph()
            self._step.start()
        else:
            self._set_start(start)

    def _show_space(self, space: FaceSpace) -> None:
        """Show the components of a new face space, with their shares and the faces at each end."""
        number = min(SLIDERS, len(space))
        self.component_card.set_title(f"Components 1–{number}" if number > 1 else "Component 1")
        for row in self.rows[number:]:
            row.hide()
        ends, shares = (
            component_extremes(space, number, MOST_DEVIATIONS),
            space.variance_ratio.tolist(),
        )
        for row, faces, share in zip(self.rows, ends, shares, strict=False):
            row.show_component(percent(share), faces)

    def _set_start(self, start: StartingFace) -> None:
        self.start = start
        self.start_button.setToolTip(f"Started from: {start.name}")
        self._reset.setToolTip(with_key("reset", f"Back to the start: {start.name}"))
        self._show_morph()
        self._show(start.face)
        self._touched = False

    def _show_morph(self) -> None:
        """Show the morph from the starting face to the chosen end, or else to another person."""
        if self.real is None or self.start is None:
            return
        a, other = self.start, self._start(self.real.next_person_photo(self.start.start))
        self.end = b = self._start(self._end_chosen) or other or self.real.mean
        self.end_button.setToolTip(f"{b.name}. Choose another.")
        names = {0: a.short, 100: b.short}
        faces = [(step, a.face.morph(b.face, step / 100).pixels) for step in SLIDER_STEPS]
        self.morph.show_faces(
            [FaceItem(str(step), face, names.get(step, f"{step} %")) for step, face in faces]
        )

    def _show(self, face: SyntheticFace, share: int | None = None) -> None:
        """Schedule a face to be shown, so that several quick changes are drawn only once."""
        self.face, self._touched, self._share = face, True, share
        self.random_words.hide()
        if share is None:
            self.play.stop()
        with QSignalBlocker(self.slider):
            self.slider.setValue(share or 0)
        self._step.start()

    def _draw(self) -> None:
        face, real, start = self.face, self.real, self.start
        self._step.stop()
        if face is None or real is None or start is None:
            return
        scores = zip(self.rows, face.scores.tolist(), start.face.scores.tolist(), strict=False)
        for row, score, begun in scores:
            row.show_score(score, begun)
        self.view.set_image(grey_image(face.pixels))
        self.face_card.set_note(count(len(real.space), "component"))
        cells = []
        for match in real.nearest(face, _NEAREST):
            photo, distance = match.photo, f"{match.distance:.1f}"
            person, image = photo.person or "Unnamed", real.gallery.faces.image(match.row)
            spoken = f"{person}, {photo.path.name}, at a distance of {distance}"
            cells.append(FaceItem(photo.id, image, person, distance, accessible=spoken))
        self.closest.show_faces(cells)
        self._share_words.setText(f"{self.slider.value()} %")
        step = [str(self._share)] if self._share in SLIDER_STEPS else []
        if self.morph.selected_keys() != step:
            self.morph.select(*step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = theme.pixels(_THUMBNAIL if self.height() >= theme.pixels(_TALL) else _SMALL)
        self.morph.set_tallest(height)
        self.closest.cells.picture = QSize(height * 5 // 6, height)
        self.closest.fit_cells()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.content.setFocus(Qt.FocusReason.OtherFocusReason)  # so that the keys work immediately
