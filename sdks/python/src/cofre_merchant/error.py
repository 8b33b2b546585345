"""The failures of requests."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from .transport import TransportFailure

Reason = Literal["refused", "time-out", "network", "broken-answer"]
Number = int | Decimal

# Descriptions are key texts; any other text stays out of messages and logs.
_KEY_TEXT = re.compile(r"[A-Za-z0-9_]{1,128}")
_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,500}")
_CAUSES_MAX = 5
_NUMERIC_CODE = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, kw_only=True)
class ErrorDetail:
    """One reason of a refusal."""

    code: int
    """A code of the catalogue; never renamed, never reused."""
    description: str
    """The key text of the code."""
    property: str | None
    """Path of the wrong field: `payer.document.number`."""
    constraint: str | None
    """The broken rule: `required`, `minimum`, …"""
    minimum: Number | None
    maximum: Number | None
    allowed: list[str | Number]
    """All values that would have been accepted."""
    message: str | None
    """The problem and its fix, for people."""
    doc_url: str | None
    """The section of the documentation about the code."""


def read_errors(body: Any) -> list[ErrorDetail]:
    """Reads the errors of a refusal of any shape; a code may be a numeric text."""
    errors = body.get("errors") if isinstance(body, dict) else None
    read = map(_read_error, errors if isinstance(errors, list) else [])
    return [error for error in read if error is not None]


def _read_error(entry: Any) -> ErrorDetail | None:
    if not isinstance(entry, dict):
        return None
    code = entry.get("code")
    if isinstance(code, str) and _NUMERIC_CODE.fullmatch(code):
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    allowed = entry.get("allowed")
    return ErrorDetail(
        code=code,
        description=_text(entry.get("description")) or "",
        property=_text(entry.get("property")),
        constraint=_text(entry.get("constraint")),
        minimum=_number(entry.get("minimum")),
        maximum=_number(entry.get("maximum")),
        allowed=[
            value
            for value in (allowed if isinstance(allowed, list) else [])
            if isinstance(value, str) or _number(value) is not None
        ],
        message=_text(entry.get("message")),
        doc_url=_text(entry.get("doc_url")),
    )


def _sentence_of(error: ErrorDetail) -> str:
    key = f"{error.code} {error.description}" if _KEY_TEXT.fullmatch(error.description) else str(error.code)
    return f"{key}: {error.message}" if _LINE.fullmatch(error.message or "") else key


def _names_of(cause: BaseException | None) -> list[str]:
    """The name of the innermost cause, such as ECONNREFUSED; its text may contain anything."""
    inner = cause
    for _ in range(_CAUSES_MAX):
        deeper = getattr(inner, "reason", None) or getattr(inner, "__cause__", None)
        if not isinstance(deeper, BaseException):
            break
        inner = deeper
    if inner is None or isinstance(inner, TransportFailure):
        return []
    if isinstance(inner, socket.gaierror):
        return ["ENOTFOUND"]
    # TLS errors have their own numbers, not the system's.
    is_system = isinstance(inner, OSError) and not isinstance(inner, ssl.SSLError)
    number = getattr(inner, "errno", None) if is_system else None
    return [errno.errorcode.get(number or 0, type(inner).__name__)]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> Number | None:
    return value if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else None


class MerchantError(Exception):
    """A request has no result.

    After an `OutcomeUnknown`, a transaction or refund may exist nevertheless; otherwise nothing was
    created.
    """

    def __init__(
        self,
        reason: Reason,
        status: int | None = None,
        errors: list[ErrorDetail] | None = None,
        *,
        origin: str | None = None,
        cause: BaseException | None = None,
    ) -> None:
        self.reason: Reason = reason
        why = reason if reason == "time-out" else ", ".join([reason, *_names_of(cause)])
        self._no_answer = f"no answer from {origin or 'the service'} ({why})"
        self._origin = origin
        self.status = status
        """HTTP status; None without a response."""
        self.errors = errors or []
        """All reasons; none if a proxy responded instead of the service."""
        self.code = self.errors[0].code if self.errors else None
        """The first error's code; `property` is also the first error's."""
        self.property = self.errors[0].property if self.errors else None
        self.doc_url = self.errors[0].doc_url if self.errors else None
        """The section of the documentation about the first error."""
        super().__init__(self._sentence())

    def has_code(self, code: int) -> bool:
        """True if one of the errors has this code."""
        return any(error.code == code for error in self.errors)

    def _sentence(self, doubt: str = "") -> str:
        if self.status is None:
            answer = self._no_answer
        elif self._origin is not None and not self.errors:
            foreign = "and that is no answer of Cofre's API: is the address right?"
            answer = f"{self._origin} answered {self.status}, {foreign}"
        else:
            answer = f"the service answered {self.status}"
        said = answer + doubt
        for sentence in map(_sentence_of, self.errors):
            # A message already ends with a full stop.
            said += f"{' ' if said.endswith('.') else ', '}{sentence}"
        return said


class OutcomeUnknown(MerchantError):
    """The outcome of a transaction or refund request is unknown.

    It may exist, and a card may have been charged. Never start over under a new reference. Send the
    same request again with this idempotency key within 24 hours, which returns the first response,
    or search for the reference.
    """

    def __init__(self, reference: str, idempotency_key: str, last: MerchantError) -> None:
        self._last = last
        super().__init__(last.reason, last.status, last.errors)
        self.reference = reference
        self.idempotency_key = idempotency_key

    def _sentence(self, doubt: str = ": the outcome is unknown") -> str:
        return self._last._sentence(doubt)
