"""t-SNE in a process of its own: the same as scikit-learn's, the same again, and stoppable."""

import multiprocessing
import subprocess
import sys

import numpy as np
import pytest
from sklearn.manifold import TSNE

from eigenfaces import EigenfacesError
from eigenfaces.errors import Cancelled
from eigenfaces.laboratory.tsne import ITERATIONS, tsne

RNG = np.random.default_rng(3)
GROUPS = 6 * np.repeat(RNG.standard_normal((6, 12)), 10, 0)
POINTS = (RNG.standard_normal((60, 12)) + GROUPS).astype(np.float32)


def test_it_is_scikit_learns_and_says_how_far_it_is():
    steps = []
    ours = tsne(POINTS, 10, lambda done, total: steps.append((done, total)))
    theirs = TSNE(perplexity=10, init="pca", random_state=0).fit_transform(POINTS.astype(float))
    assert np.array_equal(ours, theirs)
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {ITERATIONS}
    assert len({done for done, _ in steps}) > 3


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
    with pytest.raises(EigenfacesError, match="first two components, and there is only one"):
        tsne(POINTS[:, :1], 5)


@pytest.mark.parametrize(
    ("n", "perplexity", "value", "words"),
    [(3, 1, 0, "at least four"), (20, 20, 0, "too much for 20"), (20, 5, np.nan, "t-SNE failed")],
)
def test_what_cannot_be_is_refused_in_a_sentence(n, perplexity, value, words):
    with pytest.raises(EigenfacesError, match=words):
        tsne(POINTS[:n] + np.float32(value), perplexity)
