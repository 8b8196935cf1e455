"""Which photographs of the sheet are shown: filters of an import, groups of what waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal

from eigenfaces.importing.entries import Entry
from gui.widgets.controls import Segmented
from gui.widgets.text_table import TextTable

ALL, GUESSES, ATTENTION, LEFT_OUT, SEVERAL, NO_FACE, OTHERS, DECIDED, NO_MORE = range(9)

EMPTY = {
    ALL: "",
    GUESSES: "Nothing is a guess any more.",
    ATTENTION: "Nothing needs your attention.",
    LEFT_OUT: "Nothing is left out.",
    SEVERAL: "No photo needs the choice of a face any more.",
    NO_FACE: "No photo is without a face any more.",
    OTHERS: "Nothing else needs your attention.",
    DECIDED: "Nothing is decided yet.",
    NO_MORE: "Nothing is left out.",
}
_GROUPS = {
    ALL: ("All", "What waits is kept with the project, until you choose or leave it out."),
    GUESSES: ("Guesses", "Look, and confirm all that are ticked. Space unticks one."),
    SEVERAL: ("Several faces", "It is not sure who is meant: choose one, by click or by 1–9."),
    NO_FACE: ("No face found", "Mark the face by a box or its eyes, or leave the photo out."),
    OTHERS: ("Needs attention", "Use it all the same, put the file back, or leave it out."),
    DECIDED: ("Decided", "Your choices: they are taken when you press the blue button."),
    NO_MORE: ("Left out", "These no longer wait, and are not in the gallery."),
}


def _waits(entry: Entry) -> bool:
    return entry.state == "choice" or entry.to_compare


def _is_faceless(entry: Entry) -> bool:
    return entry.state == "choice" and entry.reading is not None and not entry.reading.faces


def _is_left_out(entry: Entry) -> bool:
    return entry.state == "left out" and (entry.by_hand or entry.first is not None)


PASSES: Mapping[int, Callable[[Entry], bool]] = {
    ALL: lambda _: True,
    GUESSES: lambda entry: entry.guessed,
    ATTENTION: lambda entry: entry.needs_attention and not entry.guessed,
    LEFT_OUT: lambda entry: entry.state == "left out",
    SEVERAL: lambda entry: _waits(entry) and not _is_faceless(entry),
    NO_FACE: _is_faceless,
    OTHERS: lambda entry: (
        not any(
            (
                entry.guessed,
                _waits(entry),
                entry.decided,
                _is_left_out(entry),
                entry.reading is None,
            )
        )
    ),
    DECIDED: lambda entry: entry.decided,
    NO_MORE: _is_left_out,
}


class Filter(Segmented):
    """A choice of filter for an import, with the number of photographs under each."""

    kinds = (ALL, GUESSES, ATTENTION, LEFT_OUT)
    _WORDS = ("All", "Guesses", "Needs attention", "Left out")

    def __init__(self) -> None:
        super().__init__(self._WORDS, name="Show")
        self._buttons[GUESSES].hide()

    def show_counts(self, counts: Mapping[int, int]) -> None:
        """Show how many photographs there are under each filter."""
        for kind, button, words in zip(self.kinds, self._buttons, self._WORDS, strict=True):
            # Beside the guesses there is no room for all the words.
            short = words.removeprefix("Needs ").capitalize() if counts[GUESSES] else words
            button.setText(f"{short} {counts[kind]:,}")
            button.setAccessibleName(f"Show: {words}, {counts[kind]:,}")
        self.set_option_enabled(GUESSES, counts[GUESSES] > 0)  # nor reached by the arrow keys
        self._buttons[GUESSES].setVisible(counts[GUESSES] > 0)


class Groups(TextTable):
    """The groups of photographs that wait, with the number in each; one is chosen."""

    changed = Signal()
    kinds = tuple(_GROUPS)

    def __init__(self) -> None:
        super().__init__("Groups", ("Waiting", ""), 0, frozenset({1}))
        self.current = ALL
        self._shown: Sequence[int] = ()
        self._quiet = False
        self.set_width(1, 56)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.selectionModel().selectionChanged.connect(self._choose)

    @property
    def advice(self) -> str:
        """What to do with the photographs of the group shown."""
        return _GROUPS[self.current][1]

    def set_current(self, kind: int) -> None:
        """Choose a group."""
        if kind != self.current:
            self.current = kind
            self._select_current()
            self.changed.emit()

    def show_counts(self, counts: Mapping[int, int]) -> None:
        """Show the groups that are not empty, and the one that is chosen."""
        shown = [each for each in self.kinds if counts[each] or each in (ALL, self.current)]
        self._shown, self._quiet = shown, True
        self.show_rows([(_GROUPS[each][0], f"{counts[each]:,}") for each in shown])
        self._select_current()

    def _select_current(self) -> None:
        self._quiet = True
        if self.current in self._shown:
            self.select_row(self._shown.index(self.current))
        self._quiet = False

    def _choose(self) -> None:
        rows = [] if self._quiet else self.selected_rows()
        if rows and self._shown[rows[0]] != self.current:
            self.current = self._shown[rows[0]]
            self.changed.emit()
