"""The commands about who is on a photograph, and what is promised of that."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from eigenfaces.cli.options import NAMED_AT_MOST, AsJson, ProjectFile, flag, option, share_option
from eigenfaces.cli.running import (
    DIFFERENT,
    DONE,
    SOME_UNUSED,
    echo_err,
    fail,
    print_json,
    progress,
    shown,
    table,
)
from eigenfaces.cli.sources import open_gallery, open_project
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.calibration_report import CalibrationReport, calibration_report
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.photographs.photos import Skipped, photos_of
from eigenfaces.project.exports import FaceOnPhoto, sort_into, write_sidecars
from eigenfaces.recognition.calibration import ENOUGH_PEOPLE, ENOUGH_PHOTOS, naming_words
from eigenfaces.recognition.gallery import Gallery, near_duplicates
from eigenfaces.recognition.network import same_person
from eigenfaces.recognition.probes import frame_of_gallery, probes_on_each, with_gallery_keys
from eigenfaces.recognition.verdict import (
    GROUPS,
    NOT_CALIBRATED,
    TOP,
    Answer,
    answer,
    answers_csv,
    identify_all,
    promised,
    verdicts_on,
)
from eigenfaces.sample import PREPARATION, load_sample
from eigenfaces.text import capital, count, number, percent

_WORDS = {"sure": "sure", "likely": "likely", "ask": "not sure enough"}


def recognise(
    file: ProjectFile,
    photos: Annotated[
        list[Path],
        typer.Argument(metavar="PHOTO", help="Photographs, or folders: all photographs in them."),
    ],
    *,
    top: Annotated[int, option("N", "How many people to rank.", min=1)] = TOP,
    strangers: Annotated[float | None, share_option(f"{NAMED_AT_MOST}.", "the project's")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, flag("--csv", "Answer in CSV, a line a candidate.")] = False,
    xmp: Annotated[bool, flag("--xmp", "Write the names into XMP sidecar files.")] = False,
    sort_folder: Annotated[
        Path | None, option("DIR", "Copy into a folder for each person.", "--sort-into")
    ] = None,
) -> int:
    """Say who is on each photograph, how sure that is, or that it is nobody known.

    Every face gets a verdict: sure, likely, ask (one of two, or not sure enough), perhaps (beyond
    the limit, but more often right than wrong), unknown, no face, or near somebody but perhaps no
    face. How far is too far follows from the gallery's own photographs, each held out; where that
    is not known yet it is measured first (`calibrate` keeps it). Faces are numbered from left to
    right. A project of cropped faces takes each photograph for one such face.

    ```
    eigenfaces recognise people.eigenfaces group.jpg --top 5
    eigenfaces recognise people.eigenfaces folder/ --strangers 5% --csv > answers.csv
    ```

    --xmp writes the names that are sure or likely beside each photograph, into PHOTO.xmp, as face
    regions that digiKam and others read; a file that is there keeps all it holds. --sort-into
    copies the photographs into DIR/NAME. The photographs themselves are never changed.

    The keys of --json: calibrated, note, distance, components, recipe, strangers (the share of them
    that may be named), skipped (photo, reason) and answers, of which each has photo, face (its
    number), faces (how many), box (left, top, size in pixels; or null), concerns (kind, reason,
    remedy), cautions (kind, sentence), closest, distance_in and distance_from face space,
    in_gallery, filed_as, sentence, ranking (rank, person, distance, votes, nearest_photo), cut (how
    the face was cut to fit ready crops, or ""), verdict, headline, certainty, person (who is named,
    or null), probability, threshold, left_over, left_over_limit, recipe and calibrated. --csv has a
    line a candidate: photo, face, rank, person, distance_in, votes, nearest_photo, distance_from,
    in_gallery, verdict, named, probability, threshold, left_over, left_over_limit, recipe, left,
    top, size. distance_from is null for Network, whose axes leave nothing out. In all tables an
    apostrophe stands before what a spreadsheet would run as a formula, such as a name that begins
    with =, +, - or @.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    if (xmp or sort_folder is not None) and Path("-") in photos:
        raise typer.BadParameter("--xmp and --sort-into need photographs that are files.")
    gallery = _calibrated(open_gallery(file), strangers)
    calibration = gallery.calibrated
    answers, faces, skipped = _answers(gallery, photos, top)
    if as_json:
        print_json(  # scripts rely on the keys
            {
                "calibrated": calibration is not None and not calibration.reason,
                "note": _promise_words(gallery),
                "distance": gallery.recipe.matcher.distance,
                "components": gallery.k,
                "recipe": gallery.recipe.name,
                "strangers": gallery.share,
                "answers": [asdict(each) for each in answers],
                "skipped": [{"photo": str(s.path), "reason": s.reason} for s in skipped],
            }
        )
    elif as_csv:
        typer.echo(answers_csv(answers), nl=False)
    elif answers:
        blocks = [*map(_answer_text, answers), _worth_text(gallery, answers)]
        typer.echo("\n\n".join(blocks))
    for each in skipped:
        echo_err(f"{shown(each.path)}: {each.reason}")
    refused: list[str] = []
    if xmp:
        written, refused = write_sidecars(faces)
        names = count(sum(face.name is not None for face in faces), "face")
        echo_err(f"{names} named; {count(written, 'sidecar file')} written.")
        for sentence in refused:
            echo_err(sentence)
    if sort_folder is not None:
        copies, nobody = sort_into(sort_folder, faces)
        made = f"{count(copies, 'copy', 'copies')} made in “{shown(sort_folder)}”"
        echo_err(f"{made}; {count(nobody, 'photograph')} without a name.")
    if not answers:
        return fail("None of the photographs could be used.")
    return SOME_UNUSED if refused or skipped else DONE


