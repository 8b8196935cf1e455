"""The heading of a person, the field that names a group, and the consistency of photographs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from eigenfaces.faces.identity import FaceId
from eigenfaces.manual.keys import with_key
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import PhotoChecks, standing_out
from ...plots.axes import Axis
from ...plots.marks import Bars
from ...plots.plot import PlotView
from ...style import theme
from ...style.images import grey_image
from ...style.theme import Tone
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import Card, Shrinkable
from ...widgets.controls import Button, LinkButton
from ...widgets.face_list import Key
from ...widgets.face_view import FaceView
from ...widgets.fields import PersonField
from ...widgets.labels import Chip, ElidedLabel, label

_MOST_BARS, _MOST_IN_MEAN = 60, 50  # photographs; thousands would block the window


class PersonHeading(QWidget):
    """Heading with a person's name, photo count and actions, or a field that asks for a name."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.prompt = ElidedLabel("", "strong", Qt.TextElideMode.ElideRight)
        for text in (self.title, self.prompt):
            text.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.chip = Chip("")
        self.field = PersonField("Name of the person")
        self.field.named.connect(self._finish)
        self.field.cancelled.connect(self.stop_asking)
        self.field.focus_lost.connect(self.stop_asking)
        self.rename, self.merge = LinkButton("Rename"), LinkButton("Merge…")
        self.remove = LinkButton("Remove")
        self.rename.setToolTip(with_key("rename", "Give this person a different name"))
        self.remove.setToolTip(f"{with_key('remove person')}. The photos on disk are not touched.")
        self._answered: Callable[[str], None] | None = None  # receives the name
        self._before: QWidget | None = None  # the widget that had the focus
        self._key: Key = ""  # of the entry shown
        self._buttons = [self.rename, self.merge, self.remove]
        self._line, self._asking, name = QWidget(), QWidget(), QWidget()
        in_row(self.title, self.chip, STRETCH, inside=name, spacing=9)
        in_row((name, 1), *self._buttons, inside=self._line, spacing=2)
        in_row(self.prompt, (self.field, 1), inside=self._asking, spacing=9)
        name.setMinimumWidth(theme.pixels(90))
        for line in (self._line, self._asking):
            line.setFixedHeight(theme.pixels(32))
        self._asking.hide()
        in_column(self._line, self._asking, inside=self)

    def show_entry(self, key: Key, title: str, amount: str, tone: Tone, *, person: bool) -> None:
        """Show the heading for a person or, if not ``person``, for several people's photographs."""
        if key != self._key:
            self.stop_asking()
        self._key = key
        self.title.set_full_text(title)
        self.chip.setText(amount)
        self.chip.set_tone(tone)
        for button in self._buttons:
            button.setVisible(person)

    def ask(
        self,
        prompt: str,
        people: Sequence[str],
        answered: Callable[[str], None],
        *,
        text: str = "",
        new: bool = True,
    ) -> None:
        """Ask for one of these people or, if ``new``, for any name. Esc cancels.

        If ``text`` is given, it is the old name, which the user edits.
        """
        if self._answered is None:
            self._before = QApplication.focusWidget()
        self._answered = answered
        self.prompt.set_full_text(prompt)
        self.prompt.setVisible(bool(prompt))
        self.field.setAccessibleName(prompt or "Name of the person")
        self.field.setToolTip("Enter: keep the new name · Esc: keep the old one" if text else "")
        self.field.takes_new = new
        self.field.prefers_known = not text
        self.field.set_suggestions(people)
        self._line.hide()
        self._asking.show()
        self.field.ask(text)

    def stop_asking(self) -> None:
        """Close the field and show the heading again."""
        if self._answered is not None:
            self._answered = None  # first, because losing the focus looks like leaving the field
            if self.field.hasFocus() and self._before is not None:
                self._before.setFocus(Qt.FocusReason.OtherFocusReason)
            self._asking.hide()
            self._line.show()

    def _finish(self, name: str) -> None:
        answered = self._answered
        self.stop_asking()
        if answered is not None and name:
            answered(name)


