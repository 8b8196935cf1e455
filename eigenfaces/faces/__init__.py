"""Photographs become aligned crops of one size, by a saved `prepare.Preparation`.

`read` decodes a photograph, `detect` finds and aligns its faces, `face_choice` picks the one that
is meant, and `quality` lists what a person should check. `face_set` holds the faces of many
photographs. Lighting correction (`lighting`) belongs to the recipe, so changing the recipe does not
read the photographs again.
"""
