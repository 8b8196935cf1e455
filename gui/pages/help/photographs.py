"""From a photograph to the face that is compared: finding, aligning, evening out the light."""

from __future__ import annotations

import html

from gui.pages.help.sections import Figures, Section
from gui.widgets.comparison_bar import LIGHTINGS

_GROUP = "From photo to face"


def _finding(_figures: Figures | None) -> str:
    return """<p>A square window runs over the photo, at every place and in every size. In each, a
    cascade of simple tests compares the brightness of small regions with that of their neighbours
    (local binary patterns); nearly all windows fail one of the first and are done with. Those
    that pass all, and lie nearly at the same place, are joined: a <b>candidate</b>.</p>
    <p>Many candidates are no faces. So each one is aligned, as below, and looked at as eigenfaces
    look at everything: how far is it <i>from</i> the face space of faces in general? That distance
    <i>r</i> lies between 0 and 1, whatever brightness and contrast are. With the number of windows
    <i>m</i> that agreed, and the size <i>s</i> in multiples of the smallest window, it gives the
    logarithm of the odds that the candidate is a face:</p>
    <p class="formula">ln <i>odds</i> = <i>w</i><sub>0</sub> + <i>w</i><sub>1</sub> <i>r</i> +
    <i>w</i><sub>2</sub> ln <i>m</i> + ln <i>s</i></p>
    <p>where the weights <i>w</i> were learnt from photos in which the faces are known. What has
    odds of at least 1 to 3 is taken for a face. Where nothing has, the best large candidate is
    offered as <b>doubtful</b> if its odds are at least 1 to 8. Faces that look aside, lie on their
    side or are less than 24 pixels wide are often missed: show the program their eyes.</p>"""


def _aligning(_figures: Figures | None) -> str:
    return """<p>Faces are compared pixel by pixel, so the same part of the face has to be at the
    same pixel in all of them. A <b>similarity transform</b> turns, scales and moves a picture, and
    two eyes state all that it can. Written as complex numbers, with <i>a</i> halfway between the
    eyes and <i>b</i> from the left one to the right one, the point <i>u</i> of the standard face
    is taken from the photo at</p>
    <p class="formula"><i>z</i> = <i>a</i> + <i>b</i> · <i>u</i></p>
    <p>The length of <i>b</i> is the <b>eye distance</b>, its angle the tilt. In every aligned face
    the eyes lie at 28/96 and 68/96 of the width, and at 42/112 of the height.</p>
    <p>To align is to find <i>a</i> and <i>b</i>. The detector's window gives a first guess. What
    the crop there shows, described by the directions of its edges (<b>f</b>), tells how far the
    guess lies off; a matrix <b>R</b>, learnt from faces that were moved on purpose, turns the one
    into the other:</p>
    <p class="formula">(<i>x</i>, <i>y</i>, <i>g</i>, <i>θ</i>) = <b>R</b><sup>T</sup><b>f</b>
    &nbsp;&nbsp;⟹&nbsp;&nbsp; <i>a</i> ← <i>a</i> + <i>b</i> (<i>x</i> + i<i>y</i>),
    &nbsp; <i>b</i> ← <i>b</i> e<sup><i>g</i> + i<i>θ</i></sup></p>
    <p>Four such steps, each with a matrix for smaller errors than the one before, bring the eyes
    from where a detector puts them to where they are (Xiong and De la Torre).</p>"""


def _light(_figures: Figures | None) -> str:
    rows = []
    for lighting, words in LIGHTINGS.items():
        name = f"{lighting[0].upper()}{lighting[1:]}"
        rows.append(
            f"<tr><td width='26%'><b>{html.escape(name)}</b></td><td>{html.escape(words)}</td></tr>"
        )
    return f"""<p>The same face lit from the left and from the right differs more than two faces in
    the same light. The <b>lighting</b> of the recipe evens that out in every crop by itself,
    before anything is compared. Here <i>x</i> is the grey value of a pixel, from 0 to 1; what
    carries no information becomes mid-grey, ½.</p>
    <table cellpadding="5" cellspacing="0" width="100%">{"".join(rows)}</table>
    <p>A <b>window</b> keeps the background out: every pixel becomes (<i>x</i> − ½) <i>w</i> + ½,
    with <i>w</i> = 1 on the face and less towards the corners. The <b>oval</b> cuts the corners
    off; the <b>Gaussian</b> of Turk and Pentland falls to ½ a third of the height away from the
    middle.</p>
    <p>Crops are kept as they were cut, so changing the light reads no photo again, but it needs
    training anew. Mean, components and residual are then those of the evened-out faces, and no
    longer in the grey levels of the photos.</p>"""


PHOTOGRAPHS = (
    Section("finding", _GROUP, "Finding a face", _finding),
    Section("aligning", _GROUP, "Aligning it", _aligning),
    Section("light", _GROUP, "Light and background", _light),
)
