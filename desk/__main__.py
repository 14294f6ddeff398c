"""The command line: `python -m desk ask …`, `python -m desk forget …` and `python -m desk wordings …`.

Exit codes: 0 done; 1 the desk could not do it (one line on standard error); 2 wrong use.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from desk.errors import BadMessage, DeskError
from desk.service import Desk
from desk.settings import read_settings
from desk.turn import Turn

if TYPE_CHECKING:
    from desk.wording.made import Wordings
    from desk.wording.shelf import Book

WAIT_SECONDS = 600.0
REASONS = {"empty": "the message is empty", "too_long": "the message is too long: at most 4,000 characters"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    _speak_utf8()
    parser = _parser()
    options = parser.parse_args(arguments)
    _check(parser, options)
    try:
        return _run(options)
    except DeskError as error:
        print(f"desk: {_reason(error)}", file=sys.stderr)
        return 1
    except TimeoutError as error:
        print(f"desk: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:  # the reader has gone: nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _speak_utf8() -> None:
    """Read and write UTF-8 whatever the machine's locale is: "€" must not end in an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m desk", description="The guest desk on the command line.")
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", help="send a message and print the reply")
    ask.add_argument("text", nargs="?", metavar="TEXT")
    ask.add_argument("--thread", metavar="ID", help="the conversation to go on with; without it a new one")
    ask.add_argument("--guest", metavar="REF:SURNAME", help="the booking that the guest shows")
    ask.add_argument("--json", action="store_true", help="print the Turn object")
    ask.add_argument("--jsonl", action="store_true", help="one request a line in, one Turn object a line out")
    forget = commands.add_parser("forget", help="delete all that is remembered of a guest")
    forget.add_argument("guest", metavar="REF:SURNAME")
    wordings = commands.add_parser(
        "wordings", help="languages that a machine translated: list, review, forget"
    )
    wordings.add_argument("code", nargs="?", metavar="CODE", help="a language, as in fr: print its patterns")
    one_of = wordings.add_mutually_exclusive_group()
    one_of.add_argument("--reviewed", action="store_true", help="mark it as reviewed by people")
    one_of.add_argument("--forget", action="store_true", help="delete it, so that it is made anew")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Say what is wrong with the use, and leave with code 2."""
    if options.command == "wordings" and not options.code and (options.reviewed or options.forget):
        parser.error("--reviewed and --forget need the CODE of a language")
    if options.command != "ask":
        return
    if options.jsonl == bool(options.text):
        parser.error("ask needs a TEXT, or --jsonl and lines on standard input")
    if options.jsonl and (options.thread or options.guest):
        parser.error("with --jsonl, each line names its own thread and guest")
    if options.guest is not None and ":" not in options.guest:
        parser.error("--guest must be REF:SURNAME")


def _run(options: argparse.Namespace) -> int:
    # Not at the top: the graph's libraries take a while, which a mere --help need not wait for.
    from desk.bootstrap import open_desk, read_wordings

    if options.command == "wordings":
        return _wordings(read_wordings(read_settings()), options)
    desk = open_desk(read_settings())
    try:
        if options.command == "forget":
            return _forget(desk, options.guest)
        if options.jsonl:
            return _ask_lines(desk, sys.stdin, sys.stdout)
        return _ask_once(desk, options)
    finally:
        desk.close()


def _ask_once(desk: Desk, options: argparse.Namespace) -> int:
    thread = options.thread or desk.new_thread()
    turn = _turn(desk, thread, options.text, options.guest)
    print(json.dumps(turn.to_json(), ensure_ascii=False) if options.json else turn.reply)
    if not options.json and not options.thread:
        print(f"(conversation: {thread})", file=sys.stderr)
    if turn.problem and not options.json:
        print(f"the turn failed: {turn.problem}", file=sys.stderr)
        return 1
    return 0


def _ask_lines(desk: Desk, lines: Iterable[str], out: TextIO) -> int:
    """Answer one line after the other. Thread names are local to this run; a new name is a new thread."""
    threads: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            print(
                json.dumps(_answer_line(desk, threads, line, number), ensure_ascii=False),
                file=out,
                flush=True,
            )
    return 0


def _answer_line(desk: Desk, threads: dict[str, str], line: str, number: int) -> dict[str, Any]:
    try:
        request = json.loads(line.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return {"problem": f"line {number} is not JSON: {error.msg}"}
    except (RecursionError, ValueError):  # too deep, or a number of thousands of digits
        return {"problem": f"line {number} is not JSON that the desk can read"}
    if not isinstance(request, dict) or not all(isinstance(request.get(k), str) for k in ("thread", "say")):
        return {"problem": f'line {number} needs the texts "thread" and "say"'}
    guest = request.get("guest")
    if guest is not None and not (isinstance(guest, str) and ":" in guest):
        return {"problem": f'line {number}: "guest" must be REF:SURNAME'}
    name = request["thread"]
    thread = threads.setdefault(name, "") or desk.new_thread()
    threads[name] = thread
    try:
        turn = _turn(desk, thread, request["say"], guest)
        desk.settle(thread, WAIT_SECONDS)  # a guest types for longer than a fold takes; lines do not
        return turn.to_json()
    except DeskError as error:
        return {"thread": thread, "problem": _reason(error)}
    except TimeoutError as error:
        return {"thread": thread, "problem": str(error)}


def _turn(desk: Desk, thread: str, text: str, guest: str | None) -> Turn:
    if guest:
        desk.bind_guest(thread, guest)
    return desk.wait(thread, desk.send(thread, text), WAIT_SECONDS)


def _forget(desk: Desk, guest: str) -> int:
    done = desk.forget(guest)
    print(f"conversations deleted: {done.conversations}")
    if not done.complete:
        raise DeskError(
            "the files are in use and still hold deleted text: run this again when no desk is open"
        )
    return 0


def _wordings(wordings: Wordings, options: argparse.Namespace) -> int:
    code = options.code
    if code is None:
        for each in wordings.codes():
            print(_counts(wordings.book(each)))
        return 0
    if code not in wordings.codes():
        raise DeskError(f"nothing is kept of the language {code}")
    if options.forget:
        wordings.forget(code)
        print(f"{code}: deleted; it is made anew when a guest writes it after the desk's next start")
    elif options.reviewed:
        wordings.review(code)
        print(f"{code}: reviewed; a desk that runs takes this up at its next start")
    else:
        book = wordings.book(code)
        for kept in book.kept:
            print(f"{kept.key}\n    {kept.english}\n    {kept.told}")
            if kept.refused:
                print(f"    REFUSED, English is used: {kept.refused}")
        print(_counts(book))
    return 0


def _counts(book: Book) -> str:
    left = sum(bool(each.refused) for each in book.kept)
    state = ("reviewed" if book.reviewed else "not reviewed") if book.complete else "not complete"
    return f"{book.code}: {len(book.kept)} patterns, {len(book.kept) - left} kept, {left} left in English, {state}"


def _reason(error: DeskError) -> str:
    return REASONS.get(error.reason, error.reason) if isinstance(error, BadMessage) else str(error)


if __name__ == "__main__":
    sys.exit(main())
