"""The camera: live pictures with the faces marked, photographs to enrol or to recognise."""
