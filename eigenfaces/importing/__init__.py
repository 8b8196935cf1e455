"""Importing: from photographs to faces for a gallery, and what a person has to decide.

`load` reads photographs, none of them twice. `review` lists them while a person checks them, and
`correct` reads one with the corrections of a person.
"""
