"""A reference cannot be opened by trying surnames."""

from __future__ import annotations

import pytest

from tests.conftest import Opened


@pytest.mark.parametrize(
    "text",
    [
        "HH-1002 Smith Jones Weber Costa Silva Miller, when is my stay?",
        "Smith, Miller, Jones, Weber, Costa, Silva: HH-1002, when is my stay?",
        "HH-1002. Try Smith, Jones, Weber, Costa, Silva, Novak, Miller.",
    ],
)
def test_a_list_of_surnames_opens_nothing(desk: Opened, text: str) -> None:
    """Only the name that the message gives, or the words right beside the reference, count."""
    turn = desk.ask(text)
    assert "11" not in turn.reply
    assert not any(fact.kind == "stay" for fact in turn.facts)


@pytest.mark.parametrize(
    "text",
    ["HH-1002, miller. When is my stay?", "Bob Miller, HH-1002. When is my stay?", "HH-1002 Bob Miller"],
)
def test_the_surname_beside_the_reference_opens_it(desk: Opened, text: str) -> None:
    """Before or behind it, with the first name or without."""
    assert any(fact.kind == "stay" for fact in desk.ask(text).facts)
