"""What the Evaluate page shows."""

from PySide6.QtWidgets import QComboBox

from eigenfaces.evaluation.records import Evaluation
from gui.pages.evaluate.page import EvaluatePage


def evaluation_of(page: EvaluatePage) -> Evaluation:
    return page.running.current.record.evaluation


def tiles(page: EvaluatePage) -> list[tuple[str, ...]]:
    """Return name, value, interval and note of each tile."""
    return [
        tuple(part.text() for part in (tile.name, tile.value, tile.interval, tile.note))
        for tile in page.results.tiles
    ]


def choose(box: QComboBox, choice: int | str) -> None:
    """Choose from a list, as a person does."""
    box.setCurrentIndex(choice if isinstance(choice, int) else box.findText(choice))
    box.activated.emit(box.currentIndex())
