"""The Settings page: appearance, face size and recipe."""
