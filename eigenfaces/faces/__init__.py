"""Pictures become aligned crops of one size, by a saved `prepare.Preparation`.

Faces are detected, aligned and cropped. `quality` finds photographs that a person should check.
"""
