"""Readings shown to people: terminal, picture, tables, plots, PDF."""
