"""The face map of a photograph, in place of the verdict."""
