"""t-SNE in a process of its own: the same as scikit-learn's, the same again, and stoppable."""

import multiprocessing
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.manifold import TSNE, _t_sne

from eigenfaces import EigenfacesError
from eigenfaces.errors import Cancelled
from eigenfaces.laboratory.tsne import _OBJECTIVE, ITERATIONS, _run, _watch, tsne
from eigenfaces.space.arrays import Doubles

RNG = np.random.default_rng(3)
GROUPS = 6 * np.repeat(RNG.standard_normal((6, 12)), 10, 0)
POINTS = (RNG.standard_normal((60, 12)) + GROUPS).astype(np.float32)


@pytest.fixture(scope="module")
def theirs() -> Doubles:
    """The places that scikit-learn finds."""
    estimator = TSNE(perplexity=10, init="pca", random_state=0)
    return estimator.fit_transform(POINTS.astype(float))


def test_it_is_scikit_learns_and_says_how_far_it_is(theirs):
    steps = []
    ours = tsne(POINTS, 10, lambda done, total: steps.append((done, total)))
    assert np.array_equal(ours, theirs)
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {ITERATIONS}
    assert len({done for done, _ in steps}) > 3


def test_watched_the_places_move_and_end_as_the_same_map(theirs):
    frames = []
    assert np.array_equal(tsne(POINTS, 10, moved=frames.append), theirs)
    assert ITERATIONS / 20 < len(frames) <= ITERATIONS / 10
    assert {frame.shape for frame in frames} == {(60, 2)}
    assert np.abs(frames[0]).max() < 0.01, "it begins with the first components, very small"
    away = [np.abs(frame - theirs).max() for frame in (frames[0], frames[-1])]
    assert away[1] < 0.2 * away[0]


def test_without_scikit_learns_private_name_the_map_comes_at_the_end(monkeypatch, theirs):
    monkeypatch.setattr("eigenfaces.laboratory.tsne._OBJECTIVE", "a name that is gone")
    sent = []
    _run(SimpleNamespace(send=sent.append), POINTS, 10, watched=True)
    *steps, (kind, places) = sent
    assert {kind for kind, _ in steps} == {"step"}
    assert kind == "result"
    assert np.array_equal(places, theirs)


def test_an_objective_with_other_arguments_is_called_as_it_is(monkeypatch):
    sent = []
    monkeypatch.setattr(_t_sne, _OBJECTIVE, lambda values, more: (values, more))
    _watch(SimpleNamespace(send=sent.append), 60)
    assert getattr(_t_sne, _OBJECTIVE)("no places", more=2) == ("no places", 2)
    assert sent == []


def test_cancelled_it_ends_at_once():
    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        tsne(POINTS, 10, stop)
    assert not multiprocessing.active_children()


SCRIPT = """
import numpy as np
from eigenfaces.laboratory.tsne import tsne
print("begun")
print(tsne(np.random.default_rng(0).random((12, 4)), 3).shape)
"""


def test_a_script_without_a_guard_runs_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.stdout.split("\n"), done.returncode) == (["begun", "(12, 2)", ""], 0), done.stderr


def test_one_component_is_refused_in_a_sentence():
    with pytest.raises(EigenfacesError, match="first two components, but there is only one"):
        tsne(POINTS[:, :1], 5)


@pytest.mark.parametrize(
    ("n", "perplexity", "value", "words"),
    [(3, 1, 0, "at least four"), (20, 20, 0, "too large for 20"), (20, 5, np.nan, "t-SNE failed")],
)
def test_what_cannot_be_is_refused_in_a_sentence(n, perplexity, value, words):
    with pytest.raises(EigenfacesError, match=words):
        tsne(POINTS[:n] + np.float32(value), perplexity)
