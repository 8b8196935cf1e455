"""What stands in place of the verdict on Recognise: one thing at a time, and the way back."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.page import RecognisePage
from gui.state.session import Session
from tests.gui import seen


@pytest.fixture
def page(qtbot: QtBot, trained_session: Session) -> RecognisePage:
    made = seen.show(qtbot, RecognisePage(trained_session), (1279, 861))
    image = trained_session.gallery.faces.image(9)
    photo = FacePhoto(Path("photos") / "probe.png", None, "probe", image.shape)
    trained_session.put_probes([Probe(photo, image)])
    seen.settle(qtbot, trained_session)
    return made


def test_the_bench_is_where_the_verdict_was(page: RecognisePage) -> None:
    size = page.side.size()
    page.side.break_it()
    bench = page.side.bench
    assert bench is not None
    assert bench.isVisible()
    assert not page.verdict.isVisible()
    assert bench.width() >= size.width()  # the list of probes makes room
    assert bench.geometry() == page.side.rect()


def test_nothing_opens_over_the_bench(page: RecognisePage) -> None:
    page.side.break_it()
    page.side.explain()
    page.side.map_scene()
    assert page.side.instead is page.side.bench


@pytest.mark.parametrize("first", ["explain", "map_scene"])
def test_from_the_bench_the_way_leads_to_the_verdict(page: RecognisePage, first: str) -> None:
    getattr(page.side, first)()
    before = page.side.instead
    page.side.break_it()
    assert before is not None
    assert not before.isVisible()
    assert page.side.close_instead()
    assert page.verdict.isVisible()
    assert page.probes.isVisible()
    assert not page.side.close_instead()
