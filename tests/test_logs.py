"""What may be logged of an error: where it came from, never what its text says."""

from __future__ import annotations

from desk.errors import StorageError
from desk.logs import without_words


def test_only_the_desks_own_errors_keep_their_text() -> None:
    """A KeyError quotes what was looked up; the desk's own errors promise not to quote a guest."""
    words = " ".join(["passport", "X123"])  # put together here: a traceback shows lines of code
    try:
        try:
            {}.pop(words)
        except KeyError as error:
            raise StorageError("the file is locked") from error
    except StorageError as error:
        text = without_words(error)
    assert "the file is locked" in text
    assert "KeyError" in text
    assert words not in text


def test_causes_that_run_in_a_circle_end() -> None:
    """An error that is its own cause, or two that are each other's, are written once."""
    one, two = ValueError("a"), ValueError("b")
    one.__cause__ = one
    assert without_words(one).count("ValueError") == 1
    one.__cause__, two.__cause__ = two, one
    assert without_words(one).count("ValueError") == 2
