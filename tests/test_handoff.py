"""Handoffs: each acceptance check stands on its own."""

from __future__ import annotations

import pytest

from desk.handoff import CHECKS, CRITERIA, MAX_EVIDENCE, Desk, Handoff, refusal

DESK = Desk(
    evidence={
        "stay:now": "two nights",
        "offer:o-1": "an offer",
        "turn:1": "x" * (MAX_EVIDENCE - 1),
        "turn:2": "more than fits beside turn 1",
    },
    authorizations=frozenset({"pick:t1-aa", "offer:o-1"}),
    hotels=frozenset({"hotel1", "hotel2"}),
)


def handoff(**changes: object) -> Handoff:
    """A handoff to the hotels that every check accepts, with these changes."""
    good = {
        "destination": "hotels",
        "reason": "the guest asks about rooms",
        "task": "find free rooms",
        "completion_criteria": CRITERIA["hotels"],
        "evidence_refs": ["stay:now"],
        "hotels": ["hotel1"],
    }
    return Handoff.model_validate({**good, **changes})


# One handoff for each check, wrong in just the way which that check is there to catch.
WRONG = {
    "known_destination": handoff(hotels=["hotel9"]),
    "texts_given": handoff(reason="  "),
    "criteria_known": handoff(completion_criteria="the guest is happy"),
    "return_allowed": handoff(return_to="translate_out"),
    "evidence_exists": handoff(evidence_refs=["turn:99"]),
    "evidence_readable": handoff(evidence_refs=["offer:o-1"]),
    "evidence_small": handoff(evidence_refs=["turn:1", "turn:2"]),
    "authorized": handoff(
        destination="reservation", completion_criteria=CRITERIA["reservation"], action="book", hotels=[]
    ),
}


def test_a_good_handoff_is_accepted() -> None:
    """The base of all the cases below is accepted, so each is refused for its one fault."""
    assert refusal(handoff(), DESK) is None


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_check_is_needed(check: object) -> None:
    """With one check removed its handoff slips through: no check is covered by another."""
    wrong = WRONG[check.__name__]  # type: ignore[attr-defined]
    assert refusal(wrong, DESK) is not None
    rest = tuple(other for other in CHECKS if other is not check)
    assert refusal(wrong, DESK, rest) is None


def test_an_unknown_destination_is_refused() -> None:
    """A destination that the desk does not have never runs."""
    assert refusal(handoff(destination="payments"), DESK) == "no such destination"


@pytest.mark.parametrize(
    ("action", "ref", "accepted"),
    [
        ("offer", "pick:t1-aa", True),
        ("offer", "pick:t1-bb", False),  # not a pick of this thread
        ("offer", "offer:o-1", False),  # an offer is no pick
        ("book", "offer:o-1", False),  # standing is not confirmed
        ("decline", "offer:o-1", True),
        ("own_stay", None, False),
        ("none", None, False),  # the reservation agent gets no open task
    ],
)
def test_what_authorizes_a_reservation_step(action: str, ref: str | None, accepted: bool) -> None:
    """Each step needs the thread's own state of the right kind; a made-up ref is worth nothing."""
    step = handoff(
        destination="reservation",
        completion_criteria=CRITERIA["reservation"],
        action=action,
        authorization_ref=ref,
        evidence_refs=[],
        hotels=[],
    )
    assert (refusal(step, DESK) is None) is accepted
