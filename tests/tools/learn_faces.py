"""Make ``assets/faces.npz``: alignment, and what faces in general look like.

    uv run python tests/tools/learn_faces.py LONDON -o faces.npz --held-out

Alignment is learnt from the Face Research Lab London Set (102 people, neutral, pupils marked, and
smiling; L. DeBruine and B. Jones, 2017, doi 10.6084/m9.figshare.5047666, CC BY 4.0), turned in
depth and lit from all sides; the general face space from these and from the AT&T sample. It takes
about ten minutes. ``assets/faces.md`` says what LONDON has to hold.

Seed 0 makes the file that is shipped; on other processors the last digits may differ.
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
"""Ways that each photograph is turned in depth: not at all, to the left, to the right …"""

YAW, PITCH = (8.0, 42.0), 18.0
"""Degrees that it is turned by to the side, and at most up or down."""

VIEWS = 24
"""Training views of each of these, beside their mirror images …"""

SHADED_EACH = 4
"""… of which every fourth is lit from one side."""

Directions = tuple[tuple[float, float, float], tuple[float, float, float]]

ANYWHERE: Directions = (0, 0.1 * np.pi, 0.05), (2 * np.pi, 0.5 * np.pi, 0.6)
"""Least and most of that light: its angle about the line of sight, from right to down, its angle
to that line, and the share of light that comes from all sides …"""

SIDEWAYS: Directions = (-0.5, 0.2 * np.pi, 0.05), (0.5, 0.5 * np.pi, 0.4)
"""… and of that which every second view is lit by that the fourth regressor is learnt from."""

LIT_ROUNDS = 4
"""Sets of such views: what is learnt from one varies with what is drawn."""

RIDGE = 0.003
"""Weight of the squared coefficients in the ridge regressions, for each view."""

JITTER = (0.30, 0.30, 0.25, 0.40)
"""Largest error at the start: right, down (eye distances), growth (logarithm), turn (radians)."""

SHRINKING = (1.0, 0.5, 0.25)
"""Shares of it that the first three regressors are trained on; the fourth, on the last of them."""

KEPT = 0.998
"""Share of the faces of people held out that lie within the limit of the general face space."""

STARTS = 10
"""Starts that each held-out photograph is aligned from …"""

START_SHARE = 0.85
"""… and the share of the jitter that they lie astray by: about 0.21 eye distances."""

OPENING = np.array([0, 0.03, 0, 0])
"""The step from the pupils to the middle of the eyes' openings: the median, in eye distances, over
the set, of the mean of the six landmarks on each eye's lids and in its corners."""

FOLDS = 5
"""That people are dealt to, where it is measured how well those held out are aligned."""


