"""What the Evaluate page shows."""

from PySide6.QtWidgets import QComboBox

from eigenfaces.evaluation.records import Evaluation
from gui.pages.evaluate.page import EvaluatePage


def evaluation_of(page: EvaluatePage) -> Evaluation:
    return page.running.current.record.evaluation


def tiles(page: EvaluatePage) -> dict[str, tuple[str, str, str]]:
    return {
        tile.name.text(): (tile.value.text(), tile.interval.text(), tile.note.text())
        for tile in page.results.tiles
    }


def choose(box: QComboBox, choice: int | str) -> None:
    """Choose from a list, as a person does."""
    box.setCurrentIndex(choice if isinstance(choice, int) else box.findText(choice))
    box.activated.emit(box.currentIndex())
