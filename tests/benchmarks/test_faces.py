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
from PIL import ExifTags, Image
from skimage import data
from splits import counted

from eigenfaces import Preparation
from eigenfaces.faces.detect import align, find_faces, main_face
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.read import read_face
from eigenfaces.photographs.photos import Photo

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


def bootstrapped(errors: NDArray[np.float64], people: int) -> str:
    """Return the 95 % interval of the median if other people had been drawn, 2000 times."""
    rng = np.random.default_rng(SEED)
    by_person = errors.reshape(people, -1)
    drawn = (by_person[rng.integers(0, people, people)] for _ in range(2000))
    low, high = np.quantile([np.median(each) for each in drawn], (0.025, 0.975))
    return f"{low:.4f} to {high:.4f}"


def test_alignment_of_people_held_out(london: list[Marked]) -> None:
    """Takes some minutes."""
    before, after, lit = held_out_errors(london, np.random.default_rng(SEED))
    print(f"\nLondon, {len(london)} people, folds by person, ten starts each, seed {SEED};")
    print("mean distance of both eyes from where they are, in eye distances:")
    print(f"  before: {described(before)}")
    interval = bootstrapped(after, len(london))
    print(f"  after:  {described(after)}; interval of the median, by people {interval}")
    print(f"  lit from one side: {described(lit)}")
    off = after.reshape(len(london), -1).max(axis=1) > 0.1
    print(
        f"  people with any start that ends more than 0.1 off: {counted(int(off.sum()), len(off))}"
    )
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


def test_the_astronaut_and_the_phone(tmp_path: Path) -> None:
    """As it is; and as a telephone saves it, lying on its side with a note which way is up."""
    upright = Image.fromarray(data.astronaut())
    upright.save(tmp_path / "upright.jpg", quality=95)
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    sideways = upright.transpose(Image.Transpose.ROTATE_90)
    sideways.save(tmp_path / "phone.jpg", quality=95, exif=exif)
    first, second = (
        read_face(Photo(tmp_path / name), Preparation()) for name in ("upright.jpg", "phone.jpg")
    )
    face, other = (main_face(each.faces) for each in (first, second))
    assert face is not None
    assert other is not None
    off = eye_error(other.eyes, face.eyes)
    (x, y), (u, v) = face.eyes.left, face.eyes.right
    print(f"\nAstronaut: taken without asking, eyes at {x:.0f}, {y:.0f} and {u:.0f}, {v:.0f}")
    print(f"  ({len(first.faces)} squares); from the telephone: {off:.4f} eye distances away,")
    print(f"  crops differ by {255 * np.abs(first.face - second.face).mean():.2f} grey levels")
    assert first.size == second.size == (512, 512)
    assert off < 0.01


FRESH = """
import sys, time
from pathlib import Path
from eigenfaces import Preparation
from eigenfaces.photographs.photos import Photo
from eigenfaces.faces.face_reading import read_face

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
