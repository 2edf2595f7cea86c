CREATE TABLE file (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    photo INTEGER NOT NULL REFERENCES photo (id)
);
CREATE INDEX file_photo ON file (photo);
