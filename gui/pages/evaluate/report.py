"""The report of a run: asks where, and lets a job write it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from eigenfaces.errors import Tick
from eigenfaces.evaluation.records import Record
from gui.session import Session

_KINDS = {
    ".html": "Web page, with its JSON and scores (*.html)",
    ".pdf": "PDF (*.pdf)",
    ".json": "JSON, to be repeated (*.json)",
}


def export_menu(session: Session, parent: QWidget, record: Record) -> QMenu:
    """Offer the report in one file, and the figures each in its own."""
    menu = QMenu("Export", parent)
    report = menu.addAction("Report (HTML, PDF or JSON)…")
    report.triggered.connect(partial(export_report, session, parent, record))
    figures = menu.addAction("Figures (SVG, PNG and PDF) into a folder…")
    figures.triggered.connect(partial(export_figures, session, parent, record))
    return menu


def export_report(session: Session, parent: QWidget, record: Record, *_: object) -> None:
    """Ask for a place and write the report there."""
    start = session.settings.last_folder / "evaluation.html"
    chosen, kind = QFileDialog.getSaveFileName(
        parent, "Export the report", str(start), ";;".join(_KINDS.values())
    )
    if not chosen:
        return
    target = Path(chosen)
    if target.suffix.lower() not in _KINDS:
        suffix = next((end for end, words in _KINDS.items() if words == kind), ".html")
        target = target.with_name(target.name + suffix)
    session.settings.last_folder = target.parent
    write(session, record, target)


def export_figures(session: Session, parent: QWidget, record: Record, *_: object) -> None:
    """Ask for a folder and write every figure into it."""
    start = str(session.settings.last_folder)
    chosen = QFileDialog.getExistingDirectory(parent, "A folder for the figures", start)
    if chosen:
        session.settings.last_folder = Path(chosen)
        write(session, record, free_folder(Path(chosen)), figures=True)


def free_folder(parent: Path) -> Path:
    """Return a folder inside another that is not there yet: nothing is mixed or replaced."""
    number = 1
    while (folder := parent / f"figures{f' {number}' if number > 1 else ''}").exists():
        number += 1
    return folder


def write(session: Session, record: Record, target: Path, *, figures: bool = False) -> None:
    """Write the report to a file, or the figures to a folder, in a job."""

    def work(tick: Tick) -> tuple[Path, ...]:
        from eigenfaces.report import write_figures, write_report  # they load the plot library

        return write_figures(record, target, tick) if figures else write_report(record, target)

    def done(files: tuple[Path, ...]) -> None:
        names = ", ".join(f"“{path.name}”" for path in files[:3])
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        session.say(f"Written to “{files[0].parent.name}”: {names}{more}.", "ok")

    session.jobs.start(
        f"report {target}",
        f"Writing {target.name}",
        work,
        done,
        failed=lambda error: session.say(str(error), "error"),
        cancelled=lambda: session.say(f"“{target.name}” was not written."),
        binding=True,
    )
