"""The import sheet: who is on the photos, how they are cut, what an import does with each."""
