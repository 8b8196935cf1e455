"""Maps of a gallery, how far they can be trusted, and from where they are looked at."""
