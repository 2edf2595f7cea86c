"""The command ``brikks-scan``, one module a command."""
