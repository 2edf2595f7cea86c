-- played: the name of the game that a result is of. former_board: the result that a board
-- became, by the number of its own that it had before (see `one_table`).
ALTER TABLE result ADD COLUMN played TEXT NOT NULL DEFAULT '';
CREATE INDEX result_played ON result (played);
CREATE TABLE former_board (
    number INTEGER PRIMARY KEY,
    result INTEGER NOT NULL
);
