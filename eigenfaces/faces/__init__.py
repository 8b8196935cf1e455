"""Turn photographs into aligned crops of one size, using a saved `prepare.Preparation`.

`read` decodes a photograph, `detect` finds and aligns its faces, `face_choice` picks the right one,
and `quality` lists problems that the user should check. `face_set` stores the faces of many
photographs. Lighting correction (`lighting`) belongs to the recipe, so changing the recipe does not
require the photographs to be read again.
"""
