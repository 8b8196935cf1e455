"""Looking at photographs: at the one face that each is of, or at every face in it."""

from dataclasses import dataclass

from eigenfaces.errors import PhotoError, Tick
from eigenfaces.faces.face_reading import Sighting, every_face, look_at
from eigenfaces.faces.face_set import each_of
from eigenfaces.faces.preparation import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.samples import read_mended


@dataclass(frozen=True)
class Noticed:
    """A photograph whose face was found, and what about it needs attention."""

    photo: Photo
    concerns: tuple[Concern, ...]

    @property
    def doubtful(self) -> bool:
        """Whether the face is only the best guess."""
        return any(each.kind == "doubtful" for each in self.concerns)


def look_over(
    found: FoundPhotos, preparation: Preparation, tick: Tick
) -> tuple[FoundPhotos, list[Noticed]]:
    """Find the face of every photograph, and notice what needs attention.

    Photographs that show none, or several, are passed over with the reason.
    """

    def look(photo: Photo) -> Noticed:
        (seen,) = look_for(photo, preparation, every=False)
        return Noticed(seen.photo, concerns(seen, preparation))

    looked: list[Noticed] = []
    skipped = list(found.skipped)
    for photo, result in zip(found.photos, each_of(look, found.photos, tick), strict=True):
        try:
            looked.append(result())
        except PhotoError as error:
            skipped.append(Skipped(photo.path, str(error), photo.person))
    return FoundPhotos(tuple(each.photo for each in looked), tuple(skipped)), looked


def look_for(photo: Photo, preparation: Preparation, *, every: bool) -> list[Sighting]:
    """Return the face that a photograph is of, or every face in it, from left to right.

    Raises `PhotoError` with the reason where there is none.
    """
    if every:
        return every_face(photo, preparation, read_mended)
    sighting = look_at(photo, preparation, read_mended)
    assert sighting.face is not None  # or it has raised
    return [sighting]
