"""The Qt bindings: faults of PySide6, and the guards against them."""

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot


def test_calls_into_qt_do_not_lose_references_to_none(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for _ in range(100):
        widget.update()
    # A few come and go with other objects; the bug loses one in every call.
    assert sys.getrefcount(None) > before - 50


_PROGRAM = """
import sys
import traceback
import gui
from PySide6.QtCore import QAbstractListModel, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QListView, QPushButton, QStyledItemDelegate, QWidget

def hook(kind, error, trace):
    print("hooked:", error, "in", traceback.extract_tb(trace)[-1].name)

sys.excepthook = hook

def fail():
    int(float("nan"))

app = QApplication(["test", "-platform", "offscreen"])
{part}
for _ in range(5):
    app.processEvents()
print("goes on")
"""

_PARTS = {
    "shown": """
class Part(QWidget):
    def showEvent(self, event):
        fail()
part = Part()
QTimer.singleShot(0, part.show)
""",
    "painted": """
class Part(QWidget):
    def paintEvent(self, event):
        fail()
class Heir(Part):
    pass
part = Heir()
QTimer.singleShot(0, part.show)
""",
    "filter": """
class Part(QObject):
    def eventFilter(self, watched, event):
        fail()
part, button = Part(), QPushButton()
button.installEventFilter(part)
QTimer.singleShot(0, button.show)
""",
    "list": """
class Model(QAbstractListModel):
    def rowCount(self, parent=None):
        return 1
    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        fail()
class Delegate(QStyledItemDelegate):
    def sizeHint(self, option, index):
        fail()
model, delegate, part = Model(), Delegate(), QListView()
part.setModel(model)
part.setItemDelegate(delegate)
QTimer.singleShot(0, part.show)
""",
    "slot": """
part = QPushButton()
part.clicked.connect(fail)
QTimer.singleShot(0, part.click)
""",
}


@pytest.mark.parametrize("part", _PARTS)
def test_an_exception_of_c_code_is_reported_and_the_program_goes_on(part: str) -> None:
    program = _PROGRAM.format(part=_PARTS[part])
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONMALLOC": "debug"},  # what is freed too early shows at once
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "cannot convert float NaN to integer in fail" in run.stdout
    assert "goes on" in run.stdout


def test_an_override_takes_as_many_arguments_as_before(qtbot: QtBot) -> None:
    asked = []

    class Asking(QDialog):
        def accept(self) -> None:  # the signal carries whether the button is checked
            asked.append(self)

    dialog, button = Asking(), QPushButton()
    qtbot.addWidget(dialog)
    qtbot.addWidget(button)
    button.clicked.connect(dialog.accept)
    button.click()
    assert asked == [dialog]
