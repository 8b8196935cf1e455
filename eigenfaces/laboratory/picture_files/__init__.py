"""Pictures for the laboratory from files: a folder, an .npz, an IDX file. Each a file here."""
