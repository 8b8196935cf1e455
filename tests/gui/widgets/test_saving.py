"""Where a file is saved: the suffix of its kind, and nothing replaced that nobody agreed to."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.widgets.saving import ask_path

KINDS = {".html": "Web page (*.html)", ".json": "JSON (*.json)"}


@pytest.fixture
def answers(monkeypatch) -> list[tuple[str, str]]:
    """What a person types and which kind is chosen, one after the other."""
    replies: list[tuple[str, str]] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: replies.pop(0))
    return replies


def test_a_name_gets_the_suffix_of_the_kind(qtbot, answers, tmp_path):
    parent = QWidget()
    qtbot.addWidget(parent)
    for typed, kind, name in (
        ("run", KINDS[".json"], "run.json"),
        ("run", "", "run.html"),
        ("run 1.2", KINDS[".html"], "run 1.2.html"),
        ("RUN.JSON", KINDS[".html"], "RUN.JSON"),
        ("x" * 300, "", f"{'x' * 300}.html"),  # too long: that is said when it is written
    ):
        answers.append((str(tmp_path / typed), kind))
        assert ask_path(parent, "Save", tmp_path, KINDS) == tmp_path / name


def test_what_nobody_agreed_to_replace_is_asked_about(qtbot, answers, tmp_path, monkeypatch):
    """The dialog asked about “old”, which is not there; “old.csv” is, so it asks about that."""
    parent = QWidget()
    qtbot.addWidget(parent)
    (tmp_path / "old.csv").write_text("somebody's work")
    proposed: list[str] = []

    def ask(_parent, _title, start, _kinds):
        proposed.append(Path(start).name)
        return answers.pop(0)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    answers[:] = [(str(tmp_path / "old"), ""), ("", "")]
    start, kinds = Path("scores.csv"), {".csv": "Tables (*.csv)"}
    assert ask_path(parent, "Save", start, kinds) is None
    answers[:] = [(str(tmp_path / "old"), ""), (str(tmp_path / "old.csv"), "")]
    assert ask_path(parent, "Save", start, kinds) == tmp_path / "old.csv"
    assert proposed == ["scores.csv", "old.csv"] * 2
