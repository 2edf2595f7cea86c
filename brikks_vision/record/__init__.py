"""The record: every photo, every reading, every correction, in one SQLite file.

A *photo* is known by its content, whatever its name. It has one *reading* for each sheet in it.
Readings of the same sheet (burst shots, a second try) make one *result*, which shows the best of
them, or what a person corrected it to. Results of the sheets of one game are put into a *game*.
A board is a result without a score, and each photo of one is a result of its own.

Every change is one transaction: whoever kills the program finds all of it or nothing of it. What
changes the record can raise RecordFailure; what takes the number of a result, a game, a table or a
seat, or a name, raises ResultMissing, GameMissing, TableMissing, SeatMissing or NameTooLong. Times
of photos are the wall clock of whoever took them, without a zone; all other times are UTC.
Nothing about where a photo was taken is kept.
"""
