"""Numbers of Chinese and Japanese texts: digits and Han numerals mixed ("417.6万", "二十三", "3月", "三分之一")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from desk.reading.amounts.digits import parse
from desk.reading.amounts.page import Mention, Page, number_values
from desk.reading.amounts.tables import Counting

DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
UNITS = {"十": 10, "百": 100, "千": 1000}
SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_HAN = "".join((*DIGITS, *UNITS, *SCALES))
_RUN = re.compile(rf"(?:\d+(?:[.,]\d+)*|[{_HAN}])(?:\d+(?:[.,]\d+)*|[{_HAN}])*")
_PARTS = re.compile(rf"([\d{_HAN}]+)分[之の]([\d{_HAN}.]+)")
_ITEM = re.compile(r"\d+(?:[.,]\d+)*|.")
_VAGUE = "数數几幾何上近"  # 数百 is no number


def han_numbers(page: Page, counting: Counting) -> Iterator[Mention]:
    """Fractions, then numbers, then what may be one."""
    for match in page.found(_PARTS):
        under, over = (_value(part, counting) for part in match.groups())
        text = page.take(*match.span())
        if under:
            values = number_values(over) if under == 100 else frozenset({over / under})
            yield Mention(text, values, any(c.isdigit() for c in text), match.span())
    for match in page.found(_RUN):
        start, end = match.span()
        number = _value(match.group(), counting)
        values = number_values(number)
        if page.text[end : end + 2].lstrip()[:1] == "月" and number <= 12:
            values |= {f"m{number}"}
        if page.text[end : end + 2] == "年代":
            values |= {number % 100, number + 1900}
        if page.text[end : end + 1] in "成割" and end < len(page.text):
            values |= {number * 10}
        certain = _certain(match.group(), number, page.text, (start, end), counting)
        yield Mention(page.take(start, end), values, certain, (start, end))
    for word, value in counting.valued("loose").items():
        if word in page.text:
            at = page.text.find(word)
            yield Mention(word, frozenset({Fraction(value)}), certain=False, span=(at, at + len(word)))


def _certain(text: str, number: Fraction, page: str, span: tuple[int, int], counting: Counting) -> bool:
    """Digits are; numerals are where they are counted with or ordinal, and one only where it is in digits."""
    start, end = span
    if any(c.isdecimal() for c in text):
        return True
    if number == 1 or page[start - 1 : start] in _VAGUE and start:
        return False
    counted = any(page.startswith(word, end) for word in counting.listed("counters"))
    return counted or page[start - 1 : start] == "第" or (len(text) > 1 and not set(text) <= set(DIGITS))


def _value(text: str, counting: Counting) -> Fraction:
    """The number that these characters write; digits alone stand by their places (二〇二六)."""
    if set(text) <= set(DIGITS):
        return Fraction(int("".join(str(DIGITS[c]) for c in text)))
    total = section = current = Fraction(0)
    for item in _ITEM.findall(text):
        if item in UNITS:
            section += (current or 1) * UNITS[item]
            current = Fraction(0)
        elif item in SCALES:
            part = section + current
            total = total + part * SCALES[item] if part else (total or Fraction(1)) * SCALES[item]
            section = current = Fraction(0)
        elif item in DIGITS:
            current = current * 10 + DIGITS[item]
        else:
            current = next(iter(parse(item, counting)))
    return total + section + current
