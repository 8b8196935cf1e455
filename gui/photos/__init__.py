"""Dialogs that turn photographs into faces: the import sheet, photo editor and camera."""
