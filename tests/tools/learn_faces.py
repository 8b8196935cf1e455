"""Make ``assets/faces.npz``: the alignment, and the space of faces in general.

    uv run python tests/tools/learn_faces.py LONDON -o faces.npz --held-out

Alignment is learnt from the Face Research Lab London Set (102 people, neutral with marked pupils,
and smiling; L. DeBruine and B. Jones, 2017, doi 10.6084/m9.figshare.5047666, CC BY 4.0), turned in
depth and lit from all sides. The general face space is learnt from these faces and the AT&T sample.
This takes about ten minutes. ``assets/faces.md`` says what the folder LONDON has to contain.

Seed 0 makes the file that is shipped. On other processors the last digits may differ.
"""

from __future__ import annotations

import argparse
import cmath
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np
from depth import shading, turned_in_depth
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces.detect import (
    FEATURES,
    GRADIENT_BINS,
    GRADIENT_CELLS,
    align,
    alignment_crop,
    apply_step,
    detect_faces,
    hog_features,
    root_features,
)
from eigenfaces.faces.general_model import (
    VIEW_SHAPE,
    GeneralFaces,
    SymmetricFaceSpace,
    face_vectors,
    symmetric_components,
)
from eigenfaces.faces.prepare import Preparation, crop_at
from eigenfaces.files import atomic_write
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.decode import decode, read_bytes
from eigenfaces.photographs.find import find_photos
from eigenfaces.photographs.placement import Eyes, read_eyes
from eigenfaces.recognition.features import BLOCK_SCALES, BLOCKS, TextureFeatures
from eigenfaces.sample import load_sample
from eigenfaces.space.arrays import Floats

TURNS = (0, -1, 1, -1, 1, -1, 1)
"""The directions in which each photograph is turned in depth: not at all, left, right …"""

YAW, PITCH = (8.0, 42.0), 18.0
"""The range of angles to the side, and the largest angle up or down, in degrees."""

VIEWS = 24
"""The number of training views of each picture, without mirror images."""

SHADED_EACH = 4
"""Every fourth training view is lit from one side."""

Directions = tuple[tuple[float, float, float], tuple[float, float, float]]

ANYWHERE: Directions = (0, 0.1 * np.pi, 0.05), (2 * np.pi, 0.5 * np.pi, 0.6)
"""Smallest and largest values for light from one side: its angle about the line of sight, from
right to down, its angle to that line, and the share of light that comes from all sides."""

SIDEWAYS: Directions = (-0.5, 0.2 * np.pi, 0.05), (0.5, 0.5 * np.pi, 0.4)
"""The same values as in `ANYWHERE` for every second training view of the fourth regressor."""

LIT_ROUNDS = 4
"""The number of sets of these views, because the result from one set varies with the draw."""

RIDGE = 0.003
"""The weight of the squared coefficients in the ridge regressions, for each view."""

JITTER = (0.30, 0.30, 0.25, 0.40)
"""Largest error of a start: right, down (eye distances), growth (logarithm), turn (radians)."""

SHRINKING = (1.0, 0.5, 0.25)
"""The shares of `JITTER` for the first three regressors. The fourth uses the last share."""

KEPT = 0.998
"""The share of faces of held-out people within the limit of the general face space."""

STARTS = 10
"""The number of starts from which each held-out photograph is aligned."""

START_SHARE = 0.85
"""The share of `JITTER` in these starts: about 0.21 eye distances."""

OPENING = np.array([0, 0.03, 0, 0])
"""The step from the pupils to the middle of the eye openings, in eye distances.

The middle is the mean of the six landmarks on the lids and corners of each eye, and the step the
median over the set.
"""

FOLDS = 5
"""The number of folds for the alignment errors of held-out people."""


