"""The report of a run: asks where, writes it in a job, and offers to open it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from gui.pages.evaluate.baselines import RecipesCard
from gui.pages.evaluate.running import Running
from gui.state.session import Session
from gui.widgets.boxes import in_column
from gui.widgets.cards import Banner
from gui.widgets.saving import ask_path, may_replace

_KINDS = {
    ".html": "Web page, with its JSON and scores (*.html)",
    ".json": "JSON, to be repeated (*.json)",
}


class Export(QWidget):
    """Writes the run shown, and the run compared with it; then shows what was written."""

    def __init__(self, session: Session, running: Running, recipes: RecipesCard) -> None:
        super().__init__()
        self._session, self._running, self._recipes = session, running, recipes
        self.line = Banner(tone="ok")
        self.line.dismissed.connect(self.hide)
        in_column(self.line, inside=self)
        self.hide()

    def menu(self) -> QMenu:
        """Return the menu: the report in one file, or each figure in its own."""
        menu = QMenu("Export", self)
        menu.addAction("Report (HTML or JSON)…").triggered.connect(lambda: self.report())
        figures = menu.addAction("Figures (SVG, PNG and PDF) into a folder…")
        figures.triggered.connect(lambda: self.figures())
        return menu

    def report(self) -> None:
        """Ask where and write the report there."""
        settings = self._session.settings
        shown, compared = self._running.shown, self._running.compared
        if shown is None:
            self._session.say("There is no result to export yet: run an evaluation first.")
            return
        start = settings.last_folder / "evaluation.html"
        asked = "Export the report"
        target = ask_path(self, asked, start, _KINDS, (".pdf",))  # PDF is refused with advice
        if target is None or not self._agreed(target):
            return
        settings.last_folder = target.parent
        other = None if compared is None else compared.other.record
        record = self._recipes.beside(shown.record)

        def work(tick: Tick) -> tuple[Path, ...]:
            from eigenfaces.report import write_report  # imported late: it is slow to load

            return write_report(record, target, tick, other)

        self._write(target, work)

    def _agreed(self, target: Path) -> bool:
        """Return whether what is written beside a report may be replaced."""
        from eigenfaces.report import report_files

        try:
            return may_replace(self, report_files(target)[1:])
        except EigenfacesError as error:
            self._session.say(str(error), "error")
            return False

    def figures(self) -> None:
        """Ask for a folder and write every figure into it."""
        settings, shown = self._session.settings, self._running.shown
        start = str(settings.last_folder)
        chosen = QFileDialog.getExistingDirectory(
            self.parentWidget(), "A folder for the figures", start
        )
        if not chosen or shown is None:
            return
        settings.last_folder = Path(chosen)
        target = new_folder(Path(chosen))

        def work(tick: Tick) -> tuple[Path, ...]:
            from eigenfaces.report import write_figures

            return write_figures(shown.record, target, tick)

        self._write(target, work)

    def _write(self, target: Path, work: Callable[[Tick], tuple[Path, ...]]) -> None:
        session = self._session

        def done(files: tuple[Path, ...]) -> None:
            names = ", ".join(f"“{path.name}”" for path in files[:3])
            more = f" and {len(files) - 3} more" if len(files) > 3 else ""
            words = f"Written to “{files[0].parent.name}”: {names}{more}."
            self.line.show_text(words, "ok", ("Open it", lambda: self._open(target)))
            self.line.show()
            self.show()
            if not self.isVisible():  # another page is shown
                session.say(words, "ok")

        session.jobs.start(
            "export",
            f"Writing {target.name}",
            work,
            done,
            session.tell,
            cancelled=f"“{target.name}” was not written.",
            about=target,
        )

    def _open(self, target: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
            self._session.say(f"No program was found that opens “{target}”. It is there.", "warn")


def new_folder(parent: Path) -> Path:
    """Return a new folder inside another, so that nothing is mixed or replaced."""
    number = 1
    while (folder := parent / f"figures{f' {number}' if number > 1 else ''}").exists():
        number += 1
    return folder
