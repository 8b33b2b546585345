"""Checks arguments early, so that an error names the caller's argument.

No message contains a value: it may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any, NoReturn, get_args

# Compared without case and dashes.
_KEY_NAME = "idempotencykey"
_HEADER_TEXT = re.compile(r"[!-~]+")
# Together at most 15 digits, so that different texts are different JSON numbers.
_DIGITS_MAX = 9
_DECIMALS_MAX = 6
_AMOUNT = re.compile(rf"[0-9]{{1,{_DIGITS_MAX}}}(\.[0-9]{{1,{_DECIMALS_MAX}}})?")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


def require(name: str, value: Any, expected: str, *types: type) -> None:
    """Raises TypeError for a value of another type."""
    if not isinstance(value, types):
        refuse(name, expected, value)


def require_text(name: str, value: Any) -> None:
    """Raises TypeError for a value that is no text, or empty."""
    if not isinstance(value, str) or value == "":
        refuse(name, "a str", value)


def require_header_text(name: str, value: Any) -> None:
    """Raises ValueError for a text that no header can contain: the request could not be sent."""
    require_text(name, value)
    if _HEADER_TEXT.fullmatch(value) is None:
        raise ValueError(f"{name} must be visible ASCII characters without spaces")


def require_choice(name: str, choice: Any, value: Any) -> None:
    """Raises ValueError for a value outside a `Literal`, TypeError for another type."""
    allowed = get_args(choice)
    if any(value == one and type(value) is type(one) for one in allowed):
        return
    texts = [str(one) for one in allowed]
    listed = f"{', '.join(texts[:-1])} or {texts[-1]}"
    if not isinstance(value, type(allowed[0])):
        refuse(name, listed, value)
    raise ValueError(f"{name} must be {listed}")


def require_optional_choice(name: str, choice: Any, value: Any) -> None:
    if value is not None:
        require_choice(name, choice, value)


def require_seconds(name: str, value: Any) -> None:
    """Requires a number: a NaN would be no limit."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not value >= 0:
        refuse(name, "a number from 0", value)


def require_amount(name: str, value: Any) -> None:
    """Raises TypeError for a value that is no amount in reais, such as a NaN or an empty text."""
    number = _float_of(value)
    if isfinite(number) and number > 0:
        return
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        given = "0 or less" if isfinite(number) else str(number)
        raise TypeError(f"{name} must be a number above 0, not {given}")
    refuse(name, "a number above 0", value)


def number_of(amount: Decimal | int | str, name: str = "amount") -> Decimal:
    """Refuses a float, which is rarely the intended amount."""
    require(name, amount, 'a Decimal, an int, or the text "42.50"', Decimal, int, str)
    if _AMOUNT.fullmatch(_digits_of(amount) if isinstance(amount, Decimal) else str(amount)) is None:
        raise ValueError(f"{name} must be written 42.50")
    return Decimal(amount)


def require_json(name: str, value: Any) -> None:
    """Raises TypeError for a value, and ValueError for a text, that JSON can't contain."""
    require(name, value, "of a type that JSON has", str, int, float, Decimal, type(None))
    if isinstance(value, str):
        if _HALF_CHARACTER.search(value) is not None:
            raise ValueError(f"{name} must have whole characters")
    elif value is not None and not isinstance(value, bool):
        number = _float_of(value)
        if not isfinite(number):
            raise TypeError(f"{name} must be a finite number, not {number}")


def require_known(name: str, known: Iterable[str], value: Mapping[str, Any]) -> None:
    """Raises TypeError for an unknown member or a None: a misspelt amount would be ignored."""
    for member, content in value.items():
        if member not in known:
            raise TypeError(f'{name}["{member}"] is not known. Known are {", ".join(known)}')
        if content is None:
            raise TypeError(f'{name}["{member}"] must not be None: leave it out')


def refuse_key_in(name: str, value: Any) -> None:
    """Raises TypeError for an idempotency key anywhere in a body: with a new key, a retry would pay again."""
    if isinstance(value, Mapping):
        for member, content in value.items():
            if str(member).replace("-", "").replace("_", "").lower() == _KEY_NAME:
                raise TypeError(f'{name}["{member}"] is not known. It is the argument idempotency_key')
            refuse_key_in(f'{name}["{member}"]', content)
    elif isinstance(value, (list, tuple)):
        for at, content in enumerate(value):
            refuse_key_in(f"{name}[{at}]", content)


def _digits_of(amount: Decimal) -> str:
    """The digits; empty for a number that is not finite or has too many zeros."""
    exponent = amount.as_tuple().exponent
    is_short = isinstance(exponent, int) and exponent >= -_DECIMALS_MAX and amount.adjusted() < _DIGITS_MAX
    return f"{amount:f}" if is_short else ""


def _float_of(value: Any) -> float:
    """The value as a float; NaN if it is no number."""
    try:
        return float("nan") if isinstance(value, bool) else float(value)
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return float("nan")


def refuse(name: str, expected: str, value: Any) -> NoReturn:
    given = "None" if value is None else "an empty str" if value == "" else type(value).__name__
    raise TypeError(f"{name} must be {expected}, not {given}")
