"""What can be printed on a sheet of paper, and what happens to it before it is played on."""
