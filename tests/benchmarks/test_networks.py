"""The networks by NumPy beside dlib: time, difference, memory, and how long they hold others up.

The photographs of `skimage.data` are enough; dlib runs on one core, and so is NumPy compared.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import dlib
import numpy as np
from measuring import median_ms
from PIL import Image
from skimage import data

from eigenfaces import load_sample
from eigenfaces.faces import convolutional, model_files
from eigenfaces.faces.convolutional import describe, find_boxes
from eigenfaces.space.arrays import Bytes

PEAK = """
import numpy as np
from pathlib import Path
from eigenfaces.faces import convolutional
def peak():
    status = Path("/proc/self/status")  # only Linux has it
    lines = status.read_text().splitlines() if status.exists() else ["VmHWM: 0 kB"]
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) // 1024
before = peak()
convolutional.find_boxes(np.zeros((1000, 1000, 3), np.uint8))
print(f"{before} MB before, {peak()} MB after")
"""


def chips(count: int) -> list[Bytes]:
    faces = load_sample().levels.astype(np.uint8).reshape(-1, 112, 92)[:count]
    resized = (Image.fromarray(face).convert("RGB").resize((150, 150)) for face in faces)
    return [np.asarray(face) for face in resized]


def longest_hold(work: Callable[[], object]) -> float:
    """Return for how many ms at most another thread, which wakes each ms, was held up."""
    held = 0.0
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        start = time.perf_counter()
        time.sleep(0.001)
        held = max(held, time.perf_counter() - start - 0.001)
    return 1000 * held


def test_faces_are_described() -> None:
    some = chips(32)
    batch = np.stack(some[:4])
    model = dlib.face_recognition_model_v1(str(model_files.path_of(model_files.DESCRIBER)))
    theirs = median_ms(lambda: model.compute_face_descriptor(some[:4]), 7) / 4
    ours = median_ms(lambda: convolutional._describe_batch(batch), 7) / 4
    alone = median_ms(lambda: convolutional._describe_batch(batch[:1]), 7)
    threads = median_ms(lambda: describe(some), 5) / len(some)
    difference = np.abs(describe(some) - np.array(model.compute_face_descriptor(some))).max()
    print(
        f"\na face: dlib {theirs:.1f} ms, NumPy {ours:.1f} in fours, {alone:.1f} alone, "
        f"{threads:.1f} by threads ({theirs / ours:.1f} times as fast); "
        f"largest difference {difference:.1e}; "
        f"another thread is held up for {longest_hold(lambda: describe(some)):.1f} ms at most"
    )
    assert difference < 1e-5


def test_faces_are_found() -> None:
    picture = np.asarray(Image.fromarray(data.astronaut()).resize((640, 640)))
    model = dlib.cnn_face_detection_model_v1(str(model_files.path_of(model_files.DETECTOR)))
    theirs = median_ms(lambda: model(picture, 0), 3)
    ours = median_ms(lambda: find_boxes(picture), 5)
    print(
        f"\na photograph of 640 × 640 pixels: dlib {theirs / 1000:.2f} s, NumPy {ours / 1000:.2f}; "
        f"another thread is held up for {longest_hold(lambda: find_boxes(picture)):.1f} ms at most"
    )
    assert len(model(picture, 0)) == len(find_boxes(picture)) == 1


def test_memory_of_a_large_photograph() -> None:
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    print(f"\nsearching 1000 × 1000 pixels: {done.stdout.strip()}")
