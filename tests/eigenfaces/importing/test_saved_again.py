"""A photograph that another program has saved again or moved: its faces stay who they are."""

import contextlib
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import FACE, PICTURE, two_faces
from PIL import Image, PngImagePlugin

from eigenfaces import Gallery, Preparation, Project, load_faces
from eigenfaces.errors import PhotoError, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.read import read_face
from eigenfaces.importing.correct import (
    UNCORRECTED,
    ReadTask,
    read_for_review,
    recropped_faces,
)
from eigenfaces.importing.load import placements_for_recrop, recrop_faces, unmoved_faces
from eigenfaces.importing.review import Review
from eigenfaces.photographs.find import FoundPhotos, Photo, Region
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos
from eigenfaces.recognition.probes import (
    ProbeList,
    probes_on,
    with_answers_carried_over,
    with_known_numbers,
)

GROUP = Image.open(io.BytesIO(two_faces(1.3)))
"""A face at the left, and a larger one at the right."""

FOUND = Preparation(28, 24)


def save(path: Path, picture: Image.Image, rating: str) -> None:
    """Write a picture; another rating makes another file of the same picture."""
    words = PngImagePlugin.PngInfo()
    words.add_text("rating", rating)
    picture.save(path, "PNG", pnginfo=words)


def imported(gallery: Gallery, *photos: Photo) -> Gallery:
    """Return a gallery after an import."""
    found = FoundPhotos(photos)
    known = gallery.faces
    return gallery.enrol(load_faces(found, FOUND, known=known, guess=True, every=True))


def by_name(gallery: Gallery) -> dict[str | None, FacePhoto]:
    assert len({photo.person for photo in gallery.index.photos}) == len(gallery.faces)
    return {photo.person: photo for photo in gallery.index.photos}


