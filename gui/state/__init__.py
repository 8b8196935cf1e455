"""State of the window: the session, jobs, settings and actions, but no drawing code."""
