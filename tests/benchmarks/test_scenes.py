"""Whole photographs with many people: which faces are found, and what else is taken for one.

The folder holds ``counts.csv`` (file, n_faces) and boxes in ``dlib/*.xml``.
"""

import csv
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from measuring import counted, folder

from eigenfaces.faces.detect import find_faces
from eigenfaces.photographs.decode import decode, read_bytes

Square = tuple[float, float, float, float]
"""Left, top, width, height."""

ENOUGH = 0.5
"""Area that a found square and a marked box share, of the area that they cover."""


@pytest.fixture(scope="module")
def counts() -> dict[Path, int]:
    """How many faces somebody counted in each photograph."""
    scenes = folder("scenes")
    with (scenes / "counts.csv").open(encoding="utf-8") as lines:
        return {scenes / row["file"]: int(row["n_faces"]) for row in csv.DictReader(lines)}


@pytest.fixture(scope="module")
def squares(counts: dict[Path, int]) -> dict[Path, list[Square]]:
    """The boxes found, the most certain first."""
    squares, begun = {}, time.process_time()
    for path in counts:
        boxes = (face.box for face in find_faces(decode(read_bytes(path)).grey))
        squares[path] = [(left, top, size, size) for left, top, size in boxes]
    took = 1000 * (time.process_time() - begun) / len(counts)
    print(f"\n{took:.0f} ms of processor time for each of {len(counts)} photographs")
    return squares


def marked(scenes: Path) -> dict[Path, list[Square]]:
    boxes = {}
    for file in sorted((scenes / "dlib").glob("*.xml")):
        for image in ElementTree.parse(file).iter("image"):
            boxes[scenes / "dlib" / image.attrib["file"]] = [
                (float(b["left"]), float(b["top"]), float(b["width"]), float(b["height"]))
                for b in (box.attrib for box in image.iter("box"))
            ]
    return boxes


def shared(a: Square, b: Square) -> float:
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(wide, 0) * max(high, 0)
    return common / (a[2] * a[3] + b[2] * b[3] - common)


def matches(squares: list[Square], boxes: list[Square]) -> int:
    """Return how many boxes have a square of their own, the most certain choosing first."""
    left = list(boxes)
    for square in squares:
        best = max(left, key=lambda box: shared(square, box), default=None)
        if best is not None and shared(square, best) >= ENOUGH:
            left.remove(best)
    return len(boxes) - len(left)


def test_boxed_faces(squares: dict[Path, list[Square]]) -> None:
    boxes = marked(folder("scenes"))
    right = sum(matches(squares[path], here) for path, here in boxes.items())
    false = sum(len(squares[path]) for path in boxes) - right
    total = sum(map(len, boxes.values()))
    print(f"\nBoxed faces in {len(boxes)} photographs; found: a box shares at least {ENOUGH}")
    print("with the marked one; false: every other. They are much like boxes of dlib itself.")
    print(f"  found {counted(right, total)}, false {false}")
    assert (right, false) == (total, 0)


def test_counted_faces(counts: dict[Path, int], squares: dict[Path, list[Square]]) -> None:
    """The counts can only say how many are found at most: the smaller of the two numbers."""
    pairs = [(faces, len(squares[path])) for path, faces in counts.items()]
    most = sum(map(min, pairs))
    faces, boxes = map(sum, zip(*pairs, strict=True))
    print(f"\n{len(pairs)} counted photographs: {faces} faces, {boxes} squares; at most {most}")
    print(f"found, at least {boxes - most} false")