class GroupNaming(QWidget):
    """Field that asks for the name of a group of faces, with the suggested person listed first."""

    named = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.field = PersonField("Name of these faces", with_key("rename", "Name"))
        self.field.named.connect(self._name)
        self.field.textChanged.connect(self._show_button)
        self.button = Button("", primary=True)
        self.button.clicked.connect(lambda: self._name(self.field.name()))
        note = label("To leave out a face that shows somebody else, click it.", "caption")
        in_column(in_row((self.field, 1), self.button), note, inside=self, spacing=6)

    def show_group(self, suggestion: str | None, people: Sequence[str]) -> None:
        """Ask for the name of a group, with a suggestion if there is one. Typed text is kept."""
        self.field.set_suggestions(people, suggestion or "")
        self._show_button()

    def _show_button(self) -> None:
        text, name = self.field.text().strip(), self.field.name()
        self.button.setText(f"It is {name}" if name and not text else "Name them")
        self.button.setEnabled(bool(name))

    def _name(self, name: str) -> None:
        self.field.setText("")  # after clear(), Ctrl+Z would undo that, not the naming
        self.named.emit(name)


class ConsistencyCard(Card):
    """Card with a person's mean face, and a chart of how consistent the photographs are."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("How consistent are these photos?")
        self.mean = FaceView("Mean face", QSize(theme.pixels(96), theme.pixels(117)))
        self.caption = label("", "caption", wrap=True)
        self.caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note = ElidedLabel("each held out", "caption", Qt.TextElideMode.ElideRight)
        self.add_to_heading(self.note)
        self.untrained, self.trained = QWidget(), Shrinkable()
        self.chart = PlotView(Axis("photo"), Axis("distance to other photos"))
        self.chart.setMinimumHeight(theme.pixels(130))
        self.chart.picked.connect(lambda _, bar: self.chosen.emit(self._faces[bar]))
        self._faces: list[FaceId] = []  # of the bars
        ready = label("Getting ready…", "secondary")
        in_row(ready, STRETCH, inside=self.untrained)
        plot = in_column((self.chart, 1), self.caption, spacing=2)
        in_row(in_column(self.mean, STRETCH), (plot, 1), inside=self.trained, spacing=18)
        self.trained.setMinimumSize(1, theme.pixels(190))
        # A plot takes all the room it can get, but in a low window the photographs need it.
        self.trained.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.body.addWidget(self.untrained)
        self.body.addWidget(self.trained)

    def show_person(self, gallery: Gallery, person: str, checks: PhotoChecks) -> None:
        """Show the mean face of a person and a bar chart of distances, if there is a face space."""
        trained, policy = gallery.training is not None, QSizePolicy.Policy
        self.trained.setVisible(trained)
        self.untrained.setVisible(not trained)
        self.note.setVisible(trained)
        self.setSizePolicy(policy.Preferred, policy.Preferred if trained else policy.Fixed)
        if not trained:
            return
        rows, photos = gallery.index.rows_of(person), gallery.index.photos
        some = rows[:: -(-len(rows) // _MOST_IN_MEAN)]
        mean = gallery.trained.features(gallery.faces.pixels[some]).mean(axis=0, dtype=np.float64)
        self.mean.set_image(grey_image(mean.reshape(gallery.faces.shape)))
        self.mean.set_caption("Mean face", f"of {gallery.index.words_of(some)}")
        outliers = standing_out(rows, gallery.index, checks)
        measured = [row for row in rows if photos[row].id in checks.apart]
        distances = {row: checks.apart[photos[row].id][0] for row in measured}
        bars = [*distances]
        if len(bars) > _MOST_BARS:
            bars = sorted(bars, key=lambda row: -distances[row])[:_MOST_BARS]
        self._faces = [photos[row].id for row in bars]
        heights = np.array([distances[row] for row in bars])
        labels = tuple(f"{rows.index(row) + 1}" for row in bars)
        marked = frozenset(at for at, row in enumerate(bars) if row in outliers)
        self.chart.show_marks([Bars({"": heights}, labels, marked)])
        self.chart.setVisible(len(bars) > 1)
        self.note.setVisible(len(bars) > 1)
        self.caption.setText(_caption(len(rows), len(distances), len(outliers)))


def _caption(photos: int, measured: int, outliers: int) -> str:
    if photos < 3:
        return "At least three photos are needed to see whether one stands out."
    if not measured:
        return "Measuring…"
    most = f"The {_MOST_BARS} farthest of {measured:,} photos. " if measured > _MOST_BARS else ""
    names = {0: "No photo stands", 1: "1 photo stands"}
    return f"{most}{names.get(outliers, f'{outliers} photos stand')} out."
