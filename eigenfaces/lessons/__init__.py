"""The lessons of principal components: a file each, and a line in the table of `catalogue`."""
