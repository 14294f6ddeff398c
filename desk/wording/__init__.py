"""Facts and frame lines in words: the message catalogue, whose sentences are all data.

`catalogue.py` answers, `fields.py` says what a sentence may name, `patterns.py` picks the sentence,
`formats.py` writes numbers, money and dates as a language does, `tables.py` reads and checks the files.
"""

from desk.wording.catalogue import Catalogue, Position

__all__ = ["Catalogue", "Position"]