def calibrate(
    file: ProjectFile,
    *,
    strangers: Annotated[
        float | None, share_option(f"{NAMED_AT_MOST}: kept with the project.", "the project's")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show what a project promises about strangers and certainty, and what held.

    Each photograph is held out, and each person; what changed since the last time is measured anew
    and kept in the project. --strangers is kept, too. For thresholds and certainty a tenth of the
    people in turn are strangers to what is learnt from the others.

    The keys of --json: file, recipe, calibrated, people, photos, named_rightly, reason, asked,
    near_duplicates, least, marks (asked, limit, refused, named, promised), words (word, right,
    strangers), error, rough, face_limit, faces. How many of something: count, of, low, high.
    """
    project = open_project(file)
    gallery = _calibrated(project.gallery, strangers)
    if gallery is not project.gallery and not project.read_only:
        project.save(gallery)
    calibration = gallery.calibrated
    if calibration is None:
        raise EigenfacesError("Nobody is known yet: give the photographs names first.")
    found = calibration_report(calibration, gallery.share, near_duplicates(gallery))
    if as_json:
        known = {"file": str(file), "recipe": gallery.recipe.name, "calibrated": not found.reason}
        print_json(known | asdict(found))
    else:
        photos, people = count(found.photos, "photograph"), count(found.people, "person")
        blocks = [
            f"{shown(file)}: {photos} of {people}, each held out, by the recipe "
            f"{shown(gallery.recipe.name)}.\n{naming_words(calibration, found.near_duplicates)}"
        ]
        if found.reason:
            blocks.append(found.reason)
        else:
            first, *others = _report_texts(found)
            blocks += [f"{_promise_words(gallery)}\n{first}", *others]
        typer.echo("\n\n".join(blocks))
    if project.read_only:
        echo_err(f"“{file}” cannot be written, so nothing of this is kept.")
    return DONE


def verify(
    first: Annotated[Path, typer.Argument(metavar="A.JPG", help="A photograph of a face.")],
    second: Annotated[Path, typer.Argument(metavar="B.JPG", help="Another one.")],
) -> int:
    """Say whether two photographs are of the same person; no project is needed.

    By the distance of what a network says of the two faces (`--recipe network`), and a limit that
    was learnt from other people's photographs: of 1 % of strangers it says that they are somebody
    they are not. The exit code is 0 for yes, 4 for no, and 1 where that cannot be said: one of them
    cannot be read, or shows no face, or several that may be meant. It proves nobody's identity: a
    photograph of a photograph passes, too.

    ```
    eigenfaces verify passport.jpg today.jpg
    ```
    """
    found = same_person(first, second)
    than = "nearer" if found.same else "farther apart"
    typer.echo(
        f"{'Yes, the same person' if found.same else 'No, two people'}: the faces are "
        f"{number(found.distance)} apart, {than} than {number(found.limit)}."
    )
    return DONE if found.same else DIFFERENT


def _calibrated(gallery: Gallery, strangers: float | None) -> Gallery:
    """Return a gallery in which it is known what distances mean, with another share if said."""
    if strangers is not None and strangers != gallery.share:
        gallery = gallery.with_share(strangers)
    if gallery.trained and gallery.calibrated is not None:
        return gallery
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def _answers(
    gallery: Gallery, paths: Sequence[Path], top: int
) -> tuple[list[Answer], list[FaceOnPhoto], list[Skipped]]:
    found = photos_of(paths)
    answers, faces = list[Answer](), list[FaceOnPhoto]()
    skipped = list(found.skipped)
    with progress("Looking") as tick:
        frame = frame_of_gallery(gallery, tick)
        for probes in probes_on_each(found.photos, gallery.preparation, tick, frame):
            if isinstance(probes, Skipped):
                skipped.append(probes)
                continue
            probes = with_gallery_keys(gallery, probes)
            for probe, verdict in zip(probes, verdicts_on(gallery, probes), strict=True):
                answers.append(answer(gallery, probe, verdict, top))
                faces.append(FaceOnPhoto.of(probe, verdict.decision))
    return answers, faces, skipped


def _answer_text(given: Answer) -> str:
    place = ""
    if given.box is not None:
        left, top, size = given.box
        which = "" if given.faces == 1 else f"face {given.face} of {given.faces} from the left, "
        place = f": {which}{size:.0f} pixels wide at ({left:.0f}, {top:.0f})"
    at = "" if given.threshold is None else f" (limit {number(given.threshold)})"
    figures = f"Distance in face space: {number(given.distance_in)}{at}."
    if given.left_over is not None and given.left_over_limit is not None:
        over, limit = percent(given.left_over, 0), percent(given.left_over_limit, 0)
        figures += f" Unlike a face: {over} (limit {limit})."
    if given.distance_from is not None:
        figures += f" Distance from face space: {number(given.distance_from)}."
    concerns = [each.reason for each in given.concerns]
    cautions = " ".join(each.sentence for each in given.cautions)
    lines = [
        *(f"{given.photo}{place}", f"{given.headline} ({given.certainty})", given.sentence),
        *(figures, *filter(None, (given.cut, *concerns, cautions))),
    ]
    rows = [
        (each.rank, each.person, number(each.distance), each.nearest_photo)
        for each in given.ranking
    ]
    ranking = table(("", "Person", "Distance in", "Nearest photograph"), rows)
    return "\n".join([*map(shown, lines), ranking])


def _promise_words(gallery: Gallery) -> str:
    if (calibration := gallery.calibrated) is None:
        return NOT_CALIBRATED
    return calibration.reason or f"{capital(promised(calibration.guarantee, gallery.share))}."


def _worth_text(gallery: Gallery, answers: Sequence[Answer]) -> str:
    said, calibration = "", gallery.calibrated
    if len(answers) > 1:
        photos = count(len({each.photo for each in answers}), "photograph")
        groups = Counter(GROUPS[each.verdict] for each in answers)
        titles = [title for title in dict.fromkeys(GROUPS.values()) if groups[title]]
        of_each = ", ".join(f"{title.lower()} {groups[title]:,}" for title in titles)
        said = f"{count(len(answers), 'face')} on {photos}: {of_each}.\n\n"
    if calibration is None:
        return said
    return f"{said}{_promise_words(gallery)} {naming_words(calibration, near_duplicates(gallery))}"


def _report_texts(found: CalibrationReport) -> list[str]:
    """Return the thresholds, the words for certainty and what faces leave, and what held."""
    rows = [
        (f"{100 * m.asked:g} %", number(m.limit), m.refused.words(), m.named.words(), promised)
        for m, promised in ((each, percent(each.promised)) for each in found.marks)
    ]
    heading = ("Asked", "Limit", "Known, but refused", "Strangers named", "Promised")
    note = "Strangers named: people left out, by the limit of the others."
    said = [f"{table(heading, rows)}\n{note}"]
    if found.error is not None:
        words = []
        for each in found.words:
            right = f"{each.right.count:,}: {each.right.words()}" if each.right.of else "–"
            strangers = f"{each.strangers.count:,} of {each.strangers.of:,}"
            words.append((_WORDS[each.word], f"{each.right.of:,}", right, strangers))
        rough = (
            f"With fewer than {ENOUGH_PEOPLE} people, or {ENOUGH_PHOTOS} photographs of each, "
            "these words are rough."
            if found.rough
            else "There are enough people, and photographs of each, for these words."
        )
        said.append(
            f"{table(('Word', 'Photos of known', 'Right', 'Strangers'), words)}\n"
            f"Expected calibration error of the probabilities: {found.error:.3f}, with half of "
            f"the faces strangers. {rough}"
        )
    if found.face_limit is not None and found.faces is not None:
        said.append(
            f"A face leaves at most {percent(found.face_limit, 0)} of its contrast over: "
            f"{found.faces.count:,} of {found.faces.of:,} known ones do."
        )
    return said


def recognise_sample() -> None:
    """Train on images 1–8 of each person, recognise images 9 and 10, and print the result."""
    faces = load_sample()
    (fold,) = FirstPhotos(8).folds(faces)
    gallery = replace(Gallery.new(PREPARATION), faces=faces.select(fold.gallery)).train()
    probes = faces.select(fold.probes)
    found = [verdict.first[0] for verdict in identify_all(gallery, probes.pixels[:])]
    asked = list(zip(probes.index.photos, found, strict=True))
    wrong = [(photo, match) for photo, match in asked if photo.person != match.person]
    print(
        f"AT&T sample, {len(gallery.people)} people: images 1–8 of each train "
        f"({len(gallery.faces)} photographs),\nimages 9 and 10 are recognised ({len(asked)}) "
        f"by the first {gallery.shown_k} components.\nRight answers: {len(asked) - len(wrong)} of "
        f"{len(asked)}, {100 - 100 * len(wrong) / len(asked):.2f} %. Mistaken:"
    )
    for photo, match in wrong:
        print(f"  {photo.person}, image {photo.path.stem}: closest is {match.person}")
