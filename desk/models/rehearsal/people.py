"""What a message asks of the hotel's people, read by code: for when no model may be asked, or none answers."""

from __future__ import annotations

from desk import mood
from desk.models.rehearsal.roles.coordinator import request_of
from desk.models.rehearsal.subject import Subject
from desk.records import StaffRequest


def read_request(subject: Subject, text: str, code: str) -> StaffRequest | None:
    """The request in a message of one of the desk's languages; urgent when it reports danger, theft or illness.

    It reads as the rehearsal model does, and misses what that misses.
    """
    english = text if code == "en" else subject.translation.to_english(text, code).english
    kind = request_of(subject, english)
    alarm = mood.alarm(english, subject.mood)
    if kind is None and alarm is None:
        return None
    kind = kind or "emergency"
    urgent = alarm is not None or kind == "emergency"
    return StaffRequest(kind=kind, text=text, reason=f"read by code: {kind}", urgent=urgent)
