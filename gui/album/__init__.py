"""Album of a project's photographs: thumbnails, the grid, and the view of one photograph."""
