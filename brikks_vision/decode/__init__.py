"""From ink to the most probable sheet: where pixels and rules meet."""
