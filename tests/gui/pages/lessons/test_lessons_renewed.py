"""Settings of a lesson that need work of their own: it is done again, and the picture follows."""

from eigenfaces.lessons.drawing import PlanePanel


def title(page) -> str:
    panel = page.picture.upper.rows[0][1]
    assert isinstance(panel, PlanePanel)
    return panel.title


def choose(page, group: str) -> None:
    page.controls.edited.emit("group", group)


def test_another_group_is_weighted_in_a_job_for_pictures(page, qtbot):
    page.show_lesson("who-is-in-the-data")
    page.studies.show_on("digits")
    qtbot.waitUntil(lambda: page.studies.now.is_ready, timeout=60_000)
    assert title(page) == "Without “0”"  # there is no C among the digits
    ready = page.studies.now.ready
    choose(page, "7")
    qtbot.waitUntil(lambda: title(page) == "Without “7”", timeout=60_000)
    assert page.studies.now.ready.whole is ready.whole  # not prepared again


def test_stopped_it_leaves_what_was_ready(page, qtbot):
    page.show_lesson("who-is-in-the-data")
    page.studies.show_on("digits")
    qtbot.waitUntil(lambda: page.studies.now.is_ready, timeout=60_000)
    ready = page.studies.now.ready
    page.studies.now.set("group", "7")
    page.studies.renew()
    assert not page.studies.now.is_ready
    with qtbot.waitSignal(page.studies.changed):
        page.session.jobs.cancel("lesson")
    assert page.studies.now.is_ready
    assert page.studies.now.ready is ready
    assert title(page) == "Without “0”"
