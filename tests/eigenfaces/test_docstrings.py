"""What is exported says in its docstring what goes in, what comes out, and how it is used."""

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import eigenfaces
from eigenfaces import (
    EigenfaceClassifier,
    Eigenfaces,
    EigenfacesError,
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    FaceSet,
    FaceSpace,
    Gallery,
    KFold,
    OpenSet,
    Preparation,
    Project,
    Recipe,
    SyntheticFace,
    TrainingFaces,
    compare_recipes,
    evaluate,
    explain,
    find_photos,
    identify,
    identify_all,
    lesson,
    load_face,
    map_by_tsne,
    map_of_components,
    read_pictures,
    write_report,
)
from eigenfaces.errors import NotPossibleError, NotTrainedError, PhotoError, ProjectError
from eigenfaces.evaluation.controls import LeakError

EXPORTED = {name: getattr(eigenfaces, name) for name in eigenfaces.__all__}
FUNCTIONS = {name: value for name, value in EXPORTED.items() if inspect.isfunction(value)}
CLASSES = {
    name: value
    for name, value in EXPORTED.items()
    if inspect.isclass(value) and not issubclass(value, Exception)
}
ERRORS = {
    name: value
    for name, value in EXPORTED.items()
    if inspect.isclass(value) and issubclass(value, Exception)
}


