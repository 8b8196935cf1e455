"""Import faces from photographs into a gallery, with the decisions of the user.

`load` reads photographs, none of them twice. `review` lists photographs while the user checks them,
and `correct` reads a photograph with the user's corrections.
"""