_CELL_ORDER = np.arange(FEATURES - 1).reshape(*GRADIENT_CELLS, GRADIENT_BINS)[:, ::-1]
MIRRORED = np.append(
    _CELL_ORDER[:, :, (GRADIENT_BINS // 2 - np.arange(GRADIENT_BINS)) % GRADIENT_BINS], FEATURES - 1
)
"""Where each feature of a mirror image stands among those of the picture …"""

MIRRORED_STEP = np.array([-1, 1, 1, -1])
"""… and what becomes of a step: right, down, growth, turn."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A photograph (H, W) whose eyes are known, and whose it is."""

    grey: Floats
    eyes: Eyes
    person: str


def read_marked(folder: Path) -> tuple[list[Marked], list[Marked]]:
    """Read the photographs that ``eyes.csv`` names, and those beside them that it does not.

    It names the pupils; here, eyes are the middles of their openings, which do not move when
    somebody looks aside. The eyes of the second are those of the first one of their folder: about
    right.
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
    """Learn alignment, first from the marked faces alone, and the general face space."""
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
    """Return the AT&T faces, each aligned from the best box found."""
    sample = load_sample()
    faces = []
    for row, photo in enumerate(sample.index.photos):
        grey = sample.image(row)
        for box in detect_faces(grey)[:1]:
            eyes = align(grey, box.eyes, regressors)
            faces.append(Marked(grey, eyes, f"AT&T {photo.person}"))
    return faces


def learn_alignment(faces: Sequence[Marked], rng: np.random.Generator) -> Floats:
    """Train the four regressors, (4, `FEATURES`, 4), each by one ridge regression.

    The fourth is for faces lit from the side, and draws from a generator of its own.
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
    """Yield a face as it is, and turned in depth, half of the times to either side."""
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
    """Return a photograph as another might be: cut tightly, under another light."""
    if number % SHADED_EACH == 0:
        face = replace(face, grey=_shaded(face, rng))
    if rng.random() < 0.5:
        face = _cut(face, rng)
    if rng.random() < 0.7:
        face = replace(face, grey=_relit(face.grey, rng))
    return face


def _side_lit(face: Marked, number: int, rng: np.random.Generator) -> Marked:
    """Return every second view lit from the right; mirror images are learnt from beside it."""
    if number % 2 == 0:
        return _view(face, number // 2, rng)
    return _view(replace(face, grey=_shaded(face, rng, SIDEWAYS)), 1, rng)


def _cut(face: Marked, rng: np.random.Generator) -> Marked:
    """Cut a photograph down to not much more than the face."""
    middle, distance = face.eyes.middle, face.eyes.distance
    left, right = middle.real - distance * rng.uniform(0.95, 1.6, 2) * (1, -1)
    top, bottom = middle.imag + distance * rng.uniform((-1.5, 1.5), (-0.6, 2.2))
    corner = complex(max(0, int(left)), max(0, int(top)))
    grey = face.grey[int(corner.imag) : int(bottom), int(corner.real) : int(right)]
    return replace(face, grey=grey, eyes=Eyes.at(middle - corner, face.eyes.across))


def _shaded(face: Marked, rng: np.random.Generator, directions: Directions = ANYWHERE) -> Floats:
    """Light a head from one direction, up to the very side, and from all others less."""
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
    """Light a photograph from one side, and bend its grey scale."""
    height, width = grey.shape
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)
    angle, strength = rng.uniform((0, 0), (2 * np.pi, 0.9))
    light = 1 + strength * (np.cos(angle) * x + np.sin(angle) * y)
    return (grey ** rng.uniform(0.6, 1.6) * np.clip(light, 0.05, None)).astype(np.float32)


def learn_space(faces: Sequence[Marked]) -> tuple[SymmetricFaceSpace, Floats, Floats]:
    """Decompose what faces and their mirror images look like, and return the singular values.

    Also returned: the distance *from* this space that `KEPT` of the faces do not exceed where they
    are seen by the space of other people, who are dealt to groups in turn.
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
    """Return the group of each face: people are dealt to `FOLDS` groups in turn."""
    people = {person: row for row, person in enumerate(dict.fromkeys(f.person for f in faces))}
    return np.array([people[face.person] % FOLDS for face in faces])


def held_out_errors(marked: Sequence[Marked], rng: np.random.Generator) -> NDArray[np.float64]:
    """Align people that the regressors were not trained on, from starts that lie astray.

    Returned is (3, m) the mean distance of both eyes from where they are, in eye distances, for
    ten starts a photograph: before, after, and after where the photograph was lit from one side.
    People are dealt to the folds in turn.
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
    """Return the mean distance of two eyes from where they are, in eye distances."""
    off = np.subtract((eyes.left, eyes.right), (true.left, true.right))
    return float(np.hypot(*off.T).mean() / true.distance)


def save(known: GeneralFaces, path: Path) -> None:
    """Write what was learnt, a small file without pickle, what is large in half precision."""
    large = ("regressors", "mean", "symmetric", "antisymmetric")
    arrays = {
        name: getattr(known, name).astype(np.float16 if name in large else np.float32)
        for name in (*large, "lengths", "count", "limit")
    }
    with ZipFile(path, "w") as file:  # `np.savez` writes other headers with other Pythons
        for name, array in arrays.items():
            content = BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            file.writestr(ZipInfo(f"{name}.npy"), content.getvalue())


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, learn, and measure where that is asked for."""
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
    """Return the root of the total variance of each block of Texture, over all photographs.

    These are the constants `eigenfaces.recognition.features.BLOCK_SCALES`.
    """
    faces = load_faces(find_photos(london), Preparation())
    features = TextureFeatures().of_all(faces.pixels, faces.shape).array.astype(np.float64)
    variances = (features * np.repeat(BLOCK_SCALES, BLOCKS)).var(axis=0, ddof=1)
    ends = np.cumsum([0, *BLOCKS[:-1]])
    return np.sqrt(np.add.reduceat(variances, ends))


def measured(marked: Sequence[Marked], rng: np.random.Generator) -> str:
    """Return how well people held out are aligned, in a sentence."""
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
