"""Above a result: why a run was refused, and what to know about a finished run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.text import count, some_of
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card
from gui.widgets.controls import Button
from gui.widgets.words import label

_LEAKS_SHOWN, _LEAKS_ABOVE = 8, 3  # of a refused run, and above a result


class RefusalCard(Card):
    """Shows why a run was refused; a run that leaks can be started all the same."""

    anyway = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__("This cannot be evaluated")
        self.set_tone("bad")
        self.words = label("", wrap=True)
        self.names = label("", "secondary", wrap=True)
        self.run = Button("Run anyway")
        self.close_it = Button("Close")
        self.run.clicked.connect(self.anyway)
        self.close_it.clicked.connect(self.dismissed)
        buttons = in_row(self.run, self.close_it, STRETCH, spacing=8)
        add_parts(self.body, self.words, self.names, buttons)

    def show_error(self, error: EigenfacesError | None) -> None:
        """Show why a run was refused; None hides the card."""
        self.setVisible(error is not None)
        if error is None:
            return
        leaks = error.leaks if isinstance(error, LeakError) else ()
        self.run.setVisible(bool(leaks))
        self.names.setVisible(bool(leaks))
        self.set_tone("warn" if leaks else "bad")
        if not leaks:
            self.set_title("This cannot be evaluated")
            self.words.setText(str(error))
            return
        self.set_title("This split leaks")
        self.words.setText(
            "What is searched for is known already, so the figures would be too good. Exclude such "
            "photos on People, or run it anyway: the result will say so."
        )
        shown = [leak.sentence for leak in leaks[:_LEAKS_SHOWN]]
        more = len(leaks) - len(shown)
        self.names.setText("\n".join([*shown, *([f"And {more:,} more."] if more > 0 else [])]))


class Notices(QWidget):
    """Amber lines above a result: its leaks, and what has changed since."""

    def __init__(self) -> None:
        super().__init__()
        self._column = in_column(inside=self, spacing=6)
        self.lines: list[Banner] = []

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these and no others."""
        while len(self.lines) < len(texts):
            banner = Banner(dismissible=False)
            self.lines.append(banner)
            self._column.addWidget(banner)
        for at, banner in enumerate(self.lines):
            banner.setVisible(at < len(texts))
            if at < len(texts):
                banner.show_text(texts[at], "warn")
        self.setVisible(bool(texts))

    def texts(self) -> list[str]:
        """Return the texts shown."""
        return [banner.text.text() for banner in self.lines if not banner.isHidden()]


def notices(evaluation: Evaluation) -> list[str]:
    """Return the texts to show in amber above a result."""
    texts = []
    if evaluation.leaks:
        shown = " ".join(leak.sentence for leak in evaluation.leaks[:_LEAKS_ABOVE])
        more = len(evaluation.leaks) - _LEAKS_ABOVE
        texts.append(
            f"This split leaks, and was allowed to: the figures are too good. {shown}"
            + (f" And {more:,} more." if more > 0 else "")
        )
    if evaluation.left_out:
        who = some_of(evaluation.left_out)
        number = len(evaluation.left_out)
        have = "has" if number == 1 else "have"
        texts.append(f"{count(number, 'person')} {have} too few photos to be searched for: {who}.")
    return texts
