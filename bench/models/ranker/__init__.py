"""The ranker: vectors of the tokens of a turn, read once at write time, and of a question's tokens against them."""
