"""What holds for every lesson: its listing gives the numbers of its picture."""

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from made_subjects import cloud, images, noise

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons import (
    auto_encoder,
    component_count,
    faceness_map,
    redundant_features,
    robustness,
    scale,
)
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.lesson import Lesson, without_markup
from eigenfaces.lessons.subjects import SUBJECTS, BuiltIn, Subject

CASES: list[tuple[str, Any, dict[str, Any]]] = [
    (member.name, key, {}) for member in LESSONS for key in member.subjects if key in SUBJECTS
]
CASES.append(("cannot-see", "moons", {"perplexity": 30}))
CASES.append(("sees-faces", "sample", {"photo": "coffee", "size": 0.4, "k": 40}))
CASES.append(("cannot-stand", "sample", {"change": "cover", "amount": 80, "face": 3}))
CASES += [("line", "line", {"third": a > 0, "scaled": b > 0}) for a, b in np.ndindex(2, 2)]
CASES.append(("any-pictures", noise(30, 5, 4, 3), {"k": 9, "which": 30}))  # in colour
CASES.append(("any-pictures", "digits", {"scaled": True, "which": 7}))
CASES.append(("how-many", noise(10, 5, 6), {"k": 10}))  # of seven components, six leave noise
CASES.append(("few-numbers", noise(160, 13, 12), {}))  # for its buttons, which go up to 150
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
LINE = np.outer(np.arange(4), [1.0, 2.0])


