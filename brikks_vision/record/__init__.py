"""The record of what was read, one SQLite file."""
