"""The rest of the help: the pages, the glossary, the keys, what this is not, credits."""

from __future__ import annotations

from gui.pages.help.evaluation import WORDS as OF_EVALUATIONS
from gui.pages.help.evaluation import evaluate
from gui.pages.help.sections import Figures, Section

_PAGES, _ABOUT = "What am I looking at?", "Words, keys, credits"

GLOSSARY = (
    ("photo", "A picture as taken. The program reads it and never changes it."),
    ("face", "A photo prepared for comparison: upright, grey, cut to one size."),
    (
        "candidate",
        "A place in a photo that may be a face: aligned and weighed before it is taken for one.",
    ),
    ("alignment", "Turning, scaling and cutting a photo so that the eyes lie at fixed places."),
    (
        "placement",
        "Where the face lies in its photo, and who said so: the program, a person, or a file.",
    ),
    (
        "eye distance",
        "Pixels from pupil to pupil: how large a face is, and the unit of errors in alignment.",
    ),
    ("crop", "The part of a photo that is the face, brought to one size; its light is as it was."),
    (
        "sharpness",
        "How much fine detail a crop shows, whatever its brightness. A sharp face has 0.4 or more.",
    ),
    ("lighting", "How light is evened out in a crop before it is compared."),
    (
        "preparation",
        "How a photo becomes a face: found or cropped already, its size, the policy for other "
        "shapes.",
    ),
    (
        "recipe",
        "How a face becomes a verdict: lighting, scaling, components, whitening, distance, rule.",
    ),
    ("gallery", "The people, their faces, and the face space trained on them."),
    ("person", "Somebody in the gallery, known by name. Names are unique."),
    ("enrolled", "A face with a name that is not excluded: probes are compared with it."),
    ("excluded", "Kept in the gallery, but neither trained on nor compared with."),
    ("face space", "The mean face and the components: what faces of the gallery are made of."),
    ("component", "A direction in which faces differ; shown as a picture, an eigenface."),
    ("coordinate, score", "How much of one component is in a face."),
    ("variance", "How much the faces differ along a component."),
    ("training", "Finding the mean face and the components. Enrolling needs none."),
    ("reconstruction", "A face rebuilt from the mean and the first k components."),
    ("residual", "What the reconstruction leaves over: face minus reconstruction."),
    ("probe", "A photo that somebody asks about."),
    ("verdict", "The answer: who is closest, how far, and why."),
    ("runner-up", "The second closest person."),
    ("distance in face space", "Between the coordinates of two faces: who is it like?"),
    ("distance from face space", "What the components cannot express: is it like a face at all?"),
    ("calibrated", "Tested on photos held back, so that a distance means a probability. Not yet."),
    *OF_EVALUATIONS,
)

KEYS = (
    ("Ctrl+1 … Ctrl+5", "People, Eigenfaces, Reconstruct, Recognise, Evaluate"),
    ("Ctrl+N, Ctrl+O, Ctrl+S", "New project, open one, save it as…"),
    ("Ctrl+Shift+O", "Add a folder of photos"),
    ("Ctrl+T", "Train"),
    ("Esc", "Cancel what is running, or clear the search or the message"),
    ("Ctrl+F", "Find"),
    ("F2, Del", "Rename, remove (People); Del takes a probe off the list (Recognise)"),
    ("Ctrl+M", "Merge two people (People)"),
    ("Ctrl+Z, Ctrl+Shift+Z", "Undo, redo"),
    ("Ctrl+E", "Export from this page"),
    ("Ctrl+I", "Show or hide the inspector"),
    ("← →", "One component fewer or more (Reconstruct)"),
    ("Page Up, Page Down", "Ten components more or fewer (Reconstruct)"),
    ("Home, End", "No component, all components (Reconstruct)"),
    ("Space", "Play from no component to all (Reconstruct)"),
    ("N, P", "Next or previous photo (adding photos)"),
    ("B, E", "Show the face by a box, or by its two eyes (adding photos)"),
    ("R, Shift+R", "Turn the photo right or left (adding photos)"),
    ("C, Del", "The whole photo is the face; leave the photo out (adding photos)"),
    ("Arrow keys, +, −", "Move the box, by 10 with Shift; resize it (adding photos)"),
    ("Ctrl+V", "Paste a photo to recognise (Recognise)"),
    ("F1", "What am I looking at?"),
)


