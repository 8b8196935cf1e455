"""What the verdict's card says about the whole gallery: how reliable its names are."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import Gallery
from eigenfaces.evaluation.gallery_accuracy import gallery_accuracy
from eigenfaces.faces.crops import Crops
from gui.pages.recognise.page import RecognisePage
from gui.state.jobs import MEASURE_WORTH, TRAIN
from gui.state.session import Probe
from tests.gui import seen


@pytest.fixture
def page(qtbot, trained_session):
    made = RecognisePage(trained_session)
    qtbot.addWidget(made)
    made.resize(1100, 850)
    made.show()
    return made


@pytest.fixture
def settled(qtbot, trained_session, page):
    """Wait until no job runs and the page has shown what there is."""

    return lambda: seen.settle(qtbot, trained_session)


def probe_of(gallery: Gallery, row: int) -> Probe:
    """Make a photograph like one of the gallery, but not the same."""
    noise = np.random.default_rng(row).normal(0, 0.02, gallery.faces.shape)
    photo = replace(gallery.index.photos[row], key=f"probe {row}", person=None)
    return Probe(photo, np.clip(gallery.faces.image(row) + noise, 0, 1).astype(np.float32))


def test_the_card_says_how_far_this_gallery_can_be_believed(page, trained_session, settled):
    gallery = trained_session.gallery
    own = Probe(gallery.index.photos[3], gallery.faces.image(3))
    probe = probe_of(gallery, 9)
    trained_session.put_probes([probe, own])
    settled()
    worth, found = gallery_accuracy(gallery), page.findings.of(probe.photo.key)
    assert page.verdict.worth.text() == (
        f"{worth.sentence()} {worth.distance_sentence(found.verdict.closest.distance)}"
    )
    assert page.verdict.property("tone") == "neutral"  # no assurance, for a cat least of all
    page.probes.chosen.emit(own.photo.key)
    settled()
    assert page.verdict.worth.text() == worth.sentence()
    fewer = [photo.key for photo in gallery.index.photos[:6]]
    trained_session.apply("removing", lambda now: now.remove(fewer))
    settled()
    assert page.verdict.worth.text().startswith(
        gallery_accuracy(trained_session.gallery).sentence()
    )


def test_a_gallery_no_better_than_guessing_is_named_as_such(page, trained_session, settled):
    rng = np.random.default_rng(3)
    gallery = trained_session.gallery
    crops = Crops(rng.integers(0, 256, gallery.faces.pixels.shape, np.uint8))
    faces = replace(gallery.faces, pixels=crops)
    noise = replace(gallery, faces=faces, training=None).train()
    trained_session.apply("noise", lambda _now: noise)
    trained_session.put_probes([probe_of(noise, 9)])
    settled()
    assert "no better than guessing" in page.verdict.worth.text()
    assert page.verdict.worth.property("tone") == "warn"


def test_measuring_the_gallery_can_be_stopped(page, trained_session, settled):
    gallery = trained_session.gallery
    trained_session.jobs.start(TRAIN, "Something else", lambda _tick: None, lambda _: None)
    trained_session.put_probes([probe_of(gallery, 9)])
    page._refresh_shown()
    assert "is being measured" in page.verdict.worth.text()
    trained_session.jobs.cancel(MEASURE_WORTH)
    settled()
    assert "was stopped. Evaluate measures it." in page.verdict.worth.text()
