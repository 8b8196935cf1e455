"""The People page: all people of the gallery, their photographs, and how consistent these are."""
