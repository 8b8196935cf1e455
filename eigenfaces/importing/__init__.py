"""Import faces from photographs into a gallery, as decided by the user.

`load` reads photographs, skipping duplicates. `review` lists photographs while the user checks
them, and `correct` reads a photograph with the user's corrections.
"""
