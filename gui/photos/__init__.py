"""From photographs to faces: the import sheet, the photo editor, the camera."""
