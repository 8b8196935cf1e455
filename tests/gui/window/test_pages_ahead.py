"""Pages are imported and made before anybody asks for them, a little at a time."""

import sys
from threading import Event

import pytest

from gui.state.jobs import ADD_PROBES, RECOGNISE
from gui.window.main_window import MainWindow
from gui.window.navigation import PLACES
from gui.window.pages_ahead import PagesAhead


def test_each_step_imports_one_module_or_makes_one_page(qapp, monkeypatch):
    from gui.window import pages_ahead

    steps = []
    monkeypatch.setattr(pages_ahead, "import_module", lambda name: steps.append(name))
    modules = {"people": ["people.parts", "people.page"], "map": ["map.page"]}
    monkeypatch.setattr(pages_ahead, "_modules_of", lambda key: iter(modules[key]))
    made = (lambda key: steps.append(f"{key} made"), lambda key: steps.append(f"{key} placed"))
    ahead = PagesAhead(made, qapp)
    ahead.want("people", "map")
    ahead.want("map", "people")  # wanted already
    for number in range(1, 8):
        ahead._step()
        assert len(steps) == number
    assert steps[:4] == ["people.parts", "people.page", "people made", "people placed"]
    assert steps[4:] == ["map.page", "map made", "map placed"]
    assert not ahead._timer.isActive()
    ahead.deleteLater()


@pytest.mark.parametrize("kind", [ADD_PROBES, RECOGNISE])
def test_nothing_is_made_while_photos_are_recognised(qtbot, session, kind):
    window = MainWindow(session)
    qtbot.addWidget(window)
    go_on = Event()
    session.jobs.start(kind, "Reading", lambda _: go_on.wait(30), lambda _: None)
    window._ahead.want("help")
    for _ in range(50):
        window._ahead._step()
    assert "help" not in window._pages
    go_on.set()
    qtbot.waitUntil(lambda: "help" in window._pages)


def test_all_that_a_page_imports_is_imported_before_it_is_made(qtbot, qapp):
    made = []
    ahead = PagesAhead([made.append], qapp)
    ahead.want("settings")
    qtbot.waitUntil(lambda: made == ["settings"])
    assert {"gui.pages.settings.page", "gui.pages.settings.recipe"} <= set(sys.modules)
    ahead.deleteLater()


def test_all_pages_are_made_once_there_are_faces(qtbot, session, small_gallery, monkeypatch):
    wanted = []
    monkeypatch.setattr(PagesAhead, "want", lambda _, *keys: wanted.extend(keys))
    window = MainWindow(session)
    qtbot.addWidget(window)
    window.make_pages_ahead()
    session.gallery_changed.emit()
    assert wanted == ["people"], "it opens at once with the first photos"
    session.apply("add faces", lambda _: small_gallery)
    assert wanted[1:] == [place.key for place in PLACES]
    session.gallery_changed.emit()
    assert len(wanted) == 1 + len(PLACES)
