"""The mathematics on one page, with the figures of the open gallery."""

from __future__ import annotations

import html

from eigenfaces.space.distances import DISTANCES
from gui.pages.help.sections import Figures, Section, here

_GROUP = "The mathematics"


def _vectors(figures: Figures | None) -> str:
    return """<p>A grey picture of <i>w</i> × <i>h</i> pixels is a list of
    <i>d</i> = <i>w</i>·<i>h</i> numbers from 0 (black) to 1 (white): one point <b>x</b> in a space
    of <i>d</i> dimensions. Faces that look alike are points close together, and all faces lie in a
    thin part of that space. Eigenfaces find this part.</p>""" + here(
        figures, "<i>n</i> = {n} faces of {w} × {h} pixels, so <i>d</i> = {d}."
    )


def _mean(figures: Figures | None) -> str:
    return """<p>The mean face is the average of all <i>n</i> faces:</p>
    <p class="formula"><b>m</b> = <sup>1</sup>⁄<sub><i>n</i></sub> ·
    (<b>x</b><sub>1</sub> + <b>x</b><sub>2</sub> + … + <b>x</b><sub><i>n</i></sub>)</p>
    <p>It is subtracted from every face, and from every probe: what counts is how a face differs
    from the average, not what all faces share. The differences are the rows of a matrix <b>X</b>
    with <i>n</i> rows and <i>d</i> columns.</p>"""


def _components(figures: Figures | None) -> str:
    return """<p>The singular value decomposition takes <b>X</b> apart:</p>
    <p class="formula"><b>X</b> = <b>W</b> · diag(<i>s</i><sub>1</sub>, <i>s</i><sub>2</sub>, …) ·
    <b>U</b><sup>T</sup></p>
    <p>The columns <b>u</b><sub>1</sub>, <b>u</b><sub>2</sub>, … of <b>U</b> are the
    <b>components</b>, which look like ghostly faces when shown as pictures: the eigenfaces. They
    have length 1 and stand at right angles to each other. The first is the direction in which the
    faces differ most, the second the one in which they differ most after that, and so on. The
    variance along each is</p>
    <p class="formula"><i>λ<sub>i</sub></i> = <i>s<sub>i</sub></i><sup>2</sup> ⁄
    (<i>n</i> − 1)</p>
    <p>where the <i>s<sub>i</sub></i> are the <b>singular values</b>. Its root
    <i>σ<sub>i</sub></i> = √<i>λ<sub>i</sub></i> is the standard deviation of the faces along the
    component: the −3<i>σ</i> … +3<i>σ</i> on Eigenfaces.</p>
    <p>Equally, they are the eigenvectors of the covariance matrix
    <b>C</b> = <b>X</b><sup>T</sup><b>X</b> ⁄ (<i>n</i> − 1), which gave them their name:
    <b>C</b>&nbsp;<b>u</b><sub><i>i</i></sub>&nbsp;=&nbsp;<i>λ<sub>i</sub></i>&nbsp;<b>u</b><sub>
    <i>i</i></sub>. Since the mean has been taken out, there are at most <i>n</i> − 1 of
    them.</p>""" + here(
        figures,
        "there are {K} components. The first <i>k</i> = {k} keep {kept} of the variance, and these "
        "are compared.",
    )


def _gram(figures: Figures | None) -> str:
    return """<p><b>C</b> has <i>d</i> × <i>d</i> numbers, far too many to decompose. But
    <b>X</b><b>X</b><sup>T</sup> has only <i>n</i> × <i>n</i>, and its eigenvectors <b>w</b> lead to
    the same components (Sirovich and Kirby; Turk and Pentland):</p>
    <p class="formula"><b>X</b><b>X</b><sup>T</sup> <b>w</b><sub><i>i</i></sub> =
    <i>s<sub>i</sub></i><sup>2</sup> <b>w</b><sub><i>i</i></sub> &nbsp;&nbsp;⟹&nbsp;&nbsp;
    <b>u</b><sub><i>i</i></sub> = <b>X</b><sup>T</sup><b>w</b><sub><i>i</i></sub> ⁄
    <i>s<sub>i</sub></i></p>
    <p>Dividing by <i>s<sub>i</sub></i> is what gives them length 1; programs that forget it compare
    distorted distances. Where there are more faces than pixels, the covariance matrix is the
    smaller one and is used instead. Both give the same result.</p>""" + here(
        figures,
        "{nn} numbers instead of {dd}."
        if figures is not None and figures.n <= figures.d
        else "more faces than pixels, so {dd} numbers instead of {nn}.",
    )


