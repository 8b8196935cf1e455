"""The command ``learn``: how ``assets/faces.npz`` is made again."""

import numpy as np
import typer

from eigenfaces.cli import options as say
from eigenfaces.cli.plaintext import shown
from eigenfaces.cli.running import DONE, check_new, command, progress
from eigenfaces.learning import held_out_errors, read_marked, save
from eigenfaces.learning import learn as learn_faces
from eigenfaces.project.writing import written_whole
from eigenfaces.wording import counted

FOLDS = 5


@command
def learn(
    london: say.London,
    *,
    output: say.Learnt,
    overwrite: say.Overwrite = False,
    seed: say.Seed = 0,
    held_out: say.HeldOut = False,
) -> int:
    """Learn what the program knows of faces in general: assets/faces.npz.

    Nobody needs this to use the program. LONDON holds the Face Research Lab London Set (L. DeBruine
    and B. Jones, 2017, doi 10.6084/m9.figshare.5047666, CC BY 4.0): the neutral and the smiling
    photograph of each person in a folder of its own, all scaled to 450 × 450, and eyes.csv with the
    pupils of the neutral ones (file, left_x, left_y, right_x, right_y). The AT&T sample and
    pictures of scikit-image come with the program. About three minutes.

    Seed 0 makes the file that is shipped; on other processors the last digits may differ. With
    --held-out the people are dealt to 5 folds, those of each are aligned by what was learnt from
    the others, and the mean distance of both eyes from their places is told, before and after.

    ```
    eigenfaces learn london/ -o faces.npz --held-out
    ```
    """
    check_new(output, overwrite)
    with progress("Reading photographs") as tick:
        marked, beside = read_marked(london, tick)
    with progress("Learning") as tick, written_whole(output) as part:
        save(learn_faces(marked, beside, np.random.default_rng(seed), tick), part)
    photos = counted(len(marked) + len(beside), "photograph")
    typer.echo(f"{shown(output)}: learnt from {photos} and the sample, seed {seed}.")
    if held_out:
        with progress("Measuring") as tick:
            errors = held_out_errors(marked, FOLDS, np.random.default_rng(seed), tick)
        said = (f"{np.median(each):.3f} (95 %: {np.percentile(each, 95):.3f})" for each in errors)
        before, after = said
        typer.echo(
            f"People held out, {counted(len(errors[0]), 'start')} in {FOLDS} folds: the eyes lie "
            f"{before} eye distances off before alignment and {after} after; median and 95th "
            "percentile."
        )
    return DONE
