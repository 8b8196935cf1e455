"""The Eigenfaces page: the mean face, the components, and how many of them are kept."""
