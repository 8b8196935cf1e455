"""The way from one face to another: pictures, slider, play."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal

from gui.pages.synthesise.cards import ThumbRow
from gui.pages.synthesise.starts import StartingFace
from gui.style import theme
from gui.widgets.boxes import in_row
from gui.widgets.cards import Card
from gui.widgets.controls import LinkButton, Slider
from gui.widgets.face_model import Face
from gui.widgets.play_button import PlayButton
from gui.widgets.words import label

STEPS = (0, 20, 40, 60, 80, 100)
_FRAME, _STEP = 40, 2  # ms between two steps of the animation; per cent of each


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
