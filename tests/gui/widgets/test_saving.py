"""Where a file is saved: the suffix of its kind."""

from PySide6.QtWidgets import QFileDialog, QWidget

from gui.widgets.saving import ask_path

KINDS = {".html": "Web page (*.html)", ".json": "JSON (*.json)"}


def test_a_name_gets_the_suffix_of_the_kind(qtbot, tmp_path, monkeypatch):
    parent = QWidget()
    qtbot.addWidget(parent)
    for typed, kind, name in (
        ("run", KINDS[".json"], "run.json"),
        ("run", "", "run.html"),
        ("run 1.2", KINDS[".html"], "run 1.2.html"),
        ("RUN.JSON", KINDS[".html"], "RUN.JSON"),
        ("x" * 300, "", f"{'x' * 300}.html"),  # too long: that is said when it is written
    ):
        reply = str(tmp_path / typed), kind
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, reply=reply: reply)
        assert ask_path(parent, "Save", tmp_path, KINDS) == tmp_path / name
