"""Help finds by what people call it: thirty questions of families, teachers and researchers."""

import pytest

from eigenfaces.manual.search import find
from eigenfaces.manual.sections import sections

QUESTIONS = {
    "export names": "Recognise",
    "delete person": "People",
    "duplicate": "Adding photographs",
    "merge two people": "People",
    "wrong name": "People",
    "who is this": "People",
    "blurry pictures": "People",
    "raw files": "Adding photographs",
    "iphone heic": "Adding photographs",
    "import a folder": "Adding photographs",
    "where did my tags from lightroom go": "Adding photographs",
    "undo an answer": "Your answers",
    "keyboard shortcuts": "Keyboard",
    "make a backup": "The project file",
    "it crashed during the import": "The project file",
    "is it private": "Privacy",
    "does it upload to the cloud": "Privacy",
    "dark mode": "Settings",
    "how sure is a name": "How certain is a name?",
    "photos of kids": "What is not guaranteed",
    "people who look alike": "People who look alike",
    "average face": "Mean and centring",
    "lesson plan for my class": "A lesson of twenty minutes",
    "full screen on a projector": "For a whole room: F11",
    "pca": "Components",
    "false match rate": "Words of an evaluation",
    "cross validation": "Evaluate",
    "machine readable output": "Tables and JSON",
    "sklearn": "From OpenCV or scikit-learn",
    "license": "Licences",
}
"""What people ask, and the section that must be among the first three."""


@pytest.mark.parametrize(("question", "title"), QUESTIONS.items(), ids=QUESTIONS)
def test_a_question_finds_its_section(question: str, title: str) -> None:
    assert title in {section.title for section in sections()}
    assert title in [section.title for section in find(question)[:3]]


def test_there_are_thirty_questions() -> None:
    assert len(QUESTIONS) == 30


def test_words_count_in_any_order_and_the_last_one_as_far_as_it_is_typed() -> None:
    assert find("names export") == find("export names") != ()
    assert find("NAMES, EXPORT!") == find("names export")
    for typed in ("key", "keyb", "keyboa", "keyboard"):
        assert "Keyboard" in [section.title for section in find(typed)[:3]]


@pytest.mark.parametrize("words", ["xyzzy", "", "  ", '"', "AND", "-(", "qwxz:*", "the"])
def test_what_means_nothing_finds_nothing(words: str) -> None:
    """And no sign is taken for a command of the search."""
    assert find(words) == ()


def test_where_not_all_words_are_together_most_of_them_are() -> None:
    found = find("xyzzy eigenfaces variance")
    assert found
    assert found[:3] == find("eigenfaces variance xyzzy")[:3]
