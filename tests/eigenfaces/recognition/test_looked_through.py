"""What goes through every photograph is worked out before the window asks for it."""

from eigenfaces.faces import photo_index
from eigenfaces.recognition.verdict import identify, identify_all, without
from eigenfaces.space.screening import Screen
from tests.synthetic import small_gallery


def test_a_gallery_that_was_looked_through_is_not_gone_through_again(monkeypatch):
    made = small_gallery().look_through()
    known = dict(vars(made.index)), dict(vars(made)), dict(vars(made.trained))
    index = made.index
    _ = index.words, index.people, index.included, index.guesses, index.row_of("?"), made.changes
    _ = index.rows_by_person, made.calibrated, made.trained.keys
    monkeypatch.setattr(photo_index, "_mark", None)  # of every photograph
    _ = made.basis
    now = vars(made.index), vars(made), vars(made.trained)
    assert [before.keys() - {"people"} for before in known] == [
        after.keys() - {"people"} for after in now
    ]


def test_several_faces_are_searched_for_together_and_ranked_without_a_search(monkeypatch):
    made = small_gallery()
    asked = []
    scores = Screen.scores
    monkeypatch.setattr(
        Screen, "scores", lambda of, probes: asked.append(len(probes)) or scores(of, probes)
    )
    verdicts = identify_all(made, made.faces.pixels[:7])
    ranked = [verdict.top(3) for verdict in verdicts]
    assert asked == [7]
    for verdict, first in zip(verdicts, ranked, strict=True):
        assert first == verdict.search.first(verdict.coordinates[None], 3)[0]
        out = without(made, verdict, [first[0].person])
        assert out.top(2) == first[1:]


def test_what_is_asked_about_one_face_is_scored_once(monkeypatch):
    made = small_gallery().look_through()
    verdict = identify(made, made.faces.image(2))
    asked = []
    scores = Screen.scores
    monkeypatch.setattr(
        Screen, "scores", lambda of, probes: asked.append(len(probes)) or scores(of, probes)
    )
    nearest, farthest = verdict.nearest(5), verdict.farthest
    out = without(made, verdict, [verdict.closest.person])
    asked.clear()
    left = out.nearest(5)
    assert nearest[0] not in left
    assert left[-1][1] <= out.farthest <= farthest
    assert verdict.nearest(5) == nearest
    assert asked == []


def test_one_person_is_looked_through_where_nobody_is_left_when_away():
    made = small_gallery()
    photos = [made.index.photos[row].key for row in made.index.rows_of("Ada")]
    alone = made.remove([p.key for p in made.index.photos if p.key not in photos])
    alone = alone.train().calibrate()
    assert alone.calibrated is not None
    assert alone.look_through().calibrated.reason
