"""A word behind "my name is" is a name, not an answer."""

from __future__ import annotations

import pytest

from tests.conftest import Opened


@pytest.mark.parametrize("text", ["My name is Yes", "The name is Ok.", "My surname is Sure"])
def test_a_name_that_sounds_like_yes_books_nothing(desk: Opened, text: str) -> None:
    """The offer stands and nothing is written; a plain yes beside a name still books."""
    thread = desk.thread()
    desk.say(thread, "Is a Deluxe room free from 1 to 3 February for two?")
    desk.say(thread, "The one at Garden Court. My name is Lena Novak.")
    turn = desk.say(thread, text)
    assert turn.booking is None
    assert desk.say(thread, "Yes, my name is Tom Ford.").booking is not None
