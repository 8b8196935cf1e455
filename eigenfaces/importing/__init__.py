"""What an import brings, and what needs a person: from photographs to faces for a gallery.

`load` reads them, none twice; `review` lists them while a person looks at them, and `correct` reads
one as a person says.
"""
