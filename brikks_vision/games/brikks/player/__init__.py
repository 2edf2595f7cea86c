"""A computer player of Brikks, and what it says of a turn.

many         many games at once: where blocks can come to rest, what they earn, the score
policy       how it chooses, and games played to their end
monte_carlo  what may be done for a roll, by the points of games that are played to their end
"""
