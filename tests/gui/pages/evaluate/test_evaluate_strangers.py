"""The Evaluate page with strangers among the probes, and with every recipe."""

from page_shown import choose, evaluation_of, tiles

from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.text import percent
from gui.pages.evaluate.page import PROTOCOLS
from gui.plots.marks import Line
from tests import synthetic
from tests.gui import seen


def test_strangers_give_what_their_limit_reached_instead_of_rank_5(page, settled):
    choose(page.bar.protocol, "Open set")
    page.bar.enrolled.setValue(2)
    page.bar.components.number.setValue(5)
    assert page.bar.setting().share == 0.01
    page.bar.share.setValue(5)
    page.run()
    settled()
    for kind, counted in (("DIR reached", "mated"), ("FPIR reached", "5 % asked")):
        value, interval, note = tiles(page)[kind]
        assert value == percent(evaluation_of(page).figure(kind).value)
        assert interval.endswith("by person")
        assert counted in note
    assert seen.button(page.results.rates.kind, "DIR").isEnabled()
    page.results.rates.kind.set_current(2)
    assert page.results.rates.chart.of(Line)


def test_a_share_of_strangers_is_asked_only_where_there_may_be_some(page):
    for protocol in PROTOCOLS.values():
        choose(page.bar.protocol, protocol)
        assert page.bar.share.isVisible() == (protocol in ("Open set", "From lists…"))


def test_every_recipe_can_be_measured(page, settled):
    page.session.apply("x", synthetic.joined)
    settled()
    own = page.session.gallery.recipe
    for name in RECIPES:
        choose(page.bar.recipe, name)
        assert page.bar.setting().recipe.name == name
        assert page.bar.lighting.isEnabled() == (name == "Eigenfaces")
    choose(page.bar.recipe, "Texture")
    choose(page.bar.protocol, "First n photos")
    page.bar.enrolled.setValue(2)
    page.run()
    settled()
    assert evaluation_of(page).setting.recipe == RECIPES["Texture"]
    assert "Texture" in page.runs.choice.currentText()
    page.bar.back.click()
    assert page.bar.recipe.currentText() == own.name
    assert page.bar.setting().recipe == own
