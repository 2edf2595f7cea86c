"""What the service answers under which address, a module a subject."""
