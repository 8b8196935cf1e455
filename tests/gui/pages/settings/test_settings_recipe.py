"""The recipe on the Settings page: its numbers, and what does not go together."""

import pytest

from eigenfaces import Recipe
from eigenfaces.recognition.recipe import RECIPES
from tests.gui import seen


def test_what_a_recipe_does_not_have_cannot_be_set(page, trained_session, settled):
    editors = page.recipe.scaling, page.light.lighting, page.light.background
    assert all(editor.isEnabled() for editor in editors)
    trained_session.apply("x", lambda now: now.with_recipe(RECIPES["Texture"]))
    settled()
    assert not any(editor.isEnabled() for editor in editors)
    assert page.recipe.whitening.isEnabled()


def test_whitening_and_its_smoothing(page, trained_session, settled):
    assert not page.recipe.smoothing.number.isEnabled()
    page.recipe.whitening.set_current(1)
    settled()
    page.recipe.smoothing.number.setValue(0.5)
    settled()
    assert trained_session.gallery.recipe.matcher.whitening == "pca"
    assert trained_session.gallery.recipe.matcher.smoothing == 0.5
    assert seen.says(page.recipe, "√(λᵢ + ε)")


def test_smoothing_as_a_share_of_the_mean_variance(page, trained_session, settled):
    recipe = page.recipe
    recipe.whitening.set_current(1)
    settled()
    recipe.smoothing.number.setValue(0.5)
    settled()
    gallery = trained_session.gallery
    mean = gallery.training.space.variances[: gallery.k].mean()
    recipe.smoothing.kind.set_current(1)
    settled()
    share = trained_session.gallery.recipe.matcher.smoothing
    assert share.endswith("%")
    assert float(share[:-1]) == pytest.approx(50 / mean, abs=0.005)  # it begins with the same ε
    assert (recipe.smoothing.number.isVisible(), recipe.smoothing.share.isVisible()) == (
        False,
        True,
    )
    recipe.smoothing.share.setValue(10)
    settled()
    assert trained_session.gallery.recipe.matcher.smoothing == "10%"
    assert seen.says(recipe, f"on average {mean:.4g}; ε = {mean / 10:.4g}")
    for _ in range(2):
        trained_session.undo()
        settled()
    assert recipe.smoothing.number.isVisible()
    assert recipe.smoothing.number.value() == 0.5


def test_what_the_boxes_show_is_what_the_recipe_says(page, trained_session, settled):
    """Also where it was said on the command line, and is more than anybody would choose here."""
    most = Recipe.of(components=100_000, dropped=5, smoothing=20_000.0, neighbours=250)
    trained_session.apply("the recipe", lambda gallery: gallery.with_recipe(most))
    settled()
    recipe = page.recipe
    boxes = (
        *(recipe.components.number, recipe.dropped),
        *(recipe.smoothing.number, recipe.comparison.neighbours),
    )
    assert [box.value() for box in boxes] == [100_000, 5, 20_000.0, 250]


def test_not_all_that_is_compared_can_be_dropped(page, trained_session, settled):
    trained_session.apply("share", lambda now: now.with_recipe(now.recipe.changed(components=0.9)))
    settled()
    gallery = trained_session.gallery
    page.recipe.dropped.setValue(gallery.k)
    settled()
    assert trained_session.gallery is gallery
    assert "so none is left: drop fewer" in page.recipe.refusal.text.text()
    assert page.recipe.dropped.value() == 0
    page.recipe.dropped.setValue(gallery.k - 1)
    settled()
    assert not page.recipe.refusal.isVisible()
    assert trained_session.gallery.comparison.which == slice(gallery.k - 1, gallery.k)


def test_what_does_not_go_together_is_explained_in_place(page, trained_session, settled):
    distance = page.recipe.comparison.distance
    distance.setCurrentText("Mahalanobis cosine")
    distance.activated.emit(distance.currentIndex())
    settled()
    before = trained_session.gallery
    page.recipe.whitening.set_current(1)
    settled()
    assert trained_session.gallery is before
    assert page.recipe.refusal.isVisible()
    assert "whitens by itself" in page.recipe.refusal.text.text()
    assert page.recipe.whitening.current_text == "None"
    distance.setCurrentText("L2")
    distance.activated.emit(distance.currentIndex())
    settled()
    assert not page.recipe.refusal.isVisible()
