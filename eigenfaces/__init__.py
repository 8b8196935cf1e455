"""Eigenfaces: from a folder of photographs to a name, with every step visible.

1. `photographs` finds the photographs of each person, and reads them upright and in grey.
2. `faces` crops every face to one size, according to a saved `Preparation`.
3. `space` finds the mean of the faces and their principal components, the eigenfaces.
4. `recognition` keeps people, faces and face space in a `Gallery`. Every edit makes a new gallery.
5. `recognition` gives the verdict on a probe: who it is, if anybody, how certain that is, and why.
6. `evaluation` measures how often verdicts are right, and `report` writes a report about it.
7. `project` stores a gallery in one file, and changes it one transaction at a time.

>>> import numpy as np
>>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify
>>> rng = np.random.default_rng(0)
>>> ada, grace = 0.9 * rng.random((2, 16, 16))
>>> noise = lambda: 0.05 * rng.random((16, 16))
>>> faces = FaceSet.from_arrays(
...     [ada + noise(), ada + noise(), grace + noise(), grace + noise()],
...     ["Ada", "Ada", "Grace", "Grace"],
... )
>>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
>>> identify(gallery, grace + noise()).closest.person
'Grace'
"""

import lazy_loader

__version__ = "1.0.0"

# Names are imported on first use, so that Ctrl-C can stop the command line before that.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
