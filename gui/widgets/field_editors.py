"""Editors of settings, each made from the field that says what there is to choose."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

from eigenfaces.text import NumberOrShare, OneOf, Whole, YesOrNo, capital
from gui.widgets.boxes import in_row
from gui.widgets.controls import Segmented
from gui.widgets.popups import Choice


class ChoiceEditor(Choice):
    """A list of choices; the tool tip of each is what it means."""

    def __init__(self, field: OneOf) -> None:
        super().__init__()
        self.field = field
        for at, (name, meaning) in enumerate(field.choices.items()):
            self.addItem(field.title(name), name)
            self.setItemData(at, meaning, Qt.ItemDataRole.ToolTipRole)
        self.setAccessibleName(field.label)
        self.view().setAccessibleName(field.label)

    def value(self) -> str:
        """Return the name chosen."""
        return str(self.currentData())

    def show_value(self, name: str) -> None:
        """Show a name, without a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex(list(self.field.choices).index(name))
        self.setToolTip(self.field.choices[name])


class SegmentEditor(Segmented):
    """Few choices side by side."""

    def __init__(self, field: OneOf | YesOrNo) -> None:
        titles = [field.titles.get(name, capital(name)) for name in field.choices]
        super().__init__(titles, name=field.label)
        self.field = field

    def value(self) -> str:
        """Return the name chosen."""
        return list(self.field.choices)[self.current]

    def meaning(self) -> str:
        """Return what the choice means."""
        return self.field.choices[self.value()]

    def show_value(self, value: str | bool) -> None:
        """Show a name, or yes or no, without a signal."""
        at = int(value) if isinstance(value, bool) else list(self.field.choices).index(value)
        with QSignalBlocker(self):
            self.set_current(at)


class AmountEditor(QWidget):
    """A number or a share: a choice between both, and a box for each.

    ``kind_changed``: the other one was chosen; ``changed``: a number was.
    """

    kind_changed, changed = Signal(), Signal()

    def __init__(self, field: NumberOrShare) -> None:
        super().__init__()
        self.field = field
        self.kind = Segmented(field.kinds, name=f"{field.label} given as")
        self.number: QSpinBox | QDoubleSpinBox = QSpinBox() if field.least else QDoubleSpinBox()
        self.share = QDoubleSpinBox()
        self.number.setRange(field.least, field.most)
        if isinstance(self.number, QDoubleSpinBox):
            self.number.setDecimals(3)
            self.number.setSingleStep(0.05)
        self.share.setRange(field.least, field.most_share)
        self.share.setDecimals(1 if field.least else 2)
        self.share.setSuffix(" %")
        for box, name in ((self.number, field.labels[0]), (self.share, field.labels[1])):
            name_spin_box(box, name)
            box.valueChanged.connect(lambda _value: self.changed.emit())
        self.kind.changed.connect(self.kind_changed)
        in_row(self.kind, self.share, self.number, inside=self, spacing=8)

    @property
    def is_share(self) -> bool:
        """Whether a share is chosen."""
        return self.kind.current_text == "Share"

    def value(self) -> object:
        """Return the value chosen."""
        return self.field.share(self.share.value()) if self.is_share else self.number.value()

    def show_value(self, value: object) -> None:
        """Show a value, without a signal."""
        per_cent = self.field.per_cent(value)
        with QSignalBlocker(self.kind):
            self.kind.set_current(self.field.kinds.index("Share") ^ (per_cent is None))
        self.begin(value if per_cent is None else None, per_cent)
        self.fit()

    def begin(self, number: object = None, per_cent: float | None = None) -> None:
        """Put a number, or a share, into its box, without a signal."""
        with QSignalBlocker(self):
            if number is not None:
                self.number.setValue(number)  # type: ignore[arg-type]
            if per_cent is not None:
                self.share.setValue(per_cent)

    def fit(self) -> None:
        """Show the box of what is chosen."""
        self.share.setVisible(self.is_share)
        self.number.setVisible(not self.is_share)


def whole_box(field: Whole, value: int | None = None, *, with_unit: bool = False) -> QSpinBox:
    """Return a spin box for a whole number."""
    box = QSpinBox()
    box.setRange(field.least, field.most)
    box.setValue(field.least if value is None else value)
    if with_unit:
        box.setSuffix(f" {field.unit}")
    name_spin_box(box, field.label)
    return box


def name_spin_box(box: QAbstractSpinBox, name: str) -> None:
    """Name a spin box, and the field inside it, for screen readers."""
    box.setAccessibleName(name)
    box.lineEdit().setAccessibleName(name)
    box.setToolTip(name)
    box.setKeyboardTracking(False)  # a number is used once it is typed to its end
