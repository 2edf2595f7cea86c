"""Games of Brikks, its sheet in random art, and photos of both."""
