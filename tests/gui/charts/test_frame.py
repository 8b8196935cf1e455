"""Navigation, top bar, foot and welcome page."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QProgressBar, QPushButton

from eigenfaces import Project
from gui.pages.welcome import WelcomePage
from gui.state.jobs import TRAIN
from gui.widgets.status_bar import StatusBar, _left
from gui.window.navigation import NARROW, PLACES, Navigation
from gui.window.top_bar import TopBar


def words(widget) -> list[str]:
    return [part.text() for part in widget.findChildren(QLabel) if not part.isHidden()]


def button(widget, name: str) -> QPushButton:
    return next(b for b in widget.findChildren(QPushButton) if b.accessibleName() == name)


def test_navigation_goes_where_it_is_pressed(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    with qtbot.waitSignal(navigation.changed):
        qtbot.mouseClick(button(navigation, "Reconstruct"), Qt.MouseButton.LeftButton)
    assert navigation.current == "reconstruct"
    assert button(navigation, "Reconstruct").isChecked()


def test_pages_that_need_faces_are_closed_without_them(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    navigation.set_faces(False)
    closed = {p.title for p in PLACES if not button(navigation, p.title).isEnabled()}
    assert closed == {"Eigenfaces", "Reconstruct", "Recognise", "Evaluate"}


def test_narrow_navigation_keeps_its_names_for_those_who_hover_or_listen(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    navigation.set_narrow(True)
    assert navigation.width() == NARROW
    people = button(navigation, "People")
    assert people.text() == ""
    assert people.toolTip() == "People"


@pytest.fixture
def top_bar(qtbot, session):
    made = TopBar(session, QMenu(), QMenu())
    qtbot.addWidget(made)
    made.resize(1092, made.sizeHint().height())
    made.show()
    return made


def test_the_top_bar_counts_and_says_how_training_stands(top_bar, trained_session):
    assert "6 people · 24 photos" in words(top_bar)
    assert "Up to date" in words(top_bar)
    assert trained_session.name == button(top_bar, "Project menu").text()
    keys = [photo.key for photo in trained_session.gallery.faces.photos[:3]]
    trained_session.apply("exclude", lambda g: g.exclude(keys))
    assert "Out of date, 3 changes" in words(top_bar)
    assert button(top_bar, "Train").property("role") == "primary"


def test_one_person_is_one_person(top_bar, trained_session):
    keys = [photo.key for photo in trained_session.gallery.faces.photos[1:]]
    trained_session.apply("remove", lambda g: g.remove(keys))
    assert "1 person · 1 photo" in words(top_bar)


def test_a_long_name_is_cut_and_the_counts_give_way(
    top_bar, trained_session, small_gallery, tmp_path
):
    name = "long" * 45
    trained_session.switch(Project.create(tmp_path / f"{name}.eigenfaces", small_gallery))
    assert "6 people · 24 photos" in words(top_bar)
    top_bar.setMinimumSize(1, 1)  # in the window it is that, not the bar, which sets the width
    top_bar.resize(430, top_bar.height())
    assert "6 people · 24 photos" not in words(top_bar)
    assert "…" in button(top_bar, "Project menu").text()
    assert button(top_bar, "Project menu").toolTip() == name


def test_an_empty_project_offers_nothing_to_train_or_search(top_bar):
    assert "Empty project" in words(top_bar)
    assert not button(top_bar, "Train").isVisible()
    assert not top_bar.search.isVisible()


def test_searching_a_person_goes_there(qtbot, top_bar, trained_session):
    trained_session.show_page("eigenfaces")
    qtbot.keyClicks(top_bar.search, "kathe")
    qtbot.keyClick(top_bar.search, Qt.Key.Key_Return)
    assert trained_session.person == "Katherine"
    assert trained_session.page == "people"


def test_searching_what_is_not_there_says_so(qtbot, top_bar, trained_session):
    qtbot.keyClicks(top_bar.search, "nobody at all")
    qtbot.keyClick(top_bar.search, Qt.Key.Key_Return)
    assert "nobody at all" in trained_session.message.text


def test_the_foot_shows_progress_and_cancels(qtbot, session):
    foot = StatusBar(session)
    qtbot.addWidget(foot)
    foot.show()
    bar = foot.findChild(QProgressBar)
    assert not bar.isVisible()
    told: list[str] = []

    def work(tick):
        while True:
            tick(3, 10)

    stopped = lambda: told.append("stop")  # noqa: E731
    session.jobs.start(TRAIN, "Reading 10 photos", work, told.append, cancelled=stopped)
    qtbot.waitUntil(bar.isVisible)
    qtbot.waitUntil(lambda: "Reading 10 photos: 3 of 10" in words(foot))
    qtbot.mouseClick(button(foot, "Cancel: Reading 10 photos"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: told == ["stop"])
    assert not bar.isVisible()
    assert "Ready" in words(foot)


def test_the_foot_tells_what_the_face_space_is(qtbot, session, trained_session):
    foot = StatusBar(session)
    qtbot.addWidget(foot)
    assert "k = 10 of 23 · 20 × 24 px · L2 distance" in words(foot)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.4, "almost done"), (12.3, "about 12 s left"), (130, "about 2 min left")],
)
def test_time_left_in_words(seconds, text):
    assert _left(seconds) == text


def test_the_welcome_page_lists_recent_projects(qtbot, session, small_gallery, tmp_path):
    Project.create(tmp_path / "class 7b.eigenfaces", small_gallery).close()
    session.settings.add_recent(tmp_path / "class 7b.eigenfaces")
    page = WelcomePage(session)
    qtbot.addWidget(page)
    page.show()
    qtbot.mouseClick(button(page, "class 7b"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.name == "class 7b", timeout=5000)


def test_the_welcome_page_opens_the_sample(qtbot, session):
    page = WelcomePage(session)
    qtbot.addWidget(page)
    page.show()
    qtbot.mouseClick(button(page, "Try the sample gallery"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(session.gallery.people) == 40, timeout=20_000)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_the_button_that_has_the_focus(qtbot, session, key):
    page = WelcomePage(session)
    qtbot.addWidget(page)
    page.show()
    asked = []
    page.photos_wanted.connect(lambda: asked.append("folder"))
    qtbot.keyClick(button(page, "Try the sample gallery"), key)
    qtbot.waitUntil(lambda: len(session.gallery.people) == 40, timeout=20_000)
    assert asked == []
    qtbot.keyClick(button(page, "Open folder…"), key)
    assert asked == ["folder"]


def test_what_is_dropped_on_the_welcome_page_is_handed_on(qtbot, session, tmp_path):
    page = WelcomePage(session)
    qtbot.addWidget(page)
    with qtbot.waitSignal(page.photos_wanted):
        assert page.take_paths([tmp_path])
    assert page.wanted == [tmp_path]
