"""The turn of a message that was not answered, said plainly in the guest's language by code alone.

It needs no model: there may be none, or the day's limit forbids one. What the guest wants of the hotel's people is
read by code too, so that a call for help gets through all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from desk.context import Parts
from desk.models.rehearsal.people import read_request
from desk.models.rehearsal.subject import Subject
from desk.records import Fact, Offer, StaffRequest, make_fact
from desk.tools.offers import offer_fact
from desk.turn import Turn

if TYPE_CHECKING:
    from desk.worker import Job

LIMIT, MODEL_GONE = "limit", "model_gone"
CALL, DANGER = "limit_call", "limit_danger"  # whom to call today; without a phone in the pack, 112 alone
FOR_PEOPLE = (LIMIT, MODEL_GONE)  # with these, a wish for people is still passed on


class Honest:
    """Words such turns. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def turn(self, job: Job, key: str, why: str, stored: Mapping[str, Any], **more: Any) -> Turn:
        """The turn that ends with the line `key`, of a thread whose state is `stored`; `more` are fields of it.

        What was booked is said first, from the stored row: whatever failed came after it. The offer that stood
        still does.
        """
        code = self.language(job, stored.get("language"))
        offer = stored.get("offer")
        booking = self._parts.hotels.carried_out(Offer.model_validate(offer)) if offer else None
        facts = [offer_fact(job.turn, "booking", booking)] if booking else []
        request = self._request(job, code) if key in FOR_PEOPLE else None
        if request:
            facts.append(_request_fact(job.turn, request))
        keys = [key] if key != LIMIT or (request and request.urgent) else [key, CALL]
        return Turn(
            thread=job.thread,
            turn=job.turn,
            text=job.text,
            language=code,
            english=job.text if code == "en" else "",
            routes=["direct"],
            reply_english=self._say(facts, keys, "en"),
            reply=self._say(facts, keys, code.partition("-")[0]),
            facts=facts,
            booking=booking,
            requests=[request] if request else [],
            offer=None if booking else offer,
            problem=why,
            **more,
        )

    def language(self, job: Job, stored: str | None) -> str:
        """The guest's choice by hand, else what the message and the conversation so far tell."""
        return job.language or self._parts.detector.detect(job.text, current=stored, locale=job.locale).code

    def _say(self, facts: Sequence[Fact], keys: Sequence[str], code: str) -> str:
        catalogue = self._parts.catalogue
        return "\n".join(
            [*(catalogue.fact(fact, code) for fact in facts), *(self._line(key, code) for key in keys)]
        )

    def _line(self, key: str, code: str) -> str:
        """A fixed line; in a language without a catalogue it is that language's notice, where there is one."""
        phones = [f"{branch.name} {branch.phone}" for branch in self._parts.pack.branches if branch.phone]
        if key == CALL and not phones:
            key = DANGER
        if code not in self._parts.languages and (
            notice := self._parts.honest_notices.get(key, {}).get(code)
        ):
            return notice.replace("{phones}", ", ".join(phones))
        return self._parts.catalogue.frame(key, code, phones=phones)

    def _request(self, job: Job, code: str) -> StaffRequest | None:
        base = code.partition("-")[0]
        return read_request(self._subject, job.text, base) if base in self._parts.languages else None

    @cached_property
    def _subject(self) -> Subject:
        return Subject.of(self._parts.languages, [branch.name for branch in self._parts.pack.branches])


def _request_fact(turn: int, request: StaffRequest) -> Fact:
    status = "urgent" if request.urgent else "recorded"
    return make_fact(turn, "staff_request", status=status, values={"kind": request.kind})
