"""One photograph, large: a person shows or chooses the face, turns it, or leaves it out.

`photo_editor` is what is seen, `corrections` carries out what is said.
"""
