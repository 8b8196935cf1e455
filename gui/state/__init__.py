"""State: the session with its gallery, the jobs that run, the settings, the actions.

Nothing here paints.
"""
