"""The list of files that an import skipped, each with its reason and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.text_table import TextTable
from gui.widgets.words import label


class SkippedList(QDialog):
    """Lists the files that were not used; it never changes the files."""

    again_asked = Signal(object)  # FoundPhotos, to be imported again

    def __init__(self, skipped: Sequence[Skipped], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.skipped = tuple(skipped)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Skipped files")
        self.setAccessibleName("Skipped files")
        headings = ("File", "Reason", "Folder")
        self.table = TextTable("Skipped files", headings, 1, paths=True)
        self.table.set_width(0, 170)
        self.table.set_width(2, 210)
        self.table.show_rows(
            [(file.path.name, file.reason, str(file.path.parent)) for file in self.skipped]
        )
        self.folder = Button("Open folder", "folder")
        self.copy = Button("Copy list", "copy")
        self.again = Button("Try again", "reset")
        self.close_button = Button("Close", primary=True)
        for button in (self.folder, self.copy, self.again):
            button.setAutoDefault(False)
        self._lay_out()
        self.folder.clicked.connect(self._open_folder)
        self.copy.clicked.connect(self._copy)
        self.again.clicked.connect(self._try_again)
        self.close_button.clicked.connect(self.accept)
        self.table.selectionModel().selectionChanged.connect(self._show_reason)
        self.table.doubleClicked.connect(lambda _: self._open_folder())
        self.table.select_row(0)

    def _lay_out(self) -> None:
        self.resize(theme.pixels(100) + 720, 440)
        number = len(self.skipped)
        title = "1 file was skipped" if number == 1 else f"{number:,} files were skipped"
        where = label("They are where they were, and unchanged.", "secondary")
        heading = in_column(label(title, "title"), where, spacing=1)
        card = Card()
        layout = card.layout()
        assert layout is not None
        layout.setContentsMargins(6, 4, 6, 6)
        card.body.addWidget(self.table, 1)
        self.whole_reason = label("", "secondary", wrap=True)
        self.whole_reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole_reason.setAccessibleName("Reason")
        self.whole_reason.setMinimumHeight(2 * self.fontMetrics().height() + 4)
        self.whole_reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        foot = in_row(self.folder, self.copy, STRETCH, self.again, self.close_button, spacing=8)
        parts = (heading, (card, 1), self.whole_reason, foot)
        in_column(*parts, inside=self, spacing=12, margins=(20, 16, 20, 16))

    def _chosen(self) -> list[Skipped]:
        return [self.skipped[row] for row in self.table.selected_rows()]

    def _show_reason(self) -> None:
        """Show the whole reason of the selected file, and what a button is for."""
        chosen = self._chosen()
        self.folder.setEnabled(bool(chosen))
        self.whole_reason.setText(chosen[0].reason if len(chosen) == 1 else "")
        some = 1 < len(chosen) < len(self.skipped)
        self.again.setText(f"Try {len(chosen):,} again" if some else "Try again")

    def _open_folder(self) -> None:
        for folder in dict.fromkeys(file.path.parent for file in self._chosen()[:1]):
            if folder.is_dir():
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
            else:
                self.whole_reason.setText(f"The folder “{folder}” is no longer there.")

    def _copy(self) -> None:
        lines = [f"{file.path}\t{file.reason}" for file in self.skipped]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.copy.setText("Copied")

    def _try_again(self) -> None:
        """Import the selected files again, or all where one or none is selected."""
        chosen = self._chosen()
        files = chosen if len(chosen) > 1 else list(self.skipped)
        photos = tuple(Photo(file.path, file.person, turned=file.turned) for file in files)
        self.accept()
        self.again_asked.emit(FoundPhotos(photos))
