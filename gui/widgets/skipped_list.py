"""Dialog that lists the files that an import skipped, with reasons and possible remedies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from ..style import theme
from .box_layouts import STRETCH, in_column, in_row
from .cards import Card
from .controls import Button
from .labels import label
from .text_table import TextTable


class SkippedList(QDialog):
    """Dialog that lists the files that an import skipped, without changing them."""

    retry_wanted = Signal(object)  # `FoundPhotos` to import again
    face_wanted = Signal(object)  # a `Skipped` photograph, in which the user will mark the face

    def __init__(self, skipped: Sequence[Skipped], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.skipped = tuple(skipped)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Skipped files")
        self.setAccessibleName("Skipped files")
        self.resize(theme.pixels(100) + 720, 440)
        self.table = TextTable("Skipped files", ("File", "Reason", "Folder"), 1, paths=True)
        self.table.set_width(0, 170)
        self.table.set_width(2, 210)
        self.title, self.where = label("", "title"), label("", "secondary")
        self.whole_reason = label("", "secondary", wrap=True)
        self.whole_reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole_reason.setMinimumHeight(2 * self.fontMetrics().height() + 4)
        self.whole_reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.folder, self.copy = Button("Open folder", "folder"), Button("Copy list", "copy")
        self.face = Button("Show where the face is", "people")
        self.face.setToolTip("Open the photo and drag a square around the face")
        self.again, close = Button("Try again", "reset"), Button("Close", primary=True)
        close.setDefault(True)
        for button, slot in (
            (self.folder, self._open_folder),
            (self.copy, self._copy),
            (self.face, self._show_face),
            (self.again, self._try_again),
            (close, self.accept),
        ):
            button.clicked.connect(slot)
        card = Card()
        heading = in_column(self.title, self.where, spacing=1)
        card.set_padding(6, 5)
        card.body.addWidget(self.table, 1)
        foot = in_row(self.folder, self.copy, STRETCH, self.again, close, spacing=8)
        reason = in_row((self.whole_reason, 1), self.face, spacing=12)
        parts = (heading, (card, 1), reason, foot)
        in_column(*parts, inside=self, spacing=12, margins=(20, 16, 20, 16))
        self.table.selectionModel().selectionChanged.connect(self._show_reason)
        self.table.doubleClicked.connect(self._open_folder)
        self._show_files()

    def _show_files(self) -> None:
        number = len(self.skipped)
        one = number == 1
        self.title.setText("1 file was skipped" if one else f"{number:,} files were skipped")
        stay = "It has" if one else "They have"
        self.where.setText(f"{stay} not been moved or changed.")
        lines = [(file.path.name, file.reason, str(file.path.parent)) for file in self.skipped]
        self.table.show_rows(lines)
        self.table.select_row(0)
        self._show_reason()

    def take_out(self, file: Skipped) -> None:
        """Remove a file from the list, because it is no longer skipped."""
        self.skipped = tuple(other for other in self.skipped if other is not file)
        self._show_files()
        if not self.skipped:
            self.accept()

    def _selected_files(self) -> list[Skipped]:
        return [self.skipped[row] for row in self.table.selected_rows()]

    def _show_reason(self) -> None:
        """Show the full reason why the selected file was skipped."""
        chosen = self._selected_files()
        self.folder.setEnabled(bool(chosen))
        one = len(chosen) == 1
        self.whole_reason.setText(chosen[0].reason if one else "")
        self.face.setEnabled(one and chosen[0].can_be_shown_a_face)

    def _open_folder(self) -> None:
        folder = next((file.path.parent for file in self._selected_files()), None)
        if folder is not None and folder.is_dir():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
        elif folder is not None:
            self.whole_reason.setText(f"The folder “{folder}” no longer exists.")

    def _copy(self) -> None:
        lines = [f"{file.path}\t{file.reason}" for file in self.skipped]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.copy.setText("Copied")

    def _show_face(self) -> None:
        for file in self._selected_files()[:1]:
            self.face_wanted.emit(file)

    def _try_again(self) -> None:
        """Close the dialog, and request that the files be imported again."""
        photos = tuple(Photo(file.path, file.person, turned=file.turned) for file in self.skipped)
        self.accept()
        self.retry_wanted.emit(FoundPhotos(photos))
