"""An edited index is as one made anew, and costs what the edit changes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces import photo_index
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex, count_faces

_NAMES = (None, "Ada", "Grace", "Hedy")


def _photo(number: int, person: str | None = None) -> FacePhoto:
    """Return a photograph; each third is the second face of the one before it."""
    key = f"{number - 1:04x}-2" if number % 3 == 2 else f"{number:04x}"
    return FacePhoto(Path(f"{number}.jpg"), person, key, (9, 9), crop=f"crop {number}")


def _known(index: PhotoIndex, fitted: photo_index.CropKeys) -> list[object]:
    """Return all that is worked out of an index; asked once more it comes from what is kept."""
    return [
        list(index.rows_by_person.items()),
        index.people,
        dict(index.places),
        index.included,
        index.enrolled,
        index.enrolled_sum,
        index.files,
        index.unlike(fitted),
    ]


@given(
    st.lists(st.sampled_from(_NAMES), min_size=2, max_size=12),
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from(("name", "keep out", "go", "come")))),
    st.integers(0, 2**32 - 1),
)
def test_edits_lead_to_the_index_made_anew(people, edits, seed):
    rng = np.random.default_rng(seed)
    index = PhotoIndex(tuple(_photo(row, person) for row, person in enumerate(people)))
    fitted = frozenset((photo.key, photo.crop) for photo in index.photos[::2])
    _known(index, fitted)
    for number, (which, kind) in enumerate(edits):
        some = {p.key: p for p in index.photos if rng.random() < which / 20}
        person = _NAMES[rng.integers(len(_NAMES))]
        if kind == "name":
            index = index.with_photos({k: replace(p, person=person) for k, p in some.items()})
        elif kind == "keep out":
            index = index.with_photos({k: replace(p, excluded=True) for k, p in some.items()})
        elif kind == "go":
            index = index.without(some.keys())
        else:
            placed = {index.places[k]: replace(p, crop=f"anew {number}") for k, p in some.items()}
            index = index.joined([_photo(100 + number, person)], placed)
        assert _known(index, fitted) == _known(PhotoIndex(index.photos), fitted)
        assert index.words == count_faces(index.photos)
        assert index.words_of(index.included) == count_faces(
            [index.photos[row] for row in index.included]
        )


def test_an_edit_of_one_photo_hashes_no_other(monkeypatch: pytest.MonkeyPatch):
    index = PhotoIndex(tuple(_photo(row, "Ada") for row in range(30)))
    before, hashed = index.enrolled_sum, []
    mark = photo_index._mark
    monkeypatch.setattr(photo_index, "_mark", lambda photo: hashed.append(photo.key) or mark(photo))
    one = index.photos[7]
    out = index.with_photos({one.key: replace(one, excluded=True)})
    assert out.enrolled_sum != before
    back = out.with_photos({one.key: one})
    gone = back.without([one.key])
    assert gone.enrolled_sum == out.enrolled_sum
    assert gone.joined([one], {}).enrolled_sum == back.enrolled_sum == before
    assert set(hashed) == {one.key}


def test_who_is_enrolled_is_told_apart_by_name_and_crop():
    index = PhotoIndex((_photo(0, "Ada"), _photo(1, "Grace")))
    one, other = index.photos
    swapped = (replace(one, person="Grace"), replace(other, person="Ada"))
    cut = (replace(one, crop="another"), other)
    sums = {PhotoIndex(photos).enrolled_sum for photos in (index.photos, swapped, cut)}
    assert len(sums) == 3
    assert PhotoIndex((other, one)).enrolled_sum == index.enrolled_sum
