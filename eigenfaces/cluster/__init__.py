"""Work that is done elsewhere: on the workers of a Dask cluster."""
