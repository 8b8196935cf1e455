"""Dialogs that turn photographs into faces: the import sheet, the photo editor and the camera."""
