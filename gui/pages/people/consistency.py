"""How similar a person's photographs are: their mean, its difference, and all distances."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import STANDS_OUT, PhotoChecks, standing_out
from gui.plots.axes import Axis
from gui.plots.marks import Bars
from gui.plots.plot import PlotView
from gui.style import theme
from gui.style.images import grey_image, signed_image
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card, Shrinkable
from gui.widgets.controls import LinkButton
from gui.widgets.painted import ColourBar, FaceView, FramedView
from gui.widgets.words import ElidedLabel, label

_MOST_BARS = 60
_MOST_LIT, _MOST_AS_CUT = 40, 400  # photographs whose mean is shown
_PAUSE = 30  # ms on one person before the card is updated
_NOTE = "each held out"
_ONE_LEVEL = 1 / 255  # of grey: smaller differences are rounding, and drawn as zero


class ConsistencyCard(Card):
    """Shows how consistent a person's photos are."""

    train_wanted = Signal()
    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__("How consistent are these photos?")
        face = QSize(theme.pixels(96), theme.pixels(117))
        self.mean = FaceView("Their mean", face)
        self.traits = FramedView("Minus mean of all", face)
        self.scale = ColourBar("signed", "darker", "brighter")
        self.caption = label("", "caption", wrap=True)
        self.caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note = ElidedLabel(_NOTE, "caption", Qt.TextElideMode.ElideRight)
        self.add_to_heading(self.note)
        self.untrained = QWidget()
        self.trained = Shrinkable()
        self.chart = PlotView(Axis("photo"), Axis("distance to the others"))
        self.chart.setMinimumHeight(theme.pixels(130))
        self.chart.picked.connect(lambda _, bar: self.chosen.emit(self._keys[bar]))
        self._shown: tuple[Gallery, str, PhotoChecks] | None = None
        self._keys: list[str] = []  # photographs of the bars
        self._later = QTimer(self, singleShot=True, interval=_PAUSE)
        self._later.timeout.connect(self._draw)
        self._lay_out()

    def _lay_out(self) -> None:
        self.train_button = LinkButton("Train first")
        self.train_button.setProperty("flush", True)
        self.train_button.clicked.connect(self.train_wanted)
        then = label("to see the distances in face space.", "secondary")
        in_row(self.train_button, then, STRETCH, inside=self.untrained, spacing=2)
        pictures = in_row(self.mean, self.traits, spacing=10)
        left = in_column(
            pictures, (self.scale, 0, Qt.AlignmentFlag.AlignHCenter), STRETCH, spacing=6
        )
        plot = in_column((self.chart, 1), self.caption, spacing=2)
        self._row = in_row(left, (plot, 1), inside=self.trained, spacing=18)
        self.trained.setMinimumSize(1, theme.pixels(190))
        # A plot takes all the room: in a low window the photos need it.
        self.trained.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.body.addWidget(self.untrained)
        self.body.addWidget(self.trained)

    def show_person(self, gallery: Gallery, person: str, found: PhotoChecks) -> None:
        """Show a person; fast if it is the same person of the same gallery."""
        shown = gallery, person, found
        if self._shown is not None and all(a is b for a, b in zip(self._shown, shown, strict=True)):
            return
        self._shown = shown
        trained = gallery.training is not None
        self.trained.setVisible(trained)
        self.untrained.setVisible(not trained)
        self.note.setVisible(trained)
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Preferred if trained else policy.Fixed)
        if trained and self.isVisible():
            self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme.pixels(460)
        way = QBoxLayout.Direction
        self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
        self.trained.setMinimumHeight(theme.pixels(370 if narrow else 190))
        self.chart.setMinimumHeight(theme.pixels(130))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._later.stop()
        super().hideEvent(event)

    def _show_mean(self, gallery: Gallery, rows: list[int]) -> None:
        training = gallery.trained
        most = _MOST_LIT if training.recipe.pixels.lighting != "none" else _MOST_AS_CUT
        shown = rows[:: -(-len(rows) // most)]  # all of thousands would block the window
        mean = training.features(gallery.faces.pixels[shown]).mean(axis=0, dtype=np.float64)
        traits = mean - training.space.mean
        shape, limit = gallery.faces.shape, max(float(np.abs(traits).max()), _ONE_LEVEL)
        self.mean.set_image(grey_image(mean.reshape(shape)))
        self.traits.set_image(signed_image(traits.reshape(shape), limit))
        levels = f"{round(255 * limit)}"
        self.scale.set_scale("signed", f"−{levels} darker", f"+{levels} brighter")
        even = training.recipe.pixels.lighting != "none"
        self.traits.set_caption(
            "Minus mean of all", "evened out, of 255" if even else "in grey levels"
        )
        some = f"{len(shown)} of " if len(shown) < len(rows) else ""
        self.mean.set_caption("Their mean", f"of {some}{gallery.index.words_of(rows)}")

    def _draw(self) -> None:
        """Draw means and bars, after the photographs are on the screen."""
        if self._shown is None or self._shown[0].training is None:
            return
        gallery, person, found = self._shown
        rows, photos = gallery.index.rows_of(person), gallery.index.photos
        self._show_mean(gallery, rows)
        odd = standing_out(rows, gallery.index, found)
        held = {row: found.apart[p.key] for row in rows if (p := photos[row]).key in found.apart}
        shown = [*held]
        if len(held) > _MOST_BARS:
            shown = sorted(held, key=lambda row: -held[row][0])[:_MOST_BARS]
        # What is clicked is what was drawn: the gallery may be another one by then.
        self._keys = [photos[row].key for row in shown]
        places = {at for at, row in enumerate(shown) if row in odd}
        distances = np.array([held[row][0] for row in shown])
        labels = tuple(f"{rows.index(row) + 1}" for row in shown)
        self.chart.show_marks([Bars({"": distances}, labels, frozenset(places))])
        self.chart.setVisible(len(shown) > 1)
        self.note.setVisible(len(shown) > 1)
        self.caption.setText(_rule(len(rows), len(held), len(odd)))


def _rule(photos: int, held: int, odd: int) -> str:
    if photos < 3:
        return "With three or more photos, one can stand out."
    if not held:
        return "Being measured…"
    shown = f"The {_MOST_BARS} farthest of {held:,} photos. " if held > _MOST_BARS else ""
    rule = f"nearer to somebody else, and {STANDS_OUT:g} × as far as the middle one"
    if odd == 0:
        return f"{shown}None stands out ({rule})."
    whom = "1 photo stands out" if odd == 1 else f"{odd} photos stand out"
    return f"{shown}{whom} ({rule})."
