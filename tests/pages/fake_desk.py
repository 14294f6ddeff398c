"""A real Desk whose turns are answered by a script instead of the graph: what the pages are tested with.

The first word of a message chooses the scene; everything else about the desk (log, worker, progress) is real.
"""

from __future__ import annotations

import datetime as dt
import json
import time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from desk.clock import Clock
from desk.errors import TurnStopped
from desk.progress import Progress
from desk.records import Booking, Fact, Offer, StaffRequest
from desk.service import About, Desk
from desk.stores.turnlog import open_turnlog
from desk.turn import (
    BranchLog,
    BranchMessage,
    Checks,
    HandoffRecord,
    ModelUse,
    NodeTime,
    Sentiment,
    Source,
    Turn,
)
from desk.worker import Job, Why

ZONE = ZoneInfo("Europe/Lisbon")
ARRIVAL, DEPARTURE = dt.date(2027, 2, 1), dt.date(2027, 2, 3)
NAMES = {"hotel1": "Harbour House", "hotel2": "Garden Court"}
ABOUT = About(True, "rehearsal", tuple(NAMES.values()), (("de", "Deutsch"), ("en", "English")))

DOLLARS = "A double is $120, a suite $180 (~$120 … ~$180): `sea_24*x*` <b>bold</b> **bold** # :red[no]"
ARABIC = (
    "نعم، الغرفة 104 متاحة من 14:00 حتى 11:00 بسعر 189,00 € لليلة.\n"
    "للاستفسار اتصل على +351 21 555 0199 في أي وقت، أو اكتب إلينا هنا."
)
GERMAN = (
    "Ja, gern: Im Harbour House ist das Deluxe-Zimmer 104 vom 1. bis 3. Februar 2027 frei, 189,00 € "
    "pro Nacht, zusammen 378,00 €. Als Alternative hat das Garden Court das Deluxe-Zimmer 108 "
    "für 175,00 € pro Nacht, zusammen 350,00 €. Welches möchten Sie?"
)
ENGLISH = (
    "Yes: Deluxe room 104 at Harbour House is free from 1 to 3 February 2027, €189.00 a night, "
    "€378.00 in all. Garden Court has Deluxe room 108 for €175.00 a night, €350.00 "
    "in all. Which would you like?"
)
NODES = (
    NodeTime(name="translate_in", start=0.0, seconds=0.5),
    NodeTime(name="fold_history", start=0.0, seconds=0.01),
    NodeTime(name="mood", start=0.5, seconds=0.01),
    NodeTime(name="identify", start=0.51, seconds=0.01),
    NodeTime(name="coordinator", start=0.52, seconds=0.45),
    NodeTime(name="mapper", start=0.97, seconds=0.01),
    NodeTime(name="hotel1", start=1.0, seconds=0.4),
    NodeTime(name="hotel2", start=1.0, seconds=0.3),
    NodeTime(name="hotel1_tools", start=1.4, seconds=0.1),
    NodeTime(name="hotel2_tools", start=1.4, seconds=0.05),
    NodeTime(name="hotel1", start=1.5, seconds=0.6),
    NodeTime(name="hotel2", start=1.5, seconds=0.25),
    NodeTime(name="hotel2_done", start=1.75, seconds=0.01),
    NodeTime(name="hotel1_done", start=2.1, seconds=0.01),
    NodeTime(name="merge", start=2.12, seconds=0.48),
    NodeTime(name="return_check", start=2.6, seconds=0.01),
    NodeTime(name="checker", start=2.61, seconds=0.02),
    NodeTime(name="translate_out", start=2.64, seconds=0.46),
)


def offer(hotel: str = "hotel2", room: str = "108", rate: int = 175) -> Offer:
    """A standing offer."""
    return Offer(
        id=f"o-{hotel}-{room}",
        hotel=hotel,
        room=room,
        type="Deluxe",
        arrival=ARRIVAL,
        departure=DEPARTURE,
        nights=2,
        guests=2,
        rate=rate,
        total=2 * rate,
        currency="EUR",
    )


def _fact(number: int, hotel: str, room: str, rate: int, turn: int) -> Fact:
    return Fact(
        id=f"t{turn}-{number:08x}",
        kind="room_free",
        hotel=hotel,
        room=room,
        type="Deluxe",
        sleeps=2,
        arrival=ARRIVAL,
        departure=DEPARTURE,
        nights=2,
        rate=rate,
        total=2 * rate,
        currency="EUR",
        source="free_rooms",
        turn=turn,
    )


def _branch(hotel: str, room: str, rate: int) -> BranchLog:
    rows = [{"room": room, "type": "Deluxe", "sleeps": 2, "rate": rate, "total": 2 * rate}]
    call = {
        "name": "free_rooms",
        "args": {"arrival": "2027-02-01", "departure": "2027-02-03", "type": "Deluxe"},
        "id": "c1",
    }
    return BranchLog(
        status="ok",
        messages=[
            BranchMessage(role="human", text="Which Deluxe rooms are free from 2027-02-01 to 2027-02-03?"),
            BranchMessage(role="ai", text="", tool_calls=[call]),
            BranchMessage(role="tool", text=json.dumps(rows)),
            BranchMessage(
                role="ai", text=f"{NAMES[hotel]}: Deluxe {room} is free, $ not €: *{rate}* a night."
            ),
        ],
    )


