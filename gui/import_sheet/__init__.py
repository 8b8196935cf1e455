"""The sheet in which photographs are added: what was found, who is on them, how they are cut."""
