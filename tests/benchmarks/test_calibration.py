"""Training and calibrating galleries of 400, 1000 and 2000 faces: time, memory, longest hold.

A hold is how long another thread that wakes every 5 ms had to wait for the interpreter's lock: an
event loop would have stood still. Time that either of both waited for a processor does not count
(Linux).

``EIGENFACES_SIZES=400,1000 uv run --group dev pytest -o addopts="" -s
tests/benchmarks/test_calibration.py``
"""

import os
import subprocess
import sys

import pytest

SIZES = [int(size) for size in os.environ.get("EIGENFACES_SIZES", "400,1000,2000").split(",")]

SCRIPT = """
import resource, sys, threading, time
from pathlib import Path

import numpy as np

from eigenfaces import FaceSet, Gallery, Preparation
from eigenfaces.recognition.recipe import RECIPES

count, recipe, side = int(sys.argv[1]), sys.argv[2], 128
rng = np.random.default_rng(0)
people = rng.random((count // 10, side, side), np.float32)
pixels = 0.6 * np.repeat(people, 10, axis=0) + 0.4 * rng.random((count, side, side), np.float32)
faces = FaceSet.from_arrays(pixels, [f"Person {row // 10}" for row in range(count)])
del people, pixels
gallery = Gallery(faces, Preparation(side, side, already_cropped=True), RECIPES[recipe])
took = []

def work():
    global gallery
    for step in (Gallery.train, Gallery.calibrate):
        begin = time.perf_counter(), time.process_time()
        gallery = step(gallery)
        took.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))

def waited():
    # For a processor: this thread and the worker, together.
    total = 0
    for thread in (threading.get_native_id(), worker.native_id):
        try:
            total += int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1])
        except OSError:
            pass
    return total / 1e9

worker, longest = threading.Thread(target=work), 0.0
worker.start()
while worker.is_alive():
    begin = time.perf_counter(), waited()
    time.sleep(0.005)
    gap = time.perf_counter() - begin[0] - 0.005
    if worker.is_alive() and gap > longest:
        longest = max(longest, gap - max(0.0, waited() - begin[1]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
(train, train_cpu), (calibrate, calibrate_cpu) = took
print(f"{recipe:12} {count:5}  train {train:6.1f} s ({train_cpu:.1f} CPU)  "
      f"calibrate {calibrate:6.1f} s ({calibrate_cpu:.1f} CPU)  longest hold "
      f"{1000 * longest:.0f} ms  peak {peak:.0f} MB")
"""


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("recipe", ["Eigenfaces", "Discriminant", "Texture"])
def test_training_and_calibrating(recipe: str, count: int) -> None:
    command = [sys.executable, "-c", SCRIPT, str(count), recipe]
    ended = subprocess.run(command, text=True, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    print("\n" + ended.stdout, end="")
    hold = float(ended.stdout.split("longest hold ")[1].split(" ms")[0])
    assert hold < 100