def _projection(figures: Figures | None) -> str:
    return """<p>The <b>coordinates</b> of a face, also called its scores, say how much of
    each component is in it:</p>
    <p class="formula"><i>c<sub>i</sub></i> = <b>u</b><sub><i>i</i></sub> · (<b>x</b> −
    <b>m</b>)</p>
    <p>From the first <i>k</i> of them the face is rebuilt:</p>
    <p class="formula"><b>x̂</b> = <b>m</b> + <i>c</i><sub>1</sub> <b>u</b><sub>1</sub> +
    <i>c</i><sub>2</sub> <b>u</b><sub>2</sub> + … + <i>c<sub>k</sub></i>
    <b>u</b><sub><i>k</i></sub></p>
    <p>No other <i>k</i> directions rebuild the faces trained on with a smaller squared error. The
    components are nested: the first ten of a hundred are the ten that one would find when asking
    for ten. A face that was trained on is rebuilt perfectly once all components are used. A new
    face is not, and that is what makes it new.</p>"""


def _distances_in_and_from(figures: Figures | None) -> str:
    return """<p><b>Distance from face space</b> is the length of what the components cannot
    express. It asks: is this a face like those trained on?</p>
    <p class="formula">‖<b>x</b> − <b>x̂</b>‖</p>
    <p><b>Distance in face space</b> is taken between the coordinates of the probe and those of an
    enrolled face. It asks: whose face is it most like? Together they account for the whole distance
    from the mean, by Pythagoras:</p>
    <p class="formula">‖<b>x</b> − <b>m</b>‖<sup>2</sup> = <i>c</i><sub>1</sub><sup>2</sup> + … +
    <i>c<sub>k</sub></i><sup>2</sup> + ‖<b>x</b> − <b>x̂</b>‖<sup>2</sup></p>
    <p>The RMSE is the distance from face space per pixel, in grey levels (of the evened-out face,
    if the recipe evens out the light): 255 · ‖<b>x</b> − <b>x̂</b>‖ ⁄ √<i>d</i>. Neither distance
    says by itself whether two photos show the same person. That needs photos held back from
    training: Evaluate measures how often others lie as near.</p>"""


def _whitening(figures: Figures | None) -> str:
    return """<p>Without whitening, a difference along a component with much variance counts for
    more; often that component is the light. Whitening makes all alike:</p>
    <p class="formula"><i>c<sub>i</sub></i> ⁄ √(<i>λ<sub>i</sub></i> + <i>ε</i>)</p>
    <p>PCA whitening compares these; ZCA whitening turns them back into pixels first. The smoothing
    <i>ε</i>, a variance or a share of the mean <i>λ</i> of the components kept, keeps components of
    very little variance, which are mostly noise, from being blown up.
    The Mahalanobis distances divide by √<i>λ<sub>i</sub></i> themselves, so they are not offered
    together with whitening.</p>
    <p><b>Correlation PCA</b> divides every pixel by its standard deviation before all this, and
    multiplies again when a face is rebuilt. Lengths, distances and variances are then those of the
    divided pixels; only pictures and the RMSE are in grey levels again.</p>"""


def _distances(figures: Figures | None) -> str:
    rows = []
    for name, distance in DISTANCES.items():
        meaning, sign = html.escape(distance.meaning), html.escape(distance.formula)
        cells = f"<td colspan='2'>{meaning}.</td>"
        if sign:
            cells = f"<td>{meaning}</td><td class='sign'>{sign}</td>"
        rows.append(f"<tr><td><b>{html.escape(name)}</b></td>{cells}</tr>")
    return f"""<p>Between a probe's coordinates <i>a</i> and an enrolled face's <i>b</i>; lower is
    nearer, for each of them.</p>
    <table cellpadding="5" cellspacing="0" width="100%">{"".join(rows)}</table>
    <p><b>Nearest photo</b> names the person of the nearest face. <b>k nearest photos</b> lets the
    nearest few vote, ties broken by the smaller sum of distances. <b>Person’s mean</b> compares
    with the mean of each person's faces.</p>"""


MATHEMATICS = (
    Section("vectors", _GROUP, "Faces as vectors", _vectors),
    Section("mean", _GROUP, "Mean and centring", _mean),
    Section("components", _GROUP, "Components", _components),
    Section("gram", _GROUP, "The Gram trick", _gram),
    Section("projection", _GROUP, "Projection, reconstruction", _projection),
    Section("in-and-from", _GROUP, "In and from face space", _distances_in_and_from),
    Section("whitening", _GROUP, "Whitening and scaling", _whitening),
    Section("distances", _GROUP, "Distances and rules", _distances),
)
