"""Photographs become aligned crops of one size, by a saved `prepare.Preparation`.

`read` decodes one, `detect` finds and aligns its faces, `face_choice` tells which one is meant, and
`quality` what a person should check; `face_set` holds what came of many. How their light is evened
out (`lighting`) belongs to a recipe, so that another one reads no photograph again.
"""