def rooms_turn(job: Job, language: str) -> Turn:
    """Both hotels asked, two rooms found."""
    return Turn(
        thread=job.thread,
        turn=job.turn,
        text=job.text,
        language=language,
        english="Hello, is a Deluxe room free from 1 to 3 February?" if language == "de" else job.text,
        sentiment=Sentiment(polarity=0.2, label="positive", words=["free"]),
        route="hotels",
        routes=["hotels"],
        handoffs=[
            HandoffRecord(
                destination="hotels",
                reason="the guest asks about rooms",
                accepted=True,
                status="ok",
                task="Which hotels have a Deluxe room from 1 to 3 February?",
                completion_criteria="every asked hotel has answered",
                return_to="return_check",
            )
        ],
        branches={"hotel1": _branch("hotel1", "104", 189), "hotel2": _branch("hotel2", "108", 175)},
        facts=[_fact(1, "hotel1", "104", 189, job.turn), _fact(2, "hotel2", "108", 175, job.turn)],
        checks=Checks(grounded=True, translated=True),
        reply=GERMAN if language == "de" else ENGLISH,
        reply_english=ENGLISH,
        procedures={"coordinator": "v2", "merge": "v1"},
        model=ModelUse(
            name="rehearsal", calls=8, input_tokens=1_640, output_tokens=500, cost=0.01234, currency="EUR"
        ),
        nodes=list(NODES),
        seconds=3.1,
    )


def plain_turn(job: Job, reply: str, language: str = "en", **fields: object) -> Turn:
    """A turn of one sentence, no hotel asked."""
    values = {"nodes": list(NODES[:5]), "seconds": 0.08, "english": job.text, "reply_english": reply} | fields
    return Turn(thread=job.thread, turn=job.turn, text=job.text, language=language, reply=reply, **values)  # type: ignore[arg-type]


def _handoffs() -> list[HandoffRecord]:
    ok = HandoffRecord(
        destination="hotels",
        task="Which hotels allow a dog and have parking?",
        accepted=True,
        status="ok",
        reason="two questions about the houses",
        completion_criteria="both questions are answered",
    )
    no = HandoffRecord(
        destination="reservation",
        task="Look up the booking of Bob Miller",
        reason="guest asks about a stay",
        refused_because="anything about a guest's own stay needs a verified guest",
    )
    web = HandoffRecord(
        destination="web",
        task="What is on at the Coliseu tonight?",
        accepted=True,
        status="failed",
        reason="an event in the city",
        completion_criteria="at least one source",
    )
    return [ok, no, web]


# Seconds a node, by the first word of the message: time to look at a turn that runs, on a busy machine too.
PACES = {"slow": 0.4, "slowest": 1.2}


class Script:
    """A Runner that answers by the message's first word; `pace` is how long each node of a scene takes."""

    def __init__(self, pace: float = 0.0) -> None:
        self.pace = pace
        self.ran: list[str] = []

    def run(self, job: Job, progress: Progress) -> Turn:
        """Answer one message, node by node."""
        self.ran.append(job.text)
        first = (job.text.split() or [""])[0].lower().strip(",.:")
        for node in NODES:
            progress.node(node.name, "started")
            slow = self.pace or PACES.get(first, 0.0)
            if slow:
                time.sleep(slow)
            if progress.stopped():
                raise TurnStopped
            progress.node(node.name, "ended", node.seconds)
        if first == "break":
            raise KeyError(job.text)
        return self._answer(job, first)

    def _answer(self, job: Job, first: str) -> Turn:
        if job.action:
            kind, _, _ = job.action.partition(":")
            if kind == "confirm":
                booked = Booking(**offer().model_dump(exclude={"status", "reference"}), reference="GC-2002")
                return plain_turn(
                    job, "Booked: your reference is GC-2002.", booking=booked, route="reservation"
                )
            return plain_turn(job, "Very well, nothing was booked.")
        scenes = {
            "offer": lambda: plain_turn(
                job, "Garden Court keeps this room for you until you decide.", offer=offer()
            ),
            "dollars": lambda: plain_turn(job, DOLLARS),
            "مرحبا": lambda: plain_turn(job, ARABIC, "ar", english="Hello, is room 104 free?"),
            "long": lambda: plain_turn(job, "The house has many rooms. " * 300),
            "many": lambda: plain_turn(
                job,
                "Dogs are welcome, and there is parking.",
                handoffs=_handoffs(),
                route="hotels",
                requests=[
                    StaffRequest(kind="person", text=job.text, reason="asked for a person", urgent=True)
                ],
                sentiment=Sentiment(
                    polarity=0.35, label="positive", words=["great"], tone="sarcastic", deescalate=True
                ),
                sources=[
                    Source(title="Coliseu", url="https://www.coliseulisboa.example/tonight?a=1&b=2"),
                    Source(title="The desk's neighbourhood guide"),
                ],
                summary="The guest asked about Deluxe rooms; 104 (€189) was offered.",
                folded=4,
                checks=Checks(grounded=False, retries=1, problems=["a line stated no fact"]),
            ),
        }
        if first in scenes:
            return scenes[first]()
        return rooms_turn(
            job, job.language or ("de" if first in ("guten", "ist", "wann", "gibt", "darf", "was") else "en")
        )

    def fold(self, thread: str) -> None:
        """Nothing to fold."""

    def failure(self, job: Job, why: Why) -> Turn:
        """An honest reply."""
        said = {"stopped": "You stopped this answer.", "internal": "Sorry, something went wrong on our side."}
        return plain_turn(job, said.get(why, "Sorry, we were interrupted."), problem=why)


def fake_desk(home: Path, script: Script | None = None, **more: Any) -> Desk:
    """An open Desk on `home` that answers by script; `more` goes to the Desk."""
    log = open_turnlog(home, Clock.starting_at(dt.datetime(2026, 12, 1, 9, tzinfo=ZONE), ZONE))
    return Desk(log, script or Script(), ABOUT, threads=2, **more)
