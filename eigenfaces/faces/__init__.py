"""Pictures become aligned crops of one size, by a saved `preparation.Preparation`.

Faces are detected, aligned and cut; `quality` says what a person should look at.
"""
