"""The Lessons page: what principal components are, a picture that moves for each idea."""