_CELL_ORDER = np.arange(FEATURES - 1).reshape(*GRADIENT_CELLS, GRADIENT_BINS)[:, ::-1]
MIRRORED = np.append(
    _CELL_ORDER[:, :, (GRADIENT_BINS // 2 - np.arange(GRADIENT_BINS)) % GRADIENT_BINS], FEATURES - 1
)
"""The index of each feature of a mirror image among the features of the picture."""

MIRRORED_STEP = np.array([-1, 1, 1, -1])
"""The factors that mirror a step: right, down, growth, turn."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A photograph (H, W) with its known eyes and its person."""

    grey: Floats
    eyes: Eyes
    person: str


def read_marked(folder: Path) -> tuple[list[Marked], list[Marked]]:
    """Read the photographs that ``eyes.csv`` lists, and the other photographs beside them.

    The file gives the pupils. The eyes returned are the middles of the eye openings, which do not
    move when somebody looks aside. The other photographs get the eyes of the listed photograph in
    their folder, which are about right.
    """
    pupils = read_eyes(folder / "eyes.csv")
    eyes = {path: apply_step(pair, OPENING) for path, pair in pupils.items()}
    marked, beside = [], []
    for path, where in eyes.items():
        for photo in sorted(path.parent.iterdir()):
            try:
                face = Marked(decode(read_bytes(photo)).grey, where, path.parent.name)
            except PhotoError as error:
                raise EigenfacesError(f"“{photo}” cannot be learnt from. {error}") from None
            if photo == path:
                marked.append(face)
            elif photo not in eyes:
                beside.append(face)
    if len(marked) < 10:
        raise EigenfacesError(f"“{folder / 'eyes.csv'}” names fewer than ten photographs.")
    return marked, beside


def learn(
    marked: Sequence[Marked], beside: Sequence[Marked], rng: np.random.Generator
) -> GeneralFaces:
    """Learn the alignment, at first only from the marked faces, and the general face space."""
    regressors = learn_alignment(marked, rng)
    faces = [*marked, *(_aligned(face, regressors) for face in beside)]
    regressors = learn_alignment(faces, rng)
    views = [_aligned(view, regressors) for face in faces for view in turned(face, rng)]
    seen = [*views, *_sample(regressors)]
    space, lengths, limit = learn_space(seen)
    return GeneralFaces(
        mean=space.mean,
        symmetric=space.symmetric,
        antisymmetric=space.antisymmetric,
        regressors=regressors,
        lengths=lengths,
        count=np.array(len(seen), np.float32),
        limit=limit,
    )


def _aligned(face: Marked, regressors: Floats) -> Marked:
    return replace(face, eyes=align(face.grey, face.eyes, regressors))


def _sample(regressors: Floats) -> list[Marked]:
    """Return the AT&T faces, each aligned from its best box."""
    sample = load_sample()
    faces = []
    for row, photo in enumerate(sample.index.photos):
        grey = sample.image(row)
        for box in detect_faces(grey)[:1]:
            eyes = align(grey, box.eyes, regressors)
            faces.append(Marked(grey, eyes, f"AT&T {photo.person}"))
    return faces


def learn_alignment(faces: Sequence[Marked], rng: np.random.Generator) -> Floats:
    """Train the four regressors, (4, `FEATURES`, 4), each with one ridge regression.

    The fourth is for faces lit from the side, and uses its own random generator.
    """
    squares = np.zeros((len(SHRINKING) + 1, FEATURES, FEATURES))
    products = np.zeros((len(SHRINKING) + 1, FEATURES, 4))
    (aside,) = rng.spawn(1)

    def learn_from(views: Sequence[Marked], stage: int, rng: np.random.Generator) -> None:
        share = SHRINKING[min(stage, len(SHRINKING) - 1)]
        steps = share * rng.uniform(-1, 1, (len(views), 4)) * JITTER
        starts = zip(views, steps, strict=True)
        crops = [alignment_crop(view.grey, astray(view.eyes, step)) for view, step in starts]
        seen = np.stack([*map(hog_features, crops)])
        seen = seen if stage < len(SHRINKING) else root_features(seen)
        squares[stage] += seen.T @ seen
        products[stage] += seen.T @ steps

    for face in faces:
        views = [_view(view, k, rng) for view in turned(face, rng) for k in range(VIEWS)]
        for stage in range(len(SHRINKING)):
            learn_from(views, stage, rng)
        for _ in range(LIT_ROUNDS):
            lit = [_side_lit(view, k, aside) for view in turned(face, aside) for k in range(VIEWS)]
            learn_from(lit, len(SHRINKING), aside)
    counts = len(faces) * len(TURNS) * VIEWS * np.array([1] * len(SHRINKING) + [LIT_ROUNDS])
    return np.stack([_ridge(*sums) for sums in zip(squares, products, counts, strict=True)])


def _ridge(squares: NDArray[np.float64], products: NDArray[np.float64], count: int) -> Floats:
    """Return the regression on views and their mirror images, from the sums over the views."""
    squares = (squares + squares[np.ix_(MIRRORED, MIRRORED)]) / 2
    products = (products + products[MIRRORED] * MIRRORED_STEP) / 2
    penalty = RIDGE * count * np.eye(FEATURES)
    return np.linalg.solve(squares + penalty, products).astype(np.float32)


def turned(face: Marked, rng: np.random.Generator) -> Iterator[Marked]:
    """Yield a face as it is, and then turned in depth, equally often to the left and right."""
    for way in TURNS:
        yaw = math.radians(way * rng.uniform(*YAW))
        pitch = math.radians(abs(way) * rng.uniform(-PITCH, PITCH))
        grey, eyes = turned_in_depth(face.grey, face.eyes, yaw, pitch)
        yield replace(face, grey=grey, eyes=eyes)


def astray(eyes: Eyes, step: NDArray[np.float64]) -> Eyes:
    """Return a start from which a step (right, down, growth, turn) leads to the eyes."""
    right, down, growth, turn = step.tolist()
    b = eyes.across * cmath.exp(-complex(growth, turn))
    return Eyes.at(eyes.middle - b * complex(right, down), b)


def _view(face: Marked, number: int, rng: np.random.Generator) -> Marked:
    """Return a variation of a photograph: cropped tightly, in different light."""
    if number % SHADED_EACH == 0:
        face = replace(face, grey=_shaded(face, rng))
    if rng.random() < 0.5:
        face = _cut(face, rng)
    if rng.random() < 0.7:
        face = replace(face, grey=_relit(face.grey, rng))
    return face


def _side_lit(face: Marked, number: int, rng: np.random.Generator) -> Marked:
    """Return a view, every second one lit from the right. Mirror images are lit from the left."""
    if number % 2 == 0:
        return _view(face, number // 2, rng)
    return _view(replace(face, grey=_shaded(face, rng, SIDEWAYS)), 1, rng)


def _cut(face: Marked, rng: np.random.Generator) -> Marked:
    """Crop a photograph to little more than the face."""
    middle, distance = face.eyes.middle, face.eyes.distance
    left, right = middle.real - distance * rng.uniform(0.95, 1.6, 2) * (1, -1)
    top, bottom = middle.imag + distance * rng.uniform((-1.5, 1.5), (-0.6, 2.2))
    corner = complex(max(0, int(left)), max(0, int(top)))
    grey = face.grey[int(corner.imag) : int(bottom), int(corner.real) : int(right)]
    return replace(face, grey=grey, eyes=Eyes.at(middle - corner, face.eyes.across))


def _shaded(face: Marked, rng: np.random.Generator, directions: Directions = ANYWHERE) -> Floats:
    """Light a head from one direction, up to fully from the side, and less from all others."""
    height, width = face.grey.shape
    middle, distance = face.eyes.middle, face.eyes.distance
    x, y = ((np.arange(96) + 0.5) / 96 * side / distance for side in (width, height))
    angle, aside, ambient = rng.uniform(*directions)
    light = np.sin(aside) * np.cos(angle), np.sin(aside) * np.sin(angle), np.cos(aside)
    bright = shading(x - middle.real / distance, y - middle.imag / distance, light)
    bright = ambient + (1 - ambient) * bright
    drawn = Image.fromarray((bright / bright.max()).astype(np.float32))
    return face.grey * np.asarray(drawn.resize((width, height), Image.Resampling.BILINEAR))


def _relit(grey: Floats, rng: np.random.Generator) -> Floats:
    """Light a photograph from one side, and change the contrast curve of its grey scale."""
    height, width = grey.shape
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)
    angle, strength = rng.uniform((0, 0), (2 * np.pi, 0.9))
    light = 1 + strength * (np.cos(angle) * x + np.sin(angle) * y)
    return (grey ** rng.uniform(0.6, 1.6) * np.clip(light, 0.05, None)).astype(np.float32)


def learn_space(faces: Sequence[Marked]) -> tuple[SymmetricFaceSpace, Floats, Floats]:
    """Decompose faces and their mirror images; return the space, its singular values and its limit.

    The limit is the distance *from* it that a share `KEPT` of the faces does not
    exceed, measured from the space of other people, who are assigned to groups in turn.
    """
    seen = np.concatenate(
        [face_vectors(crop_at(face.grey, face.eyes, VIEW_SHAPE)[None]) for face in faces]
    )
    groups = _groups(faces)
    left = np.empty(len(faces))
    for group in range(FOLDS):
        others, _ = _decomposed(seen[groups != group])
        left[groups == group] = others.residuals(seen[groups == group])
    limit = np.array(np.quantile(left, KEPT), np.float32)
    return *_decomposed(seen), limit


def _decomposed(vectors: Floats) -> tuple[SymmetricFaceSpace, Floats]:
    sums, differences = vectors.astype(np.float64).transpose(1, 0, 2)
    mean = sums.mean(axis=0)
    *components, lengths = symmetric_components(sums - mean, differences)
    return SymmetricFaceSpace(mean.astype(np.float32), *components), lengths


def _groups(faces: Sequence[Marked]) -> NDArray[np.intp]:
    """Return the group of each face. People are assigned to `FOLDS` groups in turn."""
    people = {person: row for row, person in enumerate(dict.fromkeys(f.person for f in faces))}
    return np.array([people[face.person] % FOLDS for face in faces])


def held_out_errors(marked: Sequence[Marked], rng: np.random.Generator) -> NDArray[np.float64]:
    """Align people that the regressors were not trained on, from wrong starts.

    Return the errors (3, m), the mean distances of both eyes from their true places, in eye
    distances, for ten starts per photograph: before, after, and after with light from one side.
    People are assigned to the folds in turn.
    """
    groups, errors = _groups(marked), list[tuple[float, float, float]]()
    (aside,) = rng.spawn(1)
    for group in range(FOLDS):
        learnt_from = [f for f, g in zip(marked, groups, strict=True) if g != group]
        regressors = learn_alignment(learnt_from, rng)
        for face in (f for f, g in zip(marked, groups, strict=True) if g == group):
            for step in rng.uniform(-1, 1, (STARTS, 4)) * JITTER * START_SHARE:
                start, shaded = astray(face.eyes, step), _shaded(face, aside, SIDEWAYS)
                aligned = (align(grey, start, regressors) for grey in (face.grey, shaded))
                before, after, lit = (eye_error(eyes, face.eyes) for eyes in (start, *aligned))
                errors.append((before, after, lit))
    return np.array(errors).T


def eye_error(eyes: Eyes, true: Eyes) -> float:
    """Return the mean distance of both eyes from their true places, in eye distances."""
    off = np.subtract((eyes.left, eyes.right), (true.left, true.right))
    return float(np.hypot(*off.T).mean() / true.distance)


def save(known: GeneralFaces, path: Path) -> None:
    """Write the results to a small file without pickle, with large arrays in half precision."""
    large = ("regressors", "mean", "symmetric", "antisymmetric")
    arrays = {
        name: getattr(known, name).astype(np.float16 if name in large else np.float32)
        for name in (*large, "lengths", "count", "limit")
    }
    with ZipFile(
        path, "w"
    ) as file:  # the headers that `np.savez` writes depend on the Python version
        for name, array in arrays.items():
            content = BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            file.writestr(ZipInfo(f"{name}.npy"), content.getvalue())


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, learn, and measure if asked to."""
    parser = argparse.ArgumentParser(description="Make assets/faces.npz from the London set.")
    parser.add_argument("london", type=Path, metavar="LONDON", help="its folder, with eyes.csv")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to make")
    parser.add_argument("--seed", type=int, default=0, help="of everything drawn at random")
    parser.add_argument("--held-out", action="store_true", help="measure people not learnt from")
    arguments = parser.parse_args(words)
    if arguments.output.exists():
        parser.error(f"“{arguments.output}” exists already: name another file.")
    try:
        marked, beside = read_marked(arguments.london)
        with atomic_write(arguments.output) as part:
            save(learn(marked, beside, np.random.default_rng(arguments.seed)), part)
    except (EigenfacesError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    source = f"{len(marked) + len(beside)} photographs and the sample"
    print(f"{arguments.output}: learnt from {source}, seed {arguments.seed}.")
    scales = ", ".join(f"{scale:.3f}" for scale in block_scales(arguments.london))
    print(f"The scales of the blocks of Texture: {scales}.")
    if arguments.held_out:
        print(measured(marked, np.random.default_rng(arguments.seed)))
    return 0


def block_scales(london: Path) -> NDArray[np.float64]:
    """Return the square root of the total variance of each block of Texture, over all photographs.

    These are the constants `eigenfaces.recognition.features.BLOCK_SCALES`.
    """
    faces = load_faces(find_photos(london), Preparation())
    features = TextureFeatures().of_all(faces.pixels, faces.shape).array.astype(np.float64)
    variances = (features * np.repeat(BLOCK_SCALES, BLOCKS)).var(axis=0, ddof=1)
    ends = np.cumsum([0, *BLOCKS[:-1]])
    return np.sqrt(np.add.reduceat(variances, ends))


def measured(marked: Sequence[Marked], rng: np.random.Generator) -> str:
    """Return a sentence about how well held-out people are aligned."""
    errors = held_out_errors(marked, rng)
    before, after, lit = (
        f"{np.median(row):.3f} (95 %: {np.percentile(row, 95):.3f})" for row in errors
    )
    return (
        f"People held out, {len(errors[0])} starts in {FOLDS} folds: the eyes lie {before} eye "
        f"distances off before alignment, {after} after, and {lit} if the face is lit from one "
        "side; median and 95th percentile."
    )


if __name__ == "__main__":
    sys.exit(main())
