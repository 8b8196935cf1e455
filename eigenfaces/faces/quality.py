"""Quality of a photograph: problems, their reasons and remedies, and facts about a face."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eigenfaces.errors import Fault
from eigenfaces.faces import network
from eigenfaces.faces.detect import CERTAIN
from eigenfaces.faces.face_choice import EVERY_FACE
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.prepare import Preparation, crop_pixel_positions
from eigenfaces.faces.read import FaceReading
from eigenfaces.photographs.placement import Placement
from eigenfaces.space.arrays import Floats
from eigenfaces.text import percent

Poor = Literal["cut off", "tiny", "blurred", "dark", "cut short", "scaled", "pages"]
Kind = Literal[Fault, "guess", Poor, "gone", "lost", "single"]

ENLARGED = 2  # a face is tiny if it has to be enlarged by this factor or more
BLURRED = 0.12  # a face with less `sharpness` is blurred, as if by a Gaussian of σ = 1.3 pixels
SOFT_SHARPNESS = 2 * BLURRED  # between the two, a face is soft: it shows some detail
DARK = 0.15  # a face with a lower mean grey (0…1) is very dark
CUT_OFF = 0.2  # a face is cut off if more than this share of its crop is outside the photograph


@dataclass(frozen=True)
class Concern:
    """Problem that needs attention: its kind, the reason as a sentence, and the remedy."""

    kind: Kind
    reason: str
    remedy: str = ""

    @property
    def title(self) -> str:
        """The title of the problem, in a few words."""
        return TITLES[self.kind]

    @property
    def is_note(self) -> bool:
        """Whether the problem is only a note that needs no attention."""
        return self.kind in ("scaled", "pages")

    @property
    def sentence(self) -> str:
        """The reason followed by the remedy, as one text."""
        return f"{self.reason} {self.remedy}".strip()


DOUBTS: frozenset[Kind] = frozenset({"doubtful", "not a face", "unlike"})
"""Concerns that keep a face from being added automatically; see `doubt_of`."""

TITLES: dict[Kind, str] = {
    "unreadable": "Cannot be used",
    "no face": "No face found",
    "several faces": "Several faces",
    "duplicate": "Duplicate",
    "changed": "File has changed",
    "unnamed": "Nobody is named",
    "left out": "Left out",
    "guess": "Guess",
    "doubtful": "Doubtful face",
    "not a face": "Unclear",
    "unlike": "Stands out",
    "cut off": "Cut off at the edge",
    "tiny": "Very small",
    "blurred": "Blurred",
    "dark": "Very dark",
    "cut short": "Incomplete file",
    "scaled": "Grey values scaled",
    "pages": "Several pages",
    "gone": "File missing",
    "lost": "No longer in the photo",
    "single": "Only photo",
}


def sharpness(crop: Floats) -> float:
    """Return the sharpness of a crop (h, w): std(Laplacian) / std(grey values).

    Brightness and contrast do not matter. A sharp face of 92 × 112 pixels scores about 0.4 or more.
    """
    middle = crop[1:-1, 1:-1]
    around = crop[:-2, 1:-1] + crop[2:, 1:-1] + crop[1:-1, :-2] + crop[1:-1, 2:]
    return float((around - 4 * middle).std() / max(float(crop.std()), 1e-6))


def concerns(reading: FaceReading, preparation: Preparation) -> tuple[Concern, ...]:
    """Return the problems of a photograph, the most serious first.

    Notes, which need no attention, come last.
    """
    choice = reading.choice
    person = reading.photo.person or "this person"
    if choice is EVERY_FACE:
        return ()
    if choice is not None and choice.kind == "ask" and reading.several:
        remedy = "Choose the right one."
        return (Concern("several faces", choice.reason(person), remedy),)
    if (refusal := reading.refusal) is not None:
        remedy = _TURN if refusal.kind == "no face" else ""
        return (Concern(refusal.kind, str(refusal), remedy),)
    crop = reading.face
    placement = reading.photo.placement
    eyes = reading.eyes
    kinds = list[Concern]()
    if placement is not None and placement.source == "guess":
        guess = "It shows several faces, and the chosen one is a guess."
        reason = guess if choice is None else choice.reason(person)
        kinds.append(Concern("guess", reason, "Confirm it, or choose another face."))
    if (doubt := doubt_of(reading, preparation)) is not None:
        kinds.append(doubt)
    if eyes is not None:
        points = crop_pixel_positions(preparation.to_standard_eyes(eyes), preparation.shape)
        across = (points.real >= 0) & (points.real < reading.size[1])
        down = (points.imag >= 0) & (points.imag < reading.size[0])
        if (outside := 1 - float((across & down).mean())) > CUT_OFF:
            reason = f"{percent(outside, 0)} of the face is outside the photo."
            kinds.append(Concern("cut off", reason, _BETTER))
        if eyes.distance * ENLARGED < preparation.eye_distance:
            reason = f"The eyes are only {eyes.distance:.0f} pixels apart."
            kinds.append(Concern("tiny", reason, _BETTER))
    if sharpness(crop) < BLURRED:
        kinds.append(Concern("blurred", "The face shows no fine detail.", _BETTER))
    if float(crop.mean()) < DARK:
        remedy = "Leave it out, or choose a lighting correction in Settings."
        kinds.append(Concern("dark", "The face is very dark.", remedy))
    if reading.truncated:
        kinds.append(Concern("cut short", reading.truncated, "Use a complete copy if possible."))
    if reading.rescaled:
        kinds.append(Concern("scaled", reading.rescaled))
    if reading.pages:
        kinds.append(Concern("pages", reading.pages))
    return tuple(kinds)


def doubt_of(reading: FaceReading, preparation: Preparation) -> Concern | None:
    """Return why the detected face may be wrong, or None if there is no doubt.

    A doubtful face may not be a face, or may be somebody else's, and is never added without the
    user's consent. There is no doubt if the detector is certain and the eyes were found, or if the
    face recurs in the person's other photographs. Otherwise, the descriptor of the face
    decides, if there is one, or else its distance *from* the general face space.
    """
    score, choice = reading.score, reading.choice
    if choice is not None and choice.cause == "unlike":
        return Concern("unlike", choice.reason(reading.photo.person or "this person"), _LOOK)
    if score is None or (choice is not None and choice.cause == "recurs"):
        return None
    if not reading.placed:
        return Concern("doubtful", "It is not certain where the eyes are.", _LOOK)
    if score > CERTAIN:
        return None
    numbers = DESCRIPTORS.known([reading.crop_name]).get(reading.crop_name)
    if numbers is not None:
        no_face = network.is_no_face(numbers)
    elif reading.doubtful:
        return Concern("doubtful", "This may not be a face. It is only the best guess.", _LOOK)
    else:
        model = general_faces()
        distance = model.distance_of(reading.face, preparation.aligned_eyes)
        no_face = distance > float(model.limit)
    reason = "The detected area does not look like a face."
    return Concern("not a face", reason, _LOOK) if no_face else None


_LOOK = "If it is right, confirm it. If not, show where the face is, or leave it out."
_TURN = "Turn it first if it is not upright."
_BETTER = "Use a better photo, or leave it out."


_SOURCES = {
    "found": "found automatically",
    "guess": "a guess among several",
    "middle": "the most central of several",
    "by hand": "set by hand",
    "from a file": "read from a file",
}


def placement_facts(where: Placement) -> list[tuple[str, str | Path]]:
    """Return labelled facts about how a face was placed and how large it is."""
    if where.eyes is None:
        marked = ", marked by hand" if where.source == "by hand" else ""
        return [("Face", f"the whole photo{marked}")]
    return [("Face", _SOURCES[where.source]), ("Eyes apart", f"{where.eyes.distance:.0f} px")]


def sharpness_words(value: float) -> str:
    """Return the sharpness of a face as text, with its meaning: “0.41 (sharp)”."""
    word = "blurred" if value < BLURRED else "soft" if value < SOFT_SHARPNESS else "sharp"
    return f"{value:.2f} ({word})"
