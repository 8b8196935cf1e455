"""The laboratory: experiments with the face space of a gallery, which never change the gallery.

Pictures other than faces are decomposed in the same way. `read_pictures` reads them from a folder
or a file, such as MNIST. The digits come with the program:

>>> from eigenfaces import SUBJECTS, TrainingFaces, SyntheticFace
>>> digits = SUBJECTS["digits"].make(0)
>>> space = digits.fit_space()
>>> space.components_for(0.9), len(space)  # to keep 90 % of the variance, and all
(21, 61)

Synthetic faces, their distance from real ones, and a map of all faces:

>>> import numpy as np
>>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, map_of_components
>>> rng = np.random.default_rng(0)
>>> faces = 0.8 * rng.random((3, 1, 16, 16)) + 0.2 * rng.random((3, 4, 16, 16))
>>> names = ["Ada"] * 4 + ["Grace"] * 4 + ["Mary"] * 4
>>> faces = FaceSet.from_arrays(faces.reshape(12, 16, 16), names)
>>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
>>> real = TrainingFaces.of(gallery)
>>> nobody = SyntheticFace.random(real.space, rng).moved(0, 1.5)
>>> nobody.pixels.shape, real.nearest(nobody, 1)[0].photo.person
((16, 16), 'Grace')
>>> places = map_of_components(gallery)
>>> places.view_coordinates([0, 1]).shape, places.axis(0)
((12, 2), 'component 1 (49 % of the variance)')

A lesson, and the program that computes the numbers in its picture:

>>> from eigenfaces import lesson
>>> variance, cloud = lesson("variance"), SUBJECTS["cloud"].make(0)
>>> exec(variance.code(cloud, variance.default_settings))
3.085 + 0.500 = 3.585; total variance 3.585
"""
