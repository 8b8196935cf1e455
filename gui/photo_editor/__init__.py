"""One photograph, large: a person marks or chooses the face, turns the photo, or leaves it out.

`photo_editor` is the widget, `corrections` applies the person's corrections.
"""
