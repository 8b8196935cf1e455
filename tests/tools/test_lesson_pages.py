"""The pages of lessons: small enough to send, self-contained, and driven by their sliders."""

import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import lesson_pages
import pytest
from PIL import Image

from eigenfaces.lessons.catalogue import lesson as lesson_named
from eigenfaces.lessons.drawing import LessonPicture

BROWSER = """\
import json, sys
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

application = QApplication([])
view = QWebEngineView()
view.resize(1280, 720)
view.show()
page = view.page()

def told(answer):
    print(answer)
    application.exit()

page.loadFinished.connect(lambda _: page.runJavaScript(sys.argv[2], told))
QTimer.singleShot(60_000, lambda: application.exit(1))
page.load(QUrl.fromLocalFile(sys.argv[1]))
sys.exit(application.exec())
"""

USE = """\
const seen = () => ({
  frames: [...document.querySelectorAll("figure img")].map((frame, at) => frame.hidden ? -1 : at)
    .filter(at => at >= 0),
  beside: document.querySelector("output").textContent,
  note: document.getElementById("set").textContent,
});
const slider = document.querySelector("input[type=range]");
const end = slider.getBoundingClientRect().bottom;
const told = [[innerHeight, end], seen()];
slider.value = 0;
slider.dispatchEvent(new Event("input"));
told.push(seen());
for (const step of document.querySelectorAll("ol button")) {
  step.click();
  told.push(seen());
}
document.querySelectorAll(".question button")[1].click();
told.push(document.querySelector(".question [role=status]").textContent);
JSON.stringify(told);
"""


@pytest.mark.parametrize("name", ["who-is-in-the-data"])
def test_a_page_is_whole_and_small(name: str) -> None:
    html = lesson_pages.page(name)
    assert len(html.encode()) <= lesson_pages.LARGEST

    frames = re.findall(r'<img ([^>]*)src="data:image/webp;base64,([^"]+)">', html)
    assert len(frames) == html.count("<img ")
    assert 20 <= len(frames) <= 40
    assert len({content for _, content in frames}) == len(frames), "no two are the same"
    assert [look.startswith("hidden") for look, _ in frames].count(False) == 1

    assert not re.findall(r"""https?:|(?:src|href)=["']//""", html)
    words = unescape(re.sub(r"<script>.*?</script>|<style>.*?</style>", "", html, flags=re.S))
    lesson = lesson_named(name)
    assert "{" not in words.split("<pre")[0]
    for step in lesson.steps:
        assert step.words.split("{")[0] in words
    assert lesson.question is not None
    for answer in lesson.question.answers:
        assert f">{answer}</button>" in words
    assert ("AT&T Laboratories Cambridge" in words) == (name == "cannot-stand")


def test_a_notebook_and_every_other_lesson_are_linked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lesson_pages, "page", lambda name: f"page of {name}")
    monkeypatch.setattr(lesson_pages, "notebook", lambda lesson: f"notebook of {lesson.name}")
    lesson_pages.write_pages(tmp_path / "pages", jobs=1)
    names = {path.name for path in (tmp_path / "pages").iterdir()}
    monkeypatch.undo()
    monkeypatch.setattr(lesson_pages, "lesson_images", small_images)
    links = set(re.findall(r'href="([^"./]+\.\w+)"', lesson_pages.page("table")))
    assert "table.ipynb" in links
    assert len(links) == len(lesson_pages.LESSONS)
    assert links <= names


@pytest.mark.parametrize("name", ["rotation", "table", "copies"])
def test_a_slider_of_few_places_gets_a_second(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_pages, "lesson_images", small_images)
    html = lesson_pages.page(name)
    texts = [places.split("|") for places in re.findall(r'data-texts="([^"]+)"', html)]
    assert len(texts) == 2
    assert 20 <= len(texts[0]) * len(texts[1]) <= html.count("<img ") <= 40


def test_sliders_steps_and_question_in_a_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("PySide6.QtWebEngineWidgets", exc_type=ImportError)
    monkeypatch.setattr(lesson_pages, "lesson_images", small_images)
    (tmp_path / "variance.html").write_text(lesson_pages.page("variance"), "utf-8")
    flags = {"QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox --disable-gpu"}
    done = subprocess.run(
        [sys.executable, "-c", BROWSER, tmp_path / "variance.html", USE],
        env=os.environ | flags | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    (height, end), first, lowest, best, away, longer, off, reply = json.loads(done.stdout)
    assert 0 < end < height == 720, "the slider is seen without scrolling"
    assert first["beside"] == best["beside"] == "39°"
    assert first["frames"] == best["frames"] != lowest["frames"] == [0]
    assert (lowest["beside"], away["beside"]) == ("0°", "84°")
    assert longer["note"].startswith("w has length 1: no.")
    assert off["frames"] == [longer["frames"][0] + 1], "each has a picture of its own"
    assert off["frames"][0] > away["frames"][0]
    assert reply == "No: the answer is “where the points spread most”."


def small_images(pictures: list[LessonPicture], _width: int) -> list[Image.Image]:
    """Replace the pictures with small ones, for tests of the texts and the sliders."""
    return [Image.new("RGB", (16, 9)) for _ in pictures]
