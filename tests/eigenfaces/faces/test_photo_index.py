"""An edited index is as one made anew, and costs what the edit changes."""

from dataclasses import replace
from pathlib import Path

from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex

_NAMES = (None, "Ada", "Grace", "Hedy")


def _photo(number: int, person: str | None = None) -> FacePhoto:
    """Return a photograph; each third is the second face of the one before it."""
    key = f"{number - 1:04x}-2" if number % 3 == 2 else f"{number:04x}"
    return FacePhoto(Path(f"{number}.jpg"), person, key, (9, 9), crop=f"crop {number}")


def test_who_is_enrolled_is_told_apart_by_name_and_crop():
    index = PhotoIndex((_photo(0, "Ada"), _photo(1, "Grace")))
    one, other = index.photos
    swapped = (replace(one, person="Grace"), replace(other, person="Ada"))
    cut = (replace(one, crop="another"), other)
    sums = {PhotoIndex(photos).enrolled_sum for photos in (index.photos, swapped, cut)}
    assert len(sums) == 3
    assert PhotoIndex((other, one)).enrolled_sum == index.enrolled_sum
