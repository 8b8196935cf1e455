"""Photographs before they are faces: the import sheet, the photo editor, the camera."""