@pytest.mark.parametrize(("name", "data", "settings"), CASES)
def test_the_listing_gives_the_numbers_of_the_picture(
    name: str, data: Any, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the default settings and, except on faces (slow), those of each step and button."""
    subject, chosen = SUBJECTS[data].make(0) if isinstance(data, str) else data, lesson(name)
    settings = {**chosen.default_settings, **settings}
    ready = chosen.prepared(subject, settings)
    rtol = 1e-6 if isinstance(data, str) else 1e-4  # pixels are in single precision
    tried = [settings]
    if data not in ("sample", "half") and settings == chosen.default_settings:
        steps = (step.settings for step in chosen.steps if step.subject in ("", data))
        quick = (changed for changed in steps if not changed.keys() & {*chosen.slow_settings})
        tried += ({**settings, **changed} for changed in quick)
        tried += (chosen.after_button(title, ready, settings) for title in chosen.buttons)
    for values in tried:
        names: dict[str, Any] = {}
        exec(chosen.code(subject, values), names)
        picture = chosen.picture(ready, **values)
        assert picture.numbers
        for key, shown in picture.numbers.items():
            np.testing.assert_allclose(names[key], shown, rtol=rtol, atol=5e-7, err_msg=key)
    assert capsys.readouterr().out  # it says what it found


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("table", redundant_features.decompose),
        ("how-many", component_count.log_likelihoods),
        ("scale", scale.standardise),
        ("auto-encoder", auto_encoder.gradient_descent),
        ("cannot-stand", robustness.distorted),
        ("sees-faces", faceness_map.windows),
    ],
)
def test_a_listing_shows_the_code_that_computes_the_picture(
    name: str, function: Callable[..., object]
) -> None:
    """Every line of the function, in its order: also those that no default setting reaches."""
    body = dedent(inspect.getsource(function).partition('"""\n')[2].rpartition("    return ")[0])
    assert body.count("\n") >= 4
    assert body in lesson(name).listing


@every_lesson
def test_a_lesson_is_whole(lesson: Lesson[Any]) -> None:
    """A short listing, three sentences, a control and its words for each setting.

    Its steps set what can be set, on a subject that it has.
    """
    lines = lesson.listing.splitlines()
    assert not any(line.endswith("\\") for line in lines)
    assert 5 <= len(lines) <= 20
    assert max(map(len, lines)) <= 88
    controls = lesson.controls
    assert [field.name for field in controls] == list(lesson.default_settings)
    assert all(field.about for field in (*controls, *lesson.buttons.values()))
    read = {name.id for name in ast.walk(ast.parse(lesson.listing)) if isinstance(name, ast.Name)}
    assert [*lesson.read_by_program(lesson.default_settings)] == [
        name for name in lesson.default_settings if name in read
    ]
    checked = {field.name: field.checked(lesson.default_settings[field.name]) for field in controls}
    assert checked == lesson.default_settings
    assert len(lesson.see) == 3
    assert 2 <= len(lesson.steps) <= 4
    ready = {}
    for key in (lesson.subjects[0], *(step.subject for step in lesson.steps)):
        if key and key not in ready:
            assert key in lesson.subjects
            ready[key] = lesson.prepared(SUBJECTS[key].make(0), lesson.default_settings)
    words = lesson.picture(ready[lesson.subjects[0]], **lesson.default_settings).words
    for text in (*lesson.see, lesson.why, *(step.words for step in lesson.steps), lesson.formula):
        assert not set("<>{}") & set(without_markup(text.format_map(words))), text
    for step in lesson.steps:
        state = {**lesson.default_settings, **step.settings}
        shown = lesson.controls_for(ready[step.subject or lesson.subjects[0]])
        controls = {field.name: field for field in shown}
        for name, value in step.settings.items():
            assert controls[name].checked(value) == value, (step.words, name)
            assert name not in lesson.unused_settings(state)


def test_the_first_step_of_a_lesson_is_as_it_opens() -> None:
    """So the hall, which begins with the first step, shows what the page shows."""
    for member in LESSONS:
        first = member.steps[0]
        assert not first.subject
        assert {**member.default_settings, **first.settings} == member.default_settings


def test_every_lesson_asks_a_question_and_the_laboratory_none() -> None:
    for member in LESSONS:
        asked = member.question
        assert (asked is None) == (member.group == "Laboratory"), member.name
        if asked is not None:
            assert len(set(asked.answers)) == 3
            right, *wrong = (asked.reply(at) for at in (asked.right, *({0, 1, 2} - {asked.right})))
            assert right.startswith("Yes")
            assert all(reply.startswith("No") for reply in wrong)
            assert all(asked.answers[asked.right] in reply for reply in (right, *wrong))


def test_at_least_six_lessons_open_on_faces() -> None:
    on_faces = [member for member in LESSONS if member.subjects[0] in ("sample", "half", "small")]
    assert LESSONS[0] in on_faces
    assert len(on_faces) >= 6


@pytest.mark.parametrize("known", SUBJECTS.values(), ids=SUBJECTS)
def test_a_subject_is_what_its_code_makes_and_another_seed_another_one(known: BuiltIn) -> None:
    subject = known.made_anew(3)
    names: dict[str, Any] = {"np": np}
    exec(subject.code, names)
    np.testing.assert_array_equal(names["x"], subject.values)
    assert subject.labels == (tuple(map(str, names["labels"])) if "labels" in names else None)
    if known.is_random:
        assert not np.array_equal(known.made_anew(4).values, subject.values)


def test_points_moved_by_hand_are_stated_exactly_with_their_labels() -> None:
    groups = SUBJECTS["groups"].make(0)
    assert isinstance(groups, Cloud)
    moved = groups.with_point(1, np.array([1.23456, 0, -2]))
    names: dict[str, Any] = {"np": np}
    exec(moved.code, names)
    np.testing.assert_array_equal(names["x"], moved.values)
    np.testing.assert_array_equal(moved.values[1], [1.235, 0, -2])
    assert tuple(names["labels"]) == moved.labels == groups.labels
    assert moved.title == "150 points of your own"


@pytest.mark.parametrize(
    ("name", "subject", "words"),
    [
        ("variance", cloud(np.ones((3, 2))), "the same"),
        ("rotation", cloud(np.ones((5, 2))), "the same"),
        ("how-many", noise(4, 2, 2), "at least five"),
        ("how-many", images(np.outer(np.arange(9) / 9, np.ones(4)), 2, 2), "only one way"),
        ("scale", cloud(np.ones((3, 2))), "the same"),
        ("copies", cloud(np.ones((3, 2))), "the same"),
        ("whitening", cloud(np.ones((3, 2))), "the same"),
        ("auto-encoder", images(np.eye(4)[:2], 2, 2), "only one direction"),
        ("cannot-see", cloud(LINE, tuple("aabb")), "one line"),
        ("who-is-in-the-data", noise(6, 4, 3), "nobody to leave out"),
        ("who-is-in-the-data", cloud(LINE, tuple("aabb")), "one line"),
        ("cannot-stand", noise(6, 4, 3), "two people"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    name: str, subject: Subject, words: str
) -> None:
    with pytest.raises(EigenfacesError, match=rf"{words}.*\.$"):
        lesson(name).show(subject)


@pytest.mark.parametrize("lesson", [member for member in LESSONS if "digits" in member.subjects])
def test_it_can_be_stopped(lesson: Lesson[Any]) -> None:
    def stop(done: int, _total: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        lesson.prepared(SUBJECTS["digits"].make(0), lesson.default_settings, stop)


def test_a_number_is_read_in_the_range_of_its_slider() -> None:
    epsilon, copies = lesson("whitening").controls[0], lesson("copies").controls[0]
    assert [epsilon.read("0"), epsilon.read("0.01"), copies.read("3")] == [0, 0.01, 3]
    for text in ("9", "2.5", "some"):
        with pytest.raises(EigenfacesError):
            copies.read(text)