def middle(photo: FacePhoto) -> float:
    """Return how far to the right a face is, 0…1."""
    assert photo.placement.eyes is not None
    return photo.placement.eyes.middle.real / photo.size[1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "group.png"
    save(path, GROUP, "1")
    return path


@pytest.fixture
def gallery(path: Path) -> Gallery:
    """Ada, the first face, at the left; Bob, the second, excluded and said to be right."""
    gallery = imported(Gallery.new(FOUND), Photo(path))
    ada, bob = (photo.id for photo in gallery.index.photos)
    assert (ada.number, bob.number) == (1, 2)
    named = gallery.move([ada], "Ada").move([bob], "Bob").exclude([bob]).confirm([bob])
    return named.with_answer(ada, Answer("right", "Ada")).with_answer(bob, Answer("right", "Bob"))


def check_names(gallery: Gallery) -> None:
    faces = by_name(gallery)
    ada, bob = faces["Ada"], faces["Bob"]
    assert (ada.number, bob.number) == (1, 2)
    assert middle(ada) < 0.5 < middle(bob)
    assert (ada.excluded, bob.excluded, ada.right, bob.right) == (False, True, False, True)
    assert not ada.lost
    assert not bob.lost
    said = {ada.id: Answer("right", "Ada"), bob.id: Answer("right", "Bob")}
    assert gallery.answers == said


@pytest.mark.parametrize("person", [None, "Ada", "Bob"])
@pytest.mark.parametrize("size", [(800, 480), (400, 240)])
def test_each_face_keeps_all_that_was_said_of_it(
    gallery: Gallery, path: Path, size: tuple[int, int], person: str | None
) -> None:
    """Whoever of them is named by the folder, and whatever the size of the picture."""
    before = {photo.id.sha for photo in gallery.index.photos}
    save(path, GROUP.resize(size, Image.Resampling.LANCZOS), "5")
    after = imported(gallery, Photo(path, person))
    check_names(after)
    assert len(after.faces) == 2
    assert not before & {photo.id.sha for photo in after.index.photos}
    assert imported(after, Photo(path, person)).index.photos == after.index.photos


@pytest.mark.parametrize("person", [None, "Ada", "Bob"])
def test_the_review_knows_them_and_asks_nothing(
    gallery: Gallery, path: Path, person: str | None
) -> None:
    save(path, GROUP.resize((400, 240)), "5")
    found = FoundPhotos((Photo(path, person),))
    review = Review(found, gallery.faces, FOUND)
    for task in review.tasks():
        review.add_reading(read_for_review(task, FOUND, gallery.faces))
    (entry,) = review.entries(found)
    assert entry.state == "replaced"
    assert not entry.needs_attention
    plan = review.plan([entry])
    known = unmoved_faces(gallery.faces, plan.found.photos, plan.readings)
    options = {"known": known, "already": plan.readings, "every": True}
    check_names(gallery.enrol(load_faces(plan.found, FOUND, guess=True, **options)))


def test_by_where_the_eyes_are_whatever_their_order(gallery: Gallery, path: Path) -> None:
    save(path, GROUP, "5")
    coming = load_faces(FoundPhotos((Photo(path),)), FOUND, guess=True, every=True)
    backwards = coming.select([1, 0])
    photos = [replace(photo, number=at) for at, photo in enumerate(backwards.index.photos, 1)]
    pairs = zip(backwards.index.photos, photos, strict=True)
    check_names(gallery.enrol(backwards.with_photos({old.id: new for old, new in pairs})))


def test_what_was_trained_on_is_the_same_face(gallery: Gallery, path: Path) -> None:
    trained = gallery.exclude([gallery.index.photos[1].id], False).train()
    save(path, GROUP, "5")
    after = imported(trained, Photo(path))
    assert after.changes_since_training == 0
    assert after.trained.faces == {photo.id for photo in after.index.photos}


def test_a_face_that_is_gone_stays_and_is_marked(gallery: Gallery, path: Path) -> None:
    """Nobody has said that it is right: it is not to be seen."""
    gallery = gallery.confirm([by_name(gallery)["Ada"].id])
    before, without = by_name(gallery), GROUP.copy()
    without.paste(128, (0, 0, 400, 480))
    save(path, without, "1")
    after = imported(gallery, Photo(path))
    faces = by_name(after)
    assert faces["Ada"] == replace(before["Ada"], lost=True, right=False)
    assert (faces["Bob"].number, faces["Bob"].lost, faces["Bob"].right) == (2, False, True)
    save(path, GROUP, "1")  # as it was
    check_names(imported(after, Photo(path)))
    save(path, GROUP, "2")
    check_names(imported(after, Photo(path)))


def test_a_face_that_is_added_has_a_new_number(gallery: Gallery, path: Path) -> None:
    with_third = Image.new("L", GROUP.size, 128)
    with_third.paste(GROUP.resize((400, 240)), (0, 0))
    with_third.paste(GROUP.resize((400, 240)), (400, 0))
    save(path, with_third, "1")
    four = imported(Gallery.new(FOUND), Photo(path))
    without = with_third.copy()
    without.paste(128, (400, 0, 800, 480))
    save(path, without, "1")
    two = imported(Gallery.new(FOUND), Photo(path))
    assert (len(four.faces), len(two.faces)) == (4, 2)
    save(path, with_third, "1")
    after = imported(two.move([two.index.photos[0].id], "Ada"), Photo(path))
    assert [(p.number, p.person) for p in after.index.photos] == [
        (1, "Ada"), (2, None), (3, None), (4, None)
    ]  # fmt: skip


def test_two_faces_without_a_name_are_two(gallery: Gallery, path: Path) -> None:
    """One of the same file that comes alone, elsewhere on it, is added."""
    ada, bob = gallery.index.photos
    nobody = Gallery.new(FOUND).enrol(
        gallery.faces.select([0]).with_photos({ada.id: replace(ada, person=None)})
    )
    other = gallery.faces.select([1]).with_photos({bob.id: replace(bob, person=None, number=1)})
    both = nobody.enrol(other)
    assert [photo.number for photo in both.index.photos] == [1, 2]
    assert [photo.placement for photo in both.index.photos] == [ada.placement, bob.placement]


def test_a_picture_that_was_cut_off_gives_nobody_a_name(gallery: Gallery, path: Path) -> None:
    """The right face lies where the left one was, and is another person's."""
    save(path, GROUP.crop((450, -6, 1248, 594)), "1")  # so far from the edges, in shares
    after = imported(gallery, Photo(path))
    new = [photo for photo in after.index.photos if not photo.lost]
    assert [(photo.person, photo.number) for photo in new] == [(None, 3)]
    assert {photo.person for photo in after.index.photos if photo.lost} == {"Ada", "Bob"}


def test_a_photograph_that_has_moved_is_the_same(gallery: Gallery, path: Path) -> None:
    """Also where another one has its place now."""
    there = path.with_name("elsewhere.png")
    path.rename(there)
    moved = imported(gallery, Photo(there))
    check_names(moved)
    assert {photo.path for photo in moved.index.photos} == {there}
    save(path, GROUP.resize((400, 240)), "9")
    both = imported(gallery, Photo(path), Photo(there))
    named = [photo for photo in both.index.photos if photo.person]
    assert {photo.path for photo in named} == {there}
    assert not any(photo.lost for photo in both.index.photos)
    assert len(both.faces) == 4


def test_a_copy_has_not_moved(gallery: Gallery, path: Path) -> None:
    copy = path.with_name("copy.png")
    copy.write_bytes(path.read_bytes())
    assert imported(gallery, Photo(copy)).index.photos == gallery.index.photos


def test_in_a_project_that_was_opened_again(gallery: Gallery, path: Path) -> None:
    file = path.with_name("group.eigenfaces")
    Project.create(file, gallery).close()
    save(path, GROUP.resize((400, 240)), "5")
    with contextlib.closing(Project.open(file)) as project:
        project.save(imported(project.gallery, Photo(path)))
    with contextlib.closing(Project.open(file)) as project:
        check_names(project.gallery)
        assert project.gallery.answers[project.gallery.index.photos[0].id].person == "Ada"


def test_a_probe_of_it_is_the_face_in_the_gallery(gallery: Gallery, path: Path) -> None:
    save(path, GROUP.resize((400, 240)), "5")
    probes = with_known_numbers(gallery, probes_on(Photo(path), FOUND))
    rows = [gallery.index.row_of_face(probe.photo) for probe in probes]
    assert [gallery.index.photos[row or 0].person for row in rows] == ["Ada", "Bob"]
    assert [probe.photo.number for probe in probes] == [1, 2]


def test_what_was_answered_about_a_probe_is_answered(gallery: Gallery, path: Path) -> None:
    """The gallery does not have it; the list of faces to recognise has each face once."""
    empty = Gallery.new(FOUND)
    first = probes_on(Photo(path), FOUND)
    listed = ProbeList(tuple(first))
    answered = empty.with_answer(first[1].photo.id, Answer("nobody"))
    save(path, GROUP.resize((400, 240)), "5")
    again = with_known_numbers(empty, probes_on(Photo(path), FOUND)[::-1], first)
    assert [probe.photo.number for probe in again] == [2, 1]
    now = with_answers_carried_over(answered, first, again)
    assert now.answers == {again[0].photo.id: Answer("nobody")}
    assert listed.add(again).probes == tuple(again)


def test_a_lost_face_needs_attention(gallery: Gallery, path: Path) -> None:
    without = GROUP.copy()
    without.paste(128, (0, 0, 400, 480))
    save(path, without, "1")
    after = imported(gallery, Photo(path))
    concerns = check_photos(after, PhotoChecks(), no_tick).concerns
    concern = concerns[by_name(after)["Ada"].id]
    assert (concern.kind, concern.title) == ("lost", "No longer in the photo")
    assert "“group.png” was saved again" in concern.sentence


def test_cut_otherwise_nothing_that_was_found_is_looked_for(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither has the second face the picture of the first, nor both that of all."""
    monkeypatch.setattr("eigenfaces.faces.read.Picture.upright_faces", None)
    whole = replace(FOUND, already_cropped=True)
    there = recut(gallery, whole)
    back = recut(there, FOUND)
    for now in (there, back):
        assert now.index.photos == gallery.index.photos
        assert (now.faces.pixels.array == gallery.faces.pixels.array).all()
    assert (back.faces.pixels[0] != back.faces.pixels[1]).any()


def recut(gallery: Gallery, preparation: Preparation) -> Gallery:
    placed = placements_for_recrop(gallery.index, gallery.preparation, preparation)
    return gallery.with_crops(recrop_faces(placed, preparation), preparation)


def test_what_is_alone_on_a_photograph_is_all_of_it_if_photographs_are_faces(
    tmp_path: Path,
) -> None:
    PICTURE.crop(FACE).save(tmp_path / "1.png")
    gallery = imported(Gallery.new(FOUND), Photo(tmp_path / "1.png", "Ada"))
    whole = recut(gallery, replace(FOUND, already_cropped=True))
    (photo,) = whole.index.photos
    (face,) = gallery.index.photos
    assert (photo.placement.eyes, photo.id) == (None, face.id)
    assert recut(whole, FOUND).index.photos == gallery.index.photos
    by_hand = replace(face, placement=replace(face.placement, source="by hand"))
    index = gallery.index.with_photos({face.id: by_hand})
    assert placements_for_recrop(index, FOUND, whole.preparation) == [(by_hand, by_hand.placement)]


def test_a_file_that_changes_while_it_is_imported_is_not_taken_for_what_was_read(
    gallery: Gallery, path: Path
) -> None:
    """Its faces are not cut by the eyes of the old picture, nor are they of two files."""
    ada, bob = gallery.index.photos
    boxes = [photo.placement.eyes.box for photo in (ada, bob) if photo.placement.eyes is not None]
    marked = Photo(path, "Ada", ada.placement, regions=tuple(map(Region, boxes, ("Ada", "Bob"))))
    nobody = FaceSet.empty(FOUND.shape)
    before = read_for_review(ReadTask(marked, UNCORRECTED), FOUND, nobody)
    save(path, GROUP, "5")
    faces = load_faces(FoundPhotos((marked,)), FOUND, already={path: before})
    assert [skipped.kind for skipped in faces.skipped] == ["changed"]
    with pytest.raises(PhotoError, match="has changed since it was read"):
        recropped_faces(
            gallery.index,
            {ada.id: read_for_review(ReadTask(marked, UNCORRECTED), FOUND, nobody)},
            FOUND.shape,
        )
    found = read_for_review(ReadTask(Photo(path), UNCORRECTED), FOUND, nobody)
    save(path, GROUP.transpose(Image.Transpose.FLIP_LEFT_RIGHT), "5")
    small = replace(FOUND, width=16)
    again = read_for_review(ReadTask(Photo(path), UNCORRECTED, found), small, nobody)
    assert again.faces == read_face(Photo(path), small).faces


def test_images_in_no_file_are_never_the_same_photograph() -> None:
    one = FaceSet.from_arrays(np.zeros((1, 16, 16)), ["A"])
    other = FaceSet.from_arrays(np.ones((1, 16, 16)), ["B"])
    gallery = Gallery.new(Preparation(16, 16)).enrol(one).enrol(other)
    assert gallery.people == ("A", "B")
    assert [photo.id.number for photo in gallery.index.photos] == [1, 1]
    assert gallery.index.row_of(FaceId("none")) is None
