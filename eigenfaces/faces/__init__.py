"""Pictures become aligned crops of one size, by a saved `preparation.Preparation`.

Faces are detected, aligned and cut; `quality` says what a person should look at, `intake` what an
import brings, `import_review` what comes of each of its photographs.
"""
