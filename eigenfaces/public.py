"""The names that `eigenfaces` itself offers."""

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