def _table(rows: tuple[tuple[str, str], ...]) -> str:
    lines = (f"<tr><td width='32%'><b>{a}</b></td><td>{b}</td></tr>" for a, b in rows)
    return f"<table cellpadding='5' cellspacing='0' width='100%'>{''.join(lines)}</table>"


def _people(_figures: Figures | None) -> str:
    return """<p>Everybody in the gallery, and the photos of the one you choose. Photos can be
    moved to another person, excluded from training and matching, or removed; the files themselves
    are never touched, and undo takes everything back.</p>
    <p><b>How consistent are these photos?</b> shows the person’s mean face, how it differs from
    the mean of all, and how far each photo lies from the person’s mean. A bar that stands out is
    often a photo filed under the wrong name.</p>
    <p>The panel at the right tells where the face of a photo was found, and by whom: by the
    program, by hand, or in a file; how many pixels lie between its eyes, how it is tilted, and how
    sharp it is. Faces that are blurred, very dark, tiny or cut off by the border of their photo
    are marked, and listed under <b>Needs attention</b>; excluded ones are not.</p>
    <p>Photos that an import could not use, for instance because several faces are on them, are
    named beside the heading until you have tried them again or open another project.</p>"""


def _adding(_figures: Figures | None) -> str:
    return """<p>Every photo is shown with the face that was found on it, and beside it the face as
    it will be compared. <b>Needs attention</b> lists what is not clear: no face, several of about
    the same size, one that may be none, or one that is cut off, tiny, blurred or very dark, each
    with its reason and what helps.</p>
    <p>To mend one, drag a box around the face or click its two eyes, turn the photo, say that it is
    a face already, or leave it out. Nothing that is not clear is added, and the line at the bottom
    counts what will be. Adding a folder again brings in only what is new or has changed.</p>"""


def _eigenfaces(_figures: Figures | None) -> str:
    return """<p>The mean face and the components, in the order of their variance. In colour, red
    is brighter than the mean, blue is darker, white is no difference. The sign means nothing: a
    component and its negative are the same direction.</p>
    <p>The curve tells how much of the variance the first <i>k</i> components keep; drag the line
    to choose how many are compared. The spectrum shows how quickly the singular values fall.
    Early components are mostly light and hair, later ones single features, and the last ones
    noise.</p>"""


def _reconstruct(_figures: Figures | None) -> str:
    return """<p>A face, the same face rebuilt from the first <i>k</i> components, and the
    difference. At <i>k</i> = 0 everybody is the mean face. A face that was trained on comes back
    perfectly at the largest <i>k</i>; one that was not keeps an error, however many components
    there are. That error is its distance from face space.</p>"""


def _recognise(_figures: Figures | None) -> str:
    return """<p>Every face in a photo that you open becomes a probe of its own. The whole photo
    stands beside the verdict, each face in its box; a click, or the arrow keys, ask about another
    one. A photo without a face is skipped, with the reason.</p>
    <p>Each probe is compared with every enrolled face. The verdict names the person who
    is closest, the runner-up, and two distances: <b>from</b> face space (is this a face like
    those trained on?) and <b>in</b> face space (whose is it most like?). They are not calibrated
    in this version: there is always somebody who is closest, for a stranger and for a cat. So the
    card says how often the gallery names its own photos rightly while these are held out, in ten
    parts, and how many of them were nearer to their closest person than this photo is.</p>
    <p><b>Nearest faces</b>: those underlined belong to the closest person; a double-click opens
    a face in Reconstruct, the right button offers People. <b>What the face space sees</b>: the
    probe, what <i>k</i> components make of it, and what is left over. <b>Which components tell
    them apart</b>: what each component adds to the squared distance to the closest person and to
    the runner-up, as a share of the latter. Where the red bar is high and the blue one low, that
    component speaks for the closest person.</p>
    <p><b>To try it with the sample</b>, hold some photos out: “Try held-out photos” on the empty
    page excludes five, trains without them and asks who is on them. Undo takes it back. To do it
    by hand, exclude photos on People, train, and drop their files on Recognise. A photo that is
    in the gallery proves nothing: its distance to itself is 0.</p>"""


