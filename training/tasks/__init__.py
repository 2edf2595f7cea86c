"""What each network learns from, and how: one module a task."""