def sections(value: Any) -> dict[str, str]:
    """Return the sections of a docstring, by their headings."""
    parts = re.split(r"^([A-Z]\w+)\n-+$", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(value: Any, *headings: str) -> list[str]:
    """Return the names that are described in these sections."""
    text = "\n".join(sections(value).get(heading, "") for heading in headings)
    lines = re.findall(r"^(\w.*)$", text, re.MULTILINE)
    return [name for line in lines for name in re.split(r", ", line.split(" : ")[0])]


def expected(kind: type) -> set[str]:
    """Return what a class is made of: its public fields, or what it is called with."""
    if is_dataclass(kind):
        return {part.name for part in fields(kind) if not part.name.startswith("_")}
    return {*inspect.signature(kind).parameters}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_goes_in_and_what_comes_out(name: str) -> None:
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    assert documented(function, "Parameters") == [*signature.parameters]
    assert ("Returns" in sections(function)) == (signature.return_annotation != "None")
    assert ">>>" in sections(function).get("Examples", "")


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_holds(name: str) -> None:
    kind = CLASSES[name]
    named = documented(kind, "Parameters", "Attributes")
    assert len(named) == len({*named})
    assert expected(kind) <= {*named}
    known = expected(kind) | {*dir(kind)}
    known |= {*re.findall(r"^        self\.(\w+) = ", inspect.getsource(kind), re.MULTILINE)}
    # What scikit-learn learns is there once it is fitted, and ends in an underscore.
    assert [one for one in named if one not in known and not one.endswith("_")] == []
    assert ">>>" in sections(kind).get("Examples", "")


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_raised_in_a_method_of_its_own_is_named(name: str) -> None:
    """As far as a `raise` stands in it: what it calls may raise more."""
    silent = []
    for method, value in vars(CLASSES[name]).items():
        function = getattr(value, "fget", None) or getattr(value, "__func__", value)
        if method.startswith("_") or not inspect.isfunction(function):
            continue
        code = inspect.getsource(function)
        raised = re.findall(r"^\s+raise (\w+Error)\(", code, re.MULTILINE)
        raised = [error for error in raised if f"except {error}" not in code]
        silent += [
            f"{method}: {error}" for error in raised if error not in (function.__doc__ or "")
        ]
    assert silent == []


IMAGES = np.random.default_rng(0).random((4, 16, 16))
FACES = FaceSet.from_arrays(IMAGES, ["Ada", "Ada", "Grace", "Grace"])
TWINS = FaceSet.from_arrays(np.roll(IMAGES, 1, axis=0) * 0.98, ["Grace", "Ada", "Ada", "Grace"])
UNTRAINED = Gallery(FACES, Preparation(16, 16), Recipe())
GALLERY = UNTRAINED.train()
SPACE = GALLERY.trained.space
RECORD = EvaluationRecord(
    evaluate(FACES, EvaluationSetting(Recipe(), KFold(2), curves=False)),
    Preparation(),
    EvaluationSource("sample"),
)
NOBODY = GALLERY.move([photo.id for photo in FACES.index.photos], None)

CALLS: list[tuple[type[Exception], Callable[[], object]]] = [
    (EigenfacesError, lambda: Preparation(height=15)),
    (EigenfacesError, lambda: OpenSet(strangers=1.0)),
    (EigenfacesError, lambda: KFold(parts=1)),
    (EigenfacesError, lambda: EvaluationSetting(Recipe(), KFold(), seed=-1)),
    (EigenfacesError, lambda: EvaluationSetting(Recipe(), KFold(), share=2.0)),
    (EigenfacesError, lambda: Recipe.of("nonesuch")),
    (EigenfacesError, lambda: Recipe.of(nonesuch=1)),
    (EigenfacesError, lambda: Recipe().changed(components=0)),
    (EigenfacesError, lambda: FaceSet.from_arrays(IMAGES + 1, ["A"] * 4)),
    (EigenfacesError, lambda: FaceSet.from_arrays(IMAGES, ["A"] * 3)),
    (EigenfacesError, lambda: FaceSet.from_arrays(IMAGES, [1.5] * 4)),
    (EigenfacesError, lambda: FACES.select(np.array([True]))),
    (EigenfacesError, lambda: FACES.join(FaceSet.empty((16, 17)))),
    (EigenfacesError, lambda: FaceSpace.fit(IMAGES.reshape(4, -1), (16, 17))),
    (EigenfacesError, lambda: FaceSpace.fit(IMAGES[:1].reshape(1, -1), (16, 16))),
    (EigenfacesError, lambda: SPACE.first(len(SPACE) + 1)),
    (EigenfacesError, lambda: SPACE.centre(np.zeros((1, 4), np.float32))),
    (EigenfacesError, lambda: SPACE.reconstruct(np.zeros((1, 99), np.float32))),
    (EigenfacesError, lambda: SyntheticFace.mean(SPACE).moved(len(SPACE), 0.0)),
    (NotTrainedError, lambda: TrainingFaces.of(UNTRAINED)),
    (ValueError, lambda: Gallery(FACES, Preparation(), Recipe())),
    (EigenfacesError, lambda: Gallery.new().train()),
    (NotTrainedError, lambda: UNTRAINED.calibrate()),
    (EigenfacesError, lambda: GALLERY.rename("Joan", "Jo")),
    (EigenfacesError, lambda: GALLERY.rename("Ada", "Grace")),
    (EigenfacesError, lambda: GALLERY.rename("Ada", " ")),
    (EigenfacesError, lambda: GALLERY.merge("Ada", into="Joan")),
    (EigenfacesError, lambda: GALLERY.merge("Joan", into="Ada")),
    (EigenfacesError, lambda: GALLERY.remove_person("Joan")),
    (EigenfacesError, lambda: GALLERY.with_share(2.0)),
    (EigenfacesError, lambda: GALLERY.with_crops(FaceSet.empty((20, 20)), Preparation(20, 20))),
    (NotTrainedError, lambda: identify(UNTRAINED, IMAGES[0])),
    (EigenfacesError, lambda: identify(NOBODY, IMAGES[0])),
    (EigenfacesError, lambda: identify(GALLERY, IMAGES[0, 1:])),
    (EigenfacesError, lambda: identify(GALLERY, IMAGES[0] + 1)),
    (NotTrainedError, lambda: identify_all(UNTRAINED, IMAGES)),
    (NotTrainedError, lambda: map_of_components(UNTRAINED)),
    (NotTrainedError, lambda: map_by_tsne(UNTRAINED)),
    (EigenfacesError, lambda: lesson("nonesuch")),
    (EigenfacesError, lambda: find_photos("nonesuch")),
    (EigenfacesError, lambda: find_photos(".", pattern="nobody.*")),
    (EigenfacesError, lambda: read_pictures("nonesuch.npz")),
    (PhotoError, lambda: load_face("nonesuch.png", Preparation())),
    (ProjectError, lambda: Project.create("nonesuch/of/these.eigenfaces")),
    (ProjectError, lambda: Project.open("nonesuch.eigenfaces")),
    (LeakError, lambda: evaluate(FACES.join(TWINS), EvaluationSetting(Recipe(), KFold(2)))),
    (
        NotPossibleError,
        lambda: evaluate(FACES, EvaluationSetting(Recipe.of("fisherfaces"), KFold(2))),
    ),
    (
        EigenfacesError,
        lambda: evaluate(FACES.select([0, 1]), EvaluationSetting(Recipe(), KFold(2))),
    ),
    (NotTrainedError, lambda: explain(UNTRAINED, IMAGES[0], identify(GALLERY, IMAGES[0]))),
    (
        EigenfacesError,
        lambda: compare_recipes(FACES.select([0]), EvaluationSetting(Recipe(), KFold(2))),
    ),
    (EigenfacesError, lambda: write_report(RECORD, "report.pdf")),
    (NotFittedError, lambda: Eigenfaces().transform(IMAGES[0])),
    (NotFittedError, lambda: Eigenfaces().inverse_transform(IMAGES[0])),
    (NotFittedError, lambda: EigenfaceClassifier().predict(IMAGES[0])),
    (NotFittedError, lambda: EigenfaceClassifier().predict_proba(IMAGES[0])),
    (ValueError, lambda: Eigenfaces().fit(IMAGES[0, :1])),
    (ValueError, lambda: EigenfaceClassifier().fit(IMAGES[0], ["a"] * 16)),
]


@pytest.mark.parametrize(("error", "call"), CALLS)
def test_what_is_said_to_be_raised_is(error: type[Exception], call: Callable[[], object]) -> None:
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_says_when_it_is_raised(name: str) -> None:
    assert "raised" in (ERRORS[name].__doc__ or "").lower()


def test_nothing_public_is_without_a_docstring() -> None:
    root = Path(eigenfaces.__file__).parent
    silent = []
    for path in sorted(root.rglob("*.py")):
        bodies = [ast.parse(path.read_text(encoding="utf-8"))]
        while bodies:
            for part in bodies.pop().body:
                if not isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                if part.name.startswith("_"):
                    continue
                if isinstance(part, ast.ClassDef):
                    bodies.append(part)  # type: ignore[arg-type]
                if not ast.get_docstring(part):
                    silent.append(f"{path.relative_to(root)}: {part.name}")
    assert silent == []
