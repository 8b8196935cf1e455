"""The sheet in which photographs are added: who is on them, how they are cut, what comes of each."""
