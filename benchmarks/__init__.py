"""Measures the scanner on simulated photos: run, never imported."""
