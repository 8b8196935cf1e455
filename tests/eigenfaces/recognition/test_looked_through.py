"""What goes through every photograph is worked out before the window asks for it."""

from eigenfaces.faces import photo_index
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
