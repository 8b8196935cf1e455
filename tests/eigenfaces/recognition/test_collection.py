"""Checking a collection: each thing is found, in order, and not again once it is answered."""

from dataclasses import replace

import numpy as np
import pytest
from synthetic import small_gallery

from eigenfaces import FaceSet, Gallery
from eigenfaces.errors import Cancelled
from eigenfaces.recognition.collection import check_collection
from eigenfaces.recognition.look_alikes import Finding


def spoilt() -> Gallery:
    """Return a gallery in which most is wrong once.

    Two of Ada's photographs are Ann's; Mary has one photograph three times; of Sofia there is one.
    """
    gallery = small_gallery()
    photos = gallery.index.photos
    gallery = gallery.move([photos[2].id, photos[3].id], "Ann")
    darker = np.stack([gallery.faces.image(16) * share for share in (0.97, 0.99)])
    copies = FaceSet.from_arrays(darker, ["Mary", "Mary"])
    gallery = gallery.remove([photo.id for photo in photos[21:]]).enrol(copies)
    return gallery.train()


def kinds(found: tuple[Finding, ...]) -> list[tuple[str, tuple[str, str]]]:
    return [(one.kind, one.people) for one in found]


def test_all_is_found_what_matters_most_first() -> None:
    gallery = spoilt()
    found = check_collection(gallery)
    assert kinds(found) == [
        ("one person", ("Ada", "Ann")),
        ("same picture", ("Mary", "Mary")),
        ("single", ("Sofia", "Sofia")),
    ]
    assert all(one.sentence.endswith(".") and one.remedy.endswith(".") for one in found)
    assert len(found[1].faces) == 3, "a group, no pairs"
    assert found[2].sentence == "There is only one photo of “Sofia”."


def test_what_is_answered_is_not_found_again() -> None:
    gallery = spoilt()
    _, same, single = check_collection(gallery)
    answered = gallery.settle("Ada", "Ann").confirm(same.faces).confirm(single.faces)
    assert check_collection(answered.train()) == ()
    assert not any(one.is_open(answered) for one in check_collection(gallery))
    assert kinds(check_collection(gallery.remove(same.faces[1:]).train())) == [
        ("one person", ("Ada", "Ann")),
        ("single", ("Sofia", "Sofia")),
    ]


def test_a_photograph_that_fits_somebody_else_better_is_found_once() -> None:
    gallery = small_gallery()
    moved = gallery.move([gallery.index.photos[4].id], "Hedy").train()
    (wrong,) = check_collection(moved)
    assert (wrong.kind, wrong.people) == ("photo", ("Hedy", "Grace"))
    assert wrong.remedy == "Move it to “Grace”, or say that its name is correct."
    assert check_collection(moved.move(wrong.faces, "Grace").train()) == ()


def test_the_chosen_photograph_is_kept_else_the_largest() -> None:
    gallery = spoilt()
    (same,) = (one for one in check_collection(gallery) if one.kind == "same picture")
    _, second, third = same.faces
    key = gallery.with_key(second)
    (kept,) = (one for one in check_collection(key) if one.kind == "same picture")
    assert kept.faces[0] == second
    photo = gallery.index.photos[gallery.index.row_by_id[third]]
    large = replace(photo, photograph=replace(photo.photograph, size=(2400, 2000)))
    larger = replace(gallery, faces=gallery.faces.with_photos({third: large}))
    (kept,) = (one for one in check_collection(larger) if one.kind == "same picture")
    assert kept.faces[0] == third


def test_one_picture_under_two_names_names_both() -> None:
    gallery = small_gallery()
    copy = FaceSet.from_arrays(gallery.faces.image(0)[None] * 0.98, ["Grace"])
    (same,) = (
        one for one in check_collection(gallery.enrol(copy).train()) if one.kind == "same picture"
    )
    assert same.sentence == "2 photos are nearly the same picture, but of “Ada” and of “Grace”."


def test_before_training_only_what_needs_no_face_space_is_found() -> None:
    gallery = replace(spoilt(), training=None, calibration=None)
    assert [one.kind for one in check_collection(gallery)] == ["same picture", "single"]
    assert check_collection(Gallery.new()) == ()


def test_it_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        check_collection(spoilt(), stop)
