"""The laboratory: what can be tried out on a gallery's face space. It never changes a gallery."""
