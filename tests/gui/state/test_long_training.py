"""What can be done during a long training, and when the training is cancelled."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from eigenfaces import Gallery, Project
from gui.state import actions


@pytest.fixture
def long_training(monkeypatch) -> Iterator[threading.Event]:
    """Let every training go on until the event is set, or until it is cancelled."""
    go_on, train = threading.Event(), Gallery.train

    def slow(gallery, tick, **how):
        while not go_on.wait(0.002):
            tick(1, 4)
        return train(gallery, tick, **how)

    monkeypatch.setattr(Gallery, "train", slow)
    yield go_on
    go_on.set()


def test_a_probe_is_answered_during_a_long_training(
    qtbot, trained_session, tmp_path, finish, long_training
):
    Image.fromarray(np.zeros((24, 20), np.uint8)).save(tmp_path / "probe.png")
    before = trained_session.gallery.trained
    trained_session.apply("exclude", lambda g: g.exclude([g.faces.index.photos[0].key]))
    actions.train(trained_session)
    actions.add_probes(trained_session, [tmp_path / "probe.png"])
    qtbot.waitUntil(lambda: len(trained_session.probes) == 1)
    assert trained_session.jobs.is_busy("train")
    assert trained_session.message is None, "nothing comes first"
    assert trained_session.gallery.trained is before
    long_training.set()
    finish()
    assert trained_session.gallery.changes == 0
    assert len(trained_session.probes) == 1


def test_a_project_opens_during_a_long_training_which_is_then_given_up(
    qtbot, trained_session, finish, tmp_path, long_training
):
    """As what waits its turn: nothing is done to a project that nobody looks at any more."""
    first = trained_session.project.path
    Project.create(tmp_path / "other.eigenfaces").close()
    trained_session.apply("exclude", lambda g: g.exclude([g.faces.index.photos[0].key]))
    actions.train(trained_session)
    actions.open_project(trained_session, tmp_path / "other.eigenfaces")
    qtbot.waitUntil(lambda: trained_session.project.path.stem == "other")
    finish()  # it was not set free: it was cancelled
    assert trained_session.message.text == "Training cancelled: nothing was changed."
    assert trained_session.gallery.training is None
    actions.open_project(trained_session, first)
    finish()
    assert trained_session.gallery.changes == 1, "as it was before"


def test_a_training_goes_on_where_no_project_could_be_opened(
    qtbot, trained_session, finish, tmp_path, long_training
):
    (tmp_path / "wrong.eigenfaces").write_text("something else")
    trained_session.apply("exclude", lambda g: g.exclude([g.faces.index.photos[0].key]))
    actions.train(trained_session)
    actions.open_project(trained_session, tmp_path / "wrong.eigenfaces")
    qtbot.waitUntil(lambda: trained_session.message is not None)
    assert "not a project file" in trained_session.message.text
    assert trained_session.jobs.is_busy("train")
    long_training.set()
    finish()
    assert trained_session.gallery.changes == 0


def test_a_new_project_is_there_at_once_during_a_long_training(
    trained_session, finish, long_training
):
    actions.train(trained_session)
    actions.new_project(trained_session)
    assert trained_session.project is None
    finish()
    assert trained_session.message.text == "Training cancelled: nothing was changed."
    assert trained_session.gallery.training is None
