"""The kinds of jobs: which lane each runs in, what it waits for, what it gives way to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JobKind:
    """A kind of job. As all jobs, it touches nothing but the values it gets.

    Parameters
    ----------
    quick
        It runs in the quick lane: a person waits for its result.
    changes
        It puts something into the project, or takes the project to another file.
    after_changes
        It waits until no job that ``changes`` the project runs or waits.
    after_opening
        It waits while another project is being opened.
    gives_way
        It stops for every job of its lane that does not, untold: whoever wants it starts it again.
    """

    name: str
    quick: bool = False
    changes: bool = False
    after_changes: bool = False
    after_opening: bool = False
    gives_way: bool = False


# Opening waits so that nothing is lost; probes must be cut as the gallery's faces are afterwards.
OPEN = JobKind("open a project", quick=True, after_changes=True)
ADD_PROBES = JobKind("add probes", quick=True, after_changes=True)
RECOGNISE = JobKind("recognise", quick=True)
SHOW_PHOTO = JobKind("show a photo", quick=True)
MEASURE_FRAME = JobKind("measure the frame of the faces", quick=True)
PREVIEW = JobKind("preview a preparation", quick=True)
EVEN_LIGHT = JobKind("even out the light", quick=True)
READ_RUN = JobKind("read a run", quick=True)
MEASURE_MAP = JobKind("measure a map", quick=True)
LOOK_AROUND = JobKind("read a photo for the bench", quick=True)
DISTURB = JobKind("disturb a face", quick=True)
DISTURB_MORE = JobKind("disturb a face more and more", quick=True)
MAP_SCENE = JobKind("map a scene", quick=True)

IMPORT = JobKind("import", changes=True, after_opening=True)
WRITE = JobKind("write a change", changes=True, after_opening=True)
SAVE_AS = JobKind("save as", changes=True, after_opening=True)
KEEP_RUN = JobKind("keep a run", changes=True)

TRAIN = JobKind("train")
CALIBRATE = JobKind("calibrate", gives_way=True)
REFIT = JobKind("look whether training pays", gives_way=True)
PROPOSE = JobKind("measure all recipes", gives_way=True)
EVALUATE = JobKind("evaluate")
SWEEP = JobKind("sweep")
MAP = JobKind("map the faces")
LESSON = JobKind("prepare a lesson")
WITHSTAND = JobKind("disturb held-out photos")
CHECK_PHOTOS = JobKind("check photos")
VERIFY = JobKind("check the pages of a file", gives_way=True)
SCAN = JobKind("look for photos")
REVIEW = JobKind("review photos")
READ_AGAIN = JobKind("read corrected photos")
CHOOSE = JobKind("choose among several faces")
LOAD_LARGE = JobKind("load a large photo")
FIND_FACES = JobKind("find faces in a live picture")
EXPORT = JobKind("export a file")

OF_THE_PROJECT = (
    *(IMPORT, TRAIN, ADD_PROBES, EVALUATE, SWEEP, MAP, WITHSTAND, MAP_SCENE, WRITE),
    *(CALIBRATE, REFIT, PROPOSE, VERIFY, CHECK_PHOTOS),
    *(PREVIEW, EVEN_LIGHT, MEASURE_FRAME, MEASURE_MAP),
)
"""Jobs that read the project they were started in, or whose result is meant for it."""
