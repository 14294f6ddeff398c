"""Translation by the desk's own glossaries. Read `translate.py` first.

A message becomes tokens (`tokens`), the longest known phrases are looked up (`lookup`, in the `lexicon`), words
are settled by their neighbours (`clauses`, `prepositions`), the clauses are put into English order (`mainclause`,
`order`, `predicate`, `persons`, `spans`) and written (`writing`, `english`). The desk's own sentences go out
through the `phrasebook`.
"""

from desk.models.rehearsal.translation.translate import Gloss, Translation

__all__ = ["Gloss", "Translation"]
