"""Photographs that an import skipped stay listed on the People page."""

from eigenfaces import Preparation, find_photos
from eigenfaces.faces.read import NO_FACE, SEVERAL_FACES
from eigenfaces.photographs.photos import FoundPhotos, Skipped
from gui.state import actions
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from tests.gui import seen
from tests.picture_files import picture

CUT = Preparation(24, 20, already_cropped=True)


def said(window: MainWindow) -> list[str]:
    """Return what the People page says of them, if it does."""
    names = seen.button_names(window.page)
    return [name for name in names if " wait" in name or "left out" in name]


def test_the_list_opens_from_people_wherever_the_project_is_and_not_from_another(
    qtbot, session, tmp_path, finish
):
    """After an import that left two photographs to be looked at, and a broken file."""
    for number in range(4):
        picture(tmp_path / "faces" / ("Ada", "Grace")[number // 2] / f"{number}.png", number)
    others = (
        Skipped(picture(tmp_path / "a.png", 8), NO_FACE, "Ada", "no face"),
        Skipped(picture(tmp_path / "b.png", 9), SEVERAL_FACES.format(3), "Ada", "several faces"),
        Skipped(tmp_path / "c.png", "The file is empty.", "Ada"),
    )
    window = seen.show(qtbot, MainWindow(session), (1280, 720))
    photos = find_photos(tmp_path / "faces")
    actions.import_photos(session, FoundPhotos(photos.photos, others), CUT)
    finish()
    actions.save_as(session, tmp_path / "mine.eigenfaces")
    finish()
    qtbot.waitUntil(lambda: said(window) == ["1 file left out", "2 photos wait"])
    seen.button(window, "1 file left out").click()
    (files,) = window.findChildren(SkippedList)
    assert [file.path.name for file in files.skipped] == ["c.png"], "the others wait"
    files.close()
    session.new()
    actions.import_photos(session, photos, CUT)
    finish()
    qtbot.waitUntil(lambda: window.page.key == "people")
    assert said(window) == []
