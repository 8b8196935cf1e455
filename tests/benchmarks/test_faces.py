"""From photograph to face: how well it is aligned, how long that takes, and in how much memory.

How well people held out are aligned says ``tests/tools/learn_faces.py --held-out``.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from learn_faces import JITTER, START_SHARE, Marked, astray, eye_error, read_marked
from measuring import folder, median_ms
from PIL import Image
from skimage import data

from eigenfaces.faces.detect import align, find_faces
from eigenfaces.faces.general_model import general_faces

RUNS = 5


@pytest.fixture(scope="module")
def london() -> list[Marked]:
    return read_marked(folder("london"))[0]


def test_milliseconds_of_alignment(london: list[Marked]) -> None:
    rng = np.random.default_rng(0)
    regressors = general_faces().regressors
    steps = rng.uniform(-1, 1, (len(london), 4)) * JITTER * START_SHARE
    starts = [astray(face.eyes, step) for face, step in zip(london, steps, strict=True)]
    spent = [
        median_ms(partial(align, face.grey, start, regressors), RUNS)
        for face, start in zip(london, starts, strict=True)
    ]
    print(f"\nAligning a face of London: {np.median(spent):.2f} ms, slowest {max(spent):.2f} ms")
    print(f"  (medians of {RUNS} warm runs for each of {len(spent)} faces)")
    assert np.median(spent) <= 5


@pytest.mark.parametrize("megapixels", [0.1, 1, 12])
def test_milliseconds_of_a_search(london: list[Marked], megapixels: float) -> None:
    """In photographs of London made smaller or larger; a face in all of them."""
    side = round(1000 * megapixels**0.5)
    spent, errors = [], []
    for face in london[::20]:
        image = Image.fromarray(face.grey).resize((side, side), Image.Resampling.LANCZOS)
        grey, scale = np.asarray(image), side / face.grey.shape[0]
        spent.append(median_ms(partial(find_faces, grey), RUNS))
        errors.append(eye_error(find_faces(grey)[0].eyes, face.eyes.scaled(scale)))
    print(f"\nSearching {megapixels} megapixels: {np.median(spent):.0f} ms, slowest", end=" ")
    print(f"{max(spent):.0f} ms ({len(spent)} photographs, medians of {RUNS} warm runs)")
    assert max(errors) < 0.1


FRESH = """
import sys, time
from pathlib import Path
from eigenfaces import Preparation
from eigenfaces.photographs.find import Photo
from eigenfaces.faces.read import read_face

begun, used = time.perf_counter(), time.process_time()
seen = read_face(Photo(Path(sys.argv[1])), Preparation())
took, used = time.perf_counter() - begun, time.process_time() - used
# The peak of this process alone: resource.getrusage counts its parent's, too.
peak = next(line for line in Path("/proc/self/status").open() if "VmHWM" in line)
print(took, used, int(peak.split()[1]) / 1024, round(seen.photo.placement.eyes.distance))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="The peak is read on Linux.")
@pytest.mark.parametrize("share", [1, 1 / 3, 2 / 9])
def test_50_megapixels(tmp_path: Path, share: float) -> None:
    """The astronaut over a share of the width: a small face is cut from a finer decoding."""
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
