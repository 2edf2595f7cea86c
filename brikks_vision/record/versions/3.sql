CREATE TABLE material (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    ink TEXT NOT NULL,
    picture BLOB NOT NULL
);
