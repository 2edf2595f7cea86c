"""Sheet games as definitions: their most probable sheet, how sure it is, and what it proves."""
