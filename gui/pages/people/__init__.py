"""The People page: all people in the gallery, their photographs, and their consistency."""
