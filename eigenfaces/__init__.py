"""Eigenfaces: from a folder of photographs to a name, every step of it visible.

1. `photos` finds photographs by person; `decoding` reads each one upright and grey.
2. `faces` cuts every photograph to one size by a saved `Preparation`.
3. `facespace` takes the SVD of the mean-subtracted faces: the mean and the eigenfaces.
4. `gallery` holds the people, their faces and the face space; every edit makes a new one.
5. `recognition` names the nearest people to a probe, with the distances *in* and *from* face space.
6. `evaluation` says how often that is right, with intervals and controls; `report` writes it down.
7. `project` keeps a gallery in one file, changed one transaction at a time.

>>> import numpy as np
>>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify
>>> rng = np.random.default_rng(0)
>>> ada, grace = 0.9 * rng.random((2, 16, 16))
>>> noise = lambda: 0.05 * rng.random((16, 16))
>>> faces = FaceSet.from_arrays(
...     [ada + noise(), ada + noise(), grace + noise(), grace + noise()],
...     ["Ada", "Ada", "Grace", "Grace"],
... )
>>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
>>> identify(gallery, grace + noise()).closest.person
'Grace'
"""

from eigenfaces.distances import DISTANCES
from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.evaluation.evaluate import evaluate
from eigenfaces.evaluation.results import Evaluation, Setting
from eigenfaces.faces import FaceSet, load_faces
from eigenfaces.facespace import FaceSpace
from eigenfaces.gallery import Gallery
from eigenfaces.photos import find_photos
from eigenfaces.preparation import Preparation
from eigenfaces.project import Project
from eigenfaces.recipes import Recipe
from eigenfaces.recognition import Verdict, identify, identify_all
from eigenfaces.samples import load_sample

__all__ = [
    "DISTANCES",
    "Cancelled",
    "EigenfacesError",
    "Evaluation",
    "FaceSet",
    "FaceSpace",
    "Gallery",
    "Preparation",
    "Project",
    "Recipe",
    "Setting",
    "Verdict",
    "evaluate",
    "find_photos",
    "identify",
    "identify_all",
    "load_faces",
    "load_sample",
]
