"""Whole photographs with many people: which faces are found, and what else is taken for one.

``EIGENFACES_SCENES=… uv run --group dev pytest tests/benchmarks/test_scenes.py -o addopts="" -s``

The folder holds ``counts.csv`` (file, n_faces) and boxes in ``dlib/*.xml``.
"""

import csv
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from finders import FINDERS
from folders import folder
from PIL import Image, ImageDraw, ImageOps
from splits import counted

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


@pytest.fixture(scope="module", params=FINDERS)
def found(request: pytest.FixtureRequest, counts: dict[Path, int]) -> dict[Path, list[Square]]:
    """The boxes found, the most certain first."""
    finder = FINDERS[request.param]
    squares, begun = {}, time.process_time()
    for path in counts:
        boxes = (face.box for face in finder(decode(read_bytes(path)).grey))
        squares[path] = [(left, top, size, size) for left, top, size in boxes]
    took = 1000 * (time.process_time() - begun) / len(counts)
    print(f"\n{request.param}: {took:.0f} ms of CPU time for each of {len(counts)} photographs")
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


def matched(squares: list[Square], boxes: list[Square]) -> int:
    """Return how many boxes have a square of their own, the most certain choosing first."""
    left = list(boxes)
    for square in squares:
        best = max(left, key=lambda box: shared(square, box), default=None)
        if best is not None and shared(square, best) >= ENOUGH:
            left.remove(best)
    return len(boxes) - len(left)


def test_boxed_faces(found: dict[Path, list[Square]], request: pytest.FixtureRequest) -> None:
    boxes = marked(folder("scenes"))
    right = {path: matched(found[path], here) for path, here in boxes.items()}
    false = {path: len(found[path]) - right[path] for path in boxes}
    total = sum(map(len, boxes.values()))
    print(f"\nBoxed faces in {len(boxes)} photographs; found: a box shares at least {ENOUGH}")
    print("with the marked one; false: every other. They are much like boxes of dlib itself.")
    for path, here in boxes.items():
        print(f"  {path.name:18} {len(here)} boxed, {right[path]} found, {false[path]} false")
    print(f"  found {counted(sum(right.values()), total)}, false {sum(false.values())}")
    if request.node.callspec.params["found"] == "the program":
        assert sum(right.values()) == total
        assert sum(false.values()) == 0


def test_counted_faces(
    counts: dict[Path, int],
    found: dict[Path, list[Square]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Save a table and the photographs with their squares: what is false is judged by eye.

    The table can only say how many were found at most: the smaller of the two numbers.
    """
    place = tmp_path_factory.mktemp("scenes")
    rows: list[tuple[Any, ...]] = []
    for number, (path, faces) in enumerate(counts.items()):
        draw_squares(path, found[path], place / f"{number:02} {path.parent.name} {path.name}.png")
        at_most = min(faces, len(found[path]))
        rows.append((path.name, faces, len(found[path]), at_most, len(found[path]) - at_most))
    with (place / "counts.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(("photo", "counted", "squares", "found at most", "false at least"))
        table.writerows(rows)
    faces, squares, most, least = (sum(row[column] for row in rows) for column in range(1, 5))
    print(f"\n{len(rows)} counted photographs: {faces} faces, {squares} squares; at most {most}")
    print(f"found, at least {least} false; table and squares: {place}")


def draw_squares(path: Path, squares: list[Square], to: Path) -> None:
    with Image.open(path) as photo:
        image = ImageOps.exif_transpose(photo).convert("RGB")
    pen = ImageDraw.Draw(image)
    for number, (left, top, width, height) in enumerate(squares):
        pen.rectangle((left, top, left + width, top + height), outline="lime", width=2)
        pen.text((left + 4, top + 2), str(number), fill="lime")
    image.save(to)
