-- kept_photo: what a photo shows of a reading's sheet, kept to teach. total: the right one, as a
-- person said. wish: what the user wants from now on, by name.
CREATE TABLE kept_photo (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    made TEXT NOT NULL,
    total INTEGER,
    picture BLOB NOT NULL
);
CREATE TABLE wish (name TEXT PRIMARY KEY);
