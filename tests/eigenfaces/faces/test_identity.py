"""Which face is which: by where it is, on pictures of other sizes and turned, each once."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.faces.identity import FacePhoto, Photograph, match_faces, number_faces
from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes, Placement

PHOTOGRAPH = Photograph(Path("/photos/1.png"), "old", (200, 300))
SAVED_AGAIN = replace(PHOTOGRAPH, sha="new")


def face(x: float, photograph: Photograph = PHOTOGRAPH) -> FacePhoto:
    """Return a face whose eyes are 40 pixels apart, with their middle at x."""
    eyes = Eyes((x - 20, 100), (x + 20, 100))
    return FacePhoto(photograph, None, placement=replace(WHOLE_PHOTO, eyes=eyes))


@pytest.mark.parametrize(("moved", "same"), [(0, True), (19, True), (20, False), (-21, False)])
def test_a_face_is_the_same_within_half_an_eye_distance(moved: float, same: bool) -> None:
    assert face(100).is_same_face(face(100 + moved, SAVED_AGAIN)) == same
    assert match_faces([face(100)], [face(100 + moved)]) == ({0: 0} if same else {})


@pytest.mark.parametrize(
    ("size", "same"),
    [((400, 600), True), ((200, 305), True), ((200, 307), False), ((196, 300), False)],
)
def test_a_picture_of_another_shape_was_cut_off(size: tuple[int, int], same: bool) -> None:
    other = replace(SAVED_AGAIN, size=size)
    assert PHOTOGRAPH.has_shape_of(other) == other.has_shape_of(PHOTOGRAPH) == same
    assert face(100).is_same_face(face(100).moved_to(other)) == same


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize("before", range(4))
def test_a_point_is_turned_with_the_picture(turned: int, before: int) -> None:
    """As NumPy turns it; on a picture thrice as wide and twice as high, too."""
    picture = np.zeros((5, 8))
    picture[1, 6] = 1

    def seen(quarters: int, wide: int = 1, high: int = 1) -> tuple[Photograph, complex]:
        image = np.rot90(picture.repeat(high, axis=0).repeat(wide, axis=1), -quarters)
        rows, columns = np.nonzero(image)
        middle = complex(columns.mean() + 0.5, rows.mean() + 0.5)
        return Photograph(Path("/1.png"), "sha", image.shape, quarters), middle

    one, at = seen(before)
    assert one.unturned_size == (5, 8)
    assert one.unturned(at) == 6.5 + 1.5j
    assert one.turned_point(6.5 + 1.5j) == at
    for other, there in (seen(turned), seen(turned, wide=3, high=2)):
        assert one.point_on(other, at) == pytest.approx(there)


def test_the_nearest_are_matched_first_and_each_once() -> None:
    near, nearer = face(100), face(112)
    assert match_faces([near, nearer], [face(110)]) == {0: 1}
    assert match_faces([nearer, near], [face(110)]) == {0: 0}
    assert match_faces([face(100)], [face(105), face(101)]) == {1: 0}
    assert match_faces([near, nearer], [face(111), face(101)]) == {0: 1, 1: 0}


def test_no_number_is_given_twice() -> None:
    coming = [replace(face(x), number=1) for x in (50, 150, 250)]
    numbers = [photo.number for photo in number_faces(coming, {}, ())]
    assert numbers == [1, 2, 3]
    numbers = [photo.number for photo in number_faces(coming, {}, (1, 3))]
    assert numbers == [2, 4, 5]
    known = replace(face(150), number=1)
    numbers = [photo.number for photo in number_faces(coming, {1: known}, (1, 2))]
    assert numbers == [3, 1, 4]


def test_a_face_keeps_what_was_said_of_it_before() -> None:
    """But for its being right, where somebody has placed it elsewhere on the same file."""
    old = replace(face(100), person="Ada", excluded=True, right=True)
    again = replace(face(101, SAVED_AGAIN), person="Bob").in_place_of(old)
    assert (again.person, again.excluded, again.right) == ("Ada", True, True)
    assert again.photograph == SAVED_AGAIN
    named = replace(face(100, SAVED_AGAIN), person="Bob")
    assert named.in_place_of(replace(old, person=None)).person == "Bob"
    assert not named.in_place_of(replace(old, excluded=False)).excluded
    assert face(100).in_place_of(old).right
    assert not face(101).in_place_of(old).right
    assert not named.in_place_of(replace(old, right=False)).right


def test_a_face_that_is_cut_again_is_right_where_it_was() -> None:
    old = replace(face(100), person="Ada", number=2, excluded=True, right=True, crop="before")
    other = Photograph(Path("/elsewhere/2.png"), "old", (300, 200), turned=1)
    for x, right in ((100, True), (101, False)):
        cut = replace(face(x, other), person="Bob", crop="now")
        now = old.cut_again(cut)
        assert (now.path, now.photograph.turned) == (old.path, 1)
        assert (now.crop, now.placement, now.right) == ("now", cut.placement, right)
        assert (now.person, now.number, now.excluded) == ("Ada", 2, True)


def test_all_of_a_photograph_is_the_face_that_is_alone_on_it() -> None:
    whole = replace(face(100), placement=WHOLE_PHOTO)
    assert isinstance(whole.placement, Placement)
    assert match_faces([whole], [face(250)]) == {0: 0}
    assert match_faces([whole], [face(250), face(50)]) == {}