def _settings(_figures: Figures | None) -> str:
    return """<p><b>Faces</b> says how a photo becomes a face: found and aligned in it, or the whole
    photo where faces were cut already. The selected photo shows the effect; changing it reads all
    photos again, and keeps what was set by hand.</p>
    <p><b>Light and background</b> and <b>Recipe</b> say how faces are compared; changing them reads
    nothing again, but lighting, window and the kind of components need training anew, and a line
    above the pages then says so. All of this belongs to the project, and undo takes changes back.
    Theme and text size belong to you.</p>"""


def _glossary(_figures: Figures | None) -> str:
    return _table(GLOSSARY)


def _keys(_figures: Figures | None) -> str:
    return _table(KEYS)


def _is_not(_figures: Figures | None) -> str:
    return """<p><b>It is no authentication.</b> A printed photograph passes as well as the
    person. Do not guard a door or a log-in with it.</p>
    <p><b>It is not the best face recognition.</b> On photos from everyday life, with turned heads
    and changing light, deep networks do much better. Eigenfaces are worth knowing because every
    step can be seen, computed in a moment and understood.</p>
    <p><b>It does not know strangers.</b> It names whoever is closest, and the distance beside the
    name is not a probability.</p>"""


def _credits(_figures: Figures | None) -> str:
    return """<p>The sample faces are those of <b>AT&amp;T Laboratories Cambridge</b>, taken at
    the Olivetti Research Laboratory between 1992 and 1994 (F. Samaria and A. Harter,
    <i>Parameterisation of a stochastic model for human face identification</i>, 1994).</p>
    <p>Finding and aligning learnt from the <b>Face Research Lab London Set</b> (L. DeBruine and B.
    Jones, 2017, doi 10.6084/m9.figshare.5047666, licence CC BY 4.0). The cascade of local binary
    patterns was trained by the <b>OpenCV</b> project and comes with scikit-image (S. Liao and
    others, <i>Learning multi-scale block local binary patterns for face recognition</i>, 2007).</p>
    <p>X. Xiong and F. De la Torre, <i>Supervised descent method and its applications to face
    alignment</i>, 2013. X. Tan and B. Triggs, <i>Enhanced local texture feature sets for face
    recognition under difficult lighting conditions</i>, 2010.</p>
    <p>L. Sirovich and M. Kirby, <i>Low-dimensional procedure for the characterization of human
    faces</i>, Journal of the Optical Society of America A 4, 1987.</p>
    <p>M. Turk and A. Pentland, <i>Eigenfaces for recognition</i>, Journal of Cognitive
    Neuroscience 3, 1991.</p>
    <p>Names of the Mahalanobis distances after R. Beveridge, D. Bolme, M. Teixeira and B. Draper,
    <i>The CSU Face Identification Evaluation System User’s Guide</i>, 2003.</p>
    <p>Everything stays on this computer.</p>"""


PAGES = (
    Section("people", _PAGES, "People", _people),
    Section("adding", _PAGES, "Adding photos", _adding),
    Section("eigenfaces", _PAGES, "Eigenfaces", _eigenfaces),
    Section("reconstruct", _PAGES, "Reconstruct", _reconstruct),
    Section("recognise", _PAGES, "Recognise", _recognise),
    Section("evaluate", _PAGES, "Evaluate", evaluate),
    Section("settings", _PAGES, "Settings", _settings),
)

ABOUT = (
    Section("glossary", _ABOUT, "Glossary", _glossary),
    Section("keys", _ABOUT, "Keyboard", _keys),
    Section("is-not", _ABOUT, "What it is not", _is_not),
    Section("credits", _ABOUT, "Credits", _credits),
)
