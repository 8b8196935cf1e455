"""Lesson: any pictures of one size have components, not only faces."""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import LessonPicture
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy
from eigenfaces.laboratory.lessons import any_pictures_views as views
from eigenfaces.laboratory.lessons.decomposed_pictures import DecomposedPictures, PictureShown
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.text import Field, OneOf, count, percent

VIEW = OneOf(
    name="view",
    label="View",
    about="what is shown of the pictures and their components",
    choices={
        "Components": "the mean and the components as pictures, and the variance they keep",
        "Reconstruction": "a picture from k components, beside the original and what is missing",
        "Map": "every picture at its first two scores, in the colour of its label",
        "Accuracy": "how often the nearest picture in k components has the same label",
    },
)


@dataclass(frozen=True)
class PicturesSettings:
    """What is shown, with how many components, and which of the pictures, from 1."""

    view: str = "Components"
    k: float = 16
    which: float = 1


def _controls(most: int, pictures: int) -> tuple[Field, ...]:
    return (
        VIEW,
        Slide(
            name="k",
            label="k",
            about="how many components are kept",
            least=1,
            most=most,
            whole=True,
            plays=True,
        ),
        Slide(
            name="which",
            label="Picture",
            about="which of the pictures is rebuilt, and marked on the map",
            least=1,
            most=pictures,
            whole=True,
        ),
    )


def fitted(ready: DecomposedPictures) -> tuple[Field, ...]:
    """Return the controls for some pictures: to the last component, and the last picture."""
    return _controls(len(ready.space), len(ready.pictures))


def prepare(subject: Subject, tick: Tick) -> DecomposedPictures:
    """Return the components of pictures, and how well they tell labels apart."""
    if not isinstance(subject, ImageSet):
        raise EigenfacesError("This lesson is about pictures: choose a set of them.")
    space = subject.space(part_of(tick, 0, 2))
    accuracy: LabelAccuracy | str
    try:
        accuracy = LabelAccuracy.of(subject, tick=part_of(tick, 1, 2))
    except EigenfacesError as error:  # no labels, or too few pictures of each
        accuracy = str(error)
    return DecomposedPictures.of(subject, space, accuracy)


def picture(ready: DecomposedPictures, settings: PicturesSettings) -> LessonPicture:
    """Return one of the views; without labels, an accuracy is an `EigenfacesError`."""
    k = min(int(settings.k), len(ready.space))
    row = min(int(settings.which), len(ready.pictures)) - 1
    shown = PictureShown.of(ready, k, row)
    upper, lower = {
        "Components": views.components,
        "Reconstruction": views.reconstruction,
        "Map": views.score_map,
        "Accuracy": views.accuracy,
    }[settings.view](shown)
    kept = float(ready.space.kept[k - 1])
    return LessonPicture(
        upper=upper,
        lower=lower,
        numbers={
            "kept": kept,
            "error": shown.error,
            "first": ready.space.components[0].astype(float),
        },
        words={
            "first": "The first" if k == 1 else f"The first {k:,}",
            "keep": "keeps" if k == 1 else "keep",
            "components": count(len(ready.space), "component"),
            "kept": percent(kept),
            "d": f"{ready.pictures.pixels.shape[1]:,}",
        },
    )


LISTING = """\
mean = x.mean(axis=0)
_, s, vt = np.linalg.svd(x - mean, full_matrices=False)
largest = np.abs(vt).argmax(axis=1)  # signs are free: that of the largest is +
vt = vt * np.sign(vt[np.arange(len(vt)), largest])[:, None]
first = vt[0]  # reshape it to see it
components = vt[: int(k)]
scores = (x - mean) @ components.T  # the map shows the first two columns
kept = np.sum(s[: int(k)] ** 2) / np.sum(s**2)
i = min(int(which), len(x)) - 1
rebuilt = mean + scores[i] @ components
error = np.sqrt(np.mean((x[i] - rebuilt) ** 2))
print(f"{kept:.1%} of the variance; error of picture {i + 1}: {error:.4f}")
"""

ANY_PICTURES = Lesson(
    name="any-pictures",
    title="Any pictures",
    line="Digits, patches, a folder of yours",
    group="Pictures",
    see=(
        "Each picture is a point of {d} numbers; nothing else is known of it.",
        "The <b>components</b> are pictures too: a picture is the mean, plus each of them times a "
        "score.",
        "{first} of {components} {keep} {kept} of the variance.",
    ),
    formula=(
        "<i>x</i> ≈ <i>m</i> + Σ <i>c<sub>i</sub>u<sub>i</sub></i>, "
        "<i>c<sub>i</sub></i> = <i>u<sub>i</sub></i>ᵀ(<i>x</i> − <i>m</i>)"
    ),
    why=(
        "Nothing in it knows what a face is: it finds the directions in which points differ most. "
        "Colour makes three numbers of each pixel, and nothing else changes."
    ),
    tries=(
        "<b>Reconstruction</b>: with which k can you tell what it shows?",
        "<b>Map</b>: which labels lie apart, and which over each other?",
        "<b>Accuracy</b>, where there are labels: from which k on does it rise no more?",
        "Open pictures of your own: a folder, an .npz, or MNIST.",
    ),
    subjects=("digits", "patches", "gallery", "opened"),
    settings=PicturesSettings(),
    controls=_controls(64, 100),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=fitted,
)
