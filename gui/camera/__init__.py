"""The camera: live pictures with the faces on them, photographs to enrol and to ask about."""
