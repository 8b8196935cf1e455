"""As many faces as are wanted, made of those of the sample."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces import FaceSet, load_sample
from eigenfaces.evaluation.split_files import Pairs


def many_faces(count: int, shape: tuple[int, int], seed: int = 1) -> NDArray[np.uint8]:
    """Return faces of the sample, (count, h · w) in grey levels: turned, shifted, mirrored, noisy.

    Each has its own light, so that no two are alike; the first ones do not depend on the count.
    """
    height, width = shape
    sample = [
        Image.fromarray(face).resize((width, height), Image.Resampling.BICUBIC)
        for face in load_sample().levels.astype(np.uint8).reshape(-1, 112, 92)
    ]
    rng = np.random.default_rng(seed)
    scale = height / 112
    made = np.empty((count, height * width), np.uint8)
    for row in range(count):
        face = sample[row % len(sample)]
        if rng.random() < 0.5:
            face = face.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        shift = tuple(rng.normal(0, 2 * scale, 2))
        face = face.rotate(rng.normal(0, 4), Image.Resampling.BILINEAR, translate=shift)
        grey = np.asarray(face, np.float32) * np.float32(np.exp(rng.normal(0, 0.2)))
        noise = rng.standard_normal(grey.shape, np.float32)
        made[row] = np.clip(grey + rng.normal(0, 8) + 3 * noise, 0, 255).ravel()
    return made


def many_people(count: int, people: int, shape: tuple[int, int], seed: int = 1) -> FaceSet:
    """Return faces of up to 400 people: each has one photograph of the sample, made many times."""
    enough = -(-count // people) * 400
    made = many_faces(enough, shape, seed)[np.arange(enough) % 400 < people][:count]
    images = made.reshape(count, *shape) / np.float32(255)
    return FaceSet.from_arrays(images, [f"Person {row % people:03}" for row in range(count)])


def pairs_of(faces: FaceSet, sets: int = 10, each: int = 600, seed: int = 1) -> Pairs:
    """Return sets of pairs as LFW has them: half are mated, nobody is in two, most faces in one."""
    rng = np.random.default_rng(seed)
    people = np.unique([photo.person for photo in faces.index.photos], return_inverse=True)[1]
    drawn = []
    for part in range(sets):
        rows = rng.permutation(np.flatnonzero(people % sets == part))
        first, second = np.resize(rows, (2, each // 2))
        second = np.where(people[first] == people[second], np.roll(second, 1), second)
        asked = np.resize(rows[::-1], each // 2)
        mates = [rng.choice(rows[(people[rows] == people[r]) & (rows != r)]) for r in asked]
        pairs = [*zip(first, second, strict=True), *zip(asked, mates, strict=True)]
        drawn.append(tuple((str(a + 1), str(b + 1)) for a, b in pairs))
    return Pairs(tuple(drawn))
