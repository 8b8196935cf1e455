"""What an import brings, and what needs a person: from photographs to faces for a gallery.

`intake` reads them, none twice; `meant_face` chooses among several faces on one; `import_review`
lists them while a person looks at them, and `mending` and `recutting` cut faces anew.
"""
