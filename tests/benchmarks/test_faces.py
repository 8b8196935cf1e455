"""From photograph to face: how well it is aligned, how long that takes, and in how much memory.

``EIGENFACES_LONDON=… uv run --group dev pytest tests/benchmarks/test_faces.py -o addopts="" -s``
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from folders import folder
from learn_faces import JITTER, START_SHARE, Marked, astray, eye_error, held_out_errors, read_marked
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from eigenfaces.faces.detect import align, find_faces
from eigenfaces.faces.general_model import general_faces

SEED, RUNS = 0, 5

MEGAPIXELS = (0.1, 1, 12)


@pytest.fixture(scope="module")
def london() -> list[Marked]:
    return read_marked(folder("london"))[0]


def milliseconds(work: Callable[[], object]) -> float:
    """Return the median of some warm runs."""
    work()
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begun))
    return statistics.median(times)


def described(errors: NDArray[np.float64]) -> str:
    return f"median {np.median(errors):.4f}, 95 % below {np.quantile(errors, 0.95):.4f}"


def test_alignment_of_people_held_out(london: list[Marked]) -> None:
    """Takes some minutes."""
    before, after, lit = held_out_errors(london, np.random.default_rng(SEED))
    print(f"\nLondon, {len(london)} people, folds by person, ten starts each, seed {SEED};")
    print("mean distance of both eyes from where they are, in eye distances:")
    print(f"  before: {described(before)}")
    rng, by_person = np.random.default_rng(SEED), after.reshape(len(london), -1)
    draws = (by_person[rng.integers(0, len(london), len(london))] for _ in range(2000))
    low, high = np.quantile([np.median(draw) for draw in draws], (0.025, 0.975))
    print(f"  after:  {described(after)}; median if others were drawn {low:.4f} to {high:.4f}")
    print(f"  lit from one side: {described(lit)}")
    assert np.median(after) <= 0.03


def test_milliseconds_of_alignment(london: list[Marked]) -> None:
    rng = np.random.default_rng(SEED)
    regressors = general_faces().regressors
    steps = rng.uniform(-1, 1, (len(london), 4)) * JITTER * START_SHARE
    starts = [astray(face.eyes, step) for face, step in zip(london, steps, strict=True)]
    times = [
        milliseconds(partial(align, face.grey, start, regressors))
        for face, start in zip(london, starts, strict=True)
    ]
    print(f"\nAligning a face of London: {np.median(times):.2f} ms, slowest {max(times):.2f} ms")
    print(f"  (medians of {RUNS} warm runs for each of {len(times)} faces)")
    assert np.median(times) <= 5


@pytest.mark.parametrize("megapixels", MEGAPIXELS)
def test_milliseconds_of_a_search(london: list[Marked], megapixels: float) -> None:
    """In photographs of London made smaller or larger; a face in all of them."""
    side = round(1000 * megapixels**0.5)
    times, errors = [], []
    for face in london[::20]:
        image = Image.fromarray(face.grey).resize((side, side), Image.Resampling.LANCZOS)
        grey, scale = np.asarray(image), side / face.grey.shape[0]
        times.append(milliseconds(partial(find_faces, grey)))
        errors.append(eye_error(find_faces(grey)[0].eyes, face.eyes.scaled(scale)))
    print(f"\nSearching {megapixels} megapixels: {np.median(times):.0f} ms, slowest", end=" ")
    print(f"{max(times):.0f} ms ({len(times)} photographs, medians of {RUNS} warm runs)")
    assert max(errors) < 0.1


FRESH = """
import sys, time
from pathlib import Path
from eigenfaces import Preparation
from eigenfaces.photographs.photos import Photo
from eigenfaces.faces.read import read_face

begun, used = time.perf_counter(), time.process_time()
seen = read_face(Photo(Path(sys.argv[1])), Preparation())
took, used = time.perf_counter() - begun, time.process_time() - used
# The peak of this process alone: resource.getrusage counts its parent's, too.
peak = next(line for line in Path("/proc/self/status").open() if "VmHWM" in line)
print(took, used, int(peak.split()[1]) / 1024, round(seen.photo.placement.eyes.distance))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="The peak is read on Linux.")
@pytest.mark.parametrize("share", [1, 1 / 4, 1 / 8, 1 / 10])
def test_50_megapixels(tmp_path: Path, share: float) -> None:
    """The astronaut over a share of the width: a small face needs finer decoding to be cut out."""
    side = 7072
    picture = Image.new("RGB", (side, side), "grey")
    astronaut = Image.fromarray(data.astronaut()).resize((round(side * share),) * 2)
    picture.paste(astronaut, ((side - astronaut.width) // 2,) * 2)
    picture.save(tmp_path / "large.jpg", quality=92)
    command = [sys.executable, "-c", FRESH, str(tmp_path / "large.jpg")]
    runs = [subprocess.check_output(command, text=True).split() for _ in range(3)]
    seconds, used, megabytes, apart = np.median(np.array(runs, float), axis=0).tolist()
    print(f"\n50 megapixels, eyes {apart:.0f} pixels apart, fresh process, medians of 3 runs:")
    print(f"  {seconds:.2f} s, of them {used:.2f} s at work, peak {megabytes:.0f} MB")
    assert used < 3  # the rest is other work of the machine
    assert megabytes < 1000
