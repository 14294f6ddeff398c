"""The sentiment record of one English text: TextBlob's score, the tone, and whether to calm the guest."""

from __future__ import annotations

from desk import mood
from desk.languages import Table
from desk.turn import Sentiment, Tone


def sentiment_of(english: str, tone: Tone | None, table: Table) -> Sentiment:
    """Score `english` under this tone (None: calm). `table` is the English subject table `mood`."""
    score = mood.score(english)
    settled: Tone = tone or "calm"
    # Only a negative text may be excused by being a question or thanks, and to find that out costs most.
    negative = score.label == "negative"
    return Sentiment(
        polarity=score.polarity,
        label=score.label,
        words=list(score.words),
        tone=settled,
        deescalate=mood.deescalates(
            score,
            settled,
            mood.alarm(english, table),
            question=negative and mood.is_plain_question(english, table),
            thanks=negative and mood.is_thanks(english),
        ),
    )
