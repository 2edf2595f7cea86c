-- board: a photo of a game board. sheet: the board's name. json: what was read with the answers,
-- which are what a person said of fields, by place. picture: JPEG with the reading drawn on it.
CREATE TABLE board (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    game TEXT NOT NULL,
    sheet TEXT NOT NULL,
    player INTEGER REFERENCES player (id),
    json TEXT NOT NULL,
    answers TEXT NOT NULL,
    picture BLOB NOT NULL
);
CREATE INDEX board_taken ON board (taken);
CREATE INDEX board_player ON board (player);
