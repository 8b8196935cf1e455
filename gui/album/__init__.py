"""The photographs of a project as an album: thumbnails, the grid, and one photograph large."""
