"""The service's notifications and events to a shop."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl

from ._arguments import require, require_seconds, require_text
from .event import VerifiedEvent
from .response import Wire

_TOLERANCE_SECONDS = 300
_IDENTIFIER = re.compile(r"[A-Za-z0-9-]{1,36}")
_NATURE = re.compile(r"[A-Z_]{1,36}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_EVENT_SECRET = re.compile(r"whsec_((?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)")
_JSON = re.compile(r"application/json\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """Reports only that something changed: read the transaction for the change.

    It comes at least once, and again every ten minutes until the shop responds 200; after a
    COMPLETE, until the shop has also read the transaction.
    """

    transaction_code: str
    refund_id: str | None = None
    """Id of a changed refund; None if the transaction itself has changed."""
    refund_nature: str | None = None
    """The bank's reason for returning a PIX, such as `MED_FRAUDE`; None otherwise."""


def verify_notification(
    headers: Mapping[str, Any] | Iterable[tuple[Any, Any]],
    body: bytes,
    secret: str,
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: float | None = None,
) -> Notification | None:
    """Reads a notification only if the service signed it a short while ago; None otherwise.

    (Standard Webhooks form, HMAC-SHA256 with the store's secret.) It can still arrive twice, or late:
    read the transaction for the change. `headers` in any case, also with lists of values, WSGI's
    `environ`, or the pairs of ASGI; `body` exactly as received; `secret` is the one that signs
    requests; `tolerance_seconds` is the largest difference between the time of sending and `now`
    (seconds since 1970), in both directions.

    Raises ValueError if the secret is empty, because anyone could then sign, and TypeError for a
    parsed or decoded body.
    """
    if secret == "":
        raise ValueError("the secret is empty")
    require_text("secret", secret)
    signed = _Signed(headers, body, tolerance_seconds, now)
    return parse_notification(signed.content_type, body) if signed.is_signed_by(secret.encode()) else None


def verify_event(
    headers: Mapping[str, Any] | Iterable[tuple[Any, Any]],
    body: bytes,
    secret: str,
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: float | None = None,
) -> VerifiedEvent | None:
    """Reads an event only if the service signed it a short while ago (Standard Webhooks); None otherwise.

    It can still arrive twice: handle each `code` once. `secret` is the endpoint's, `whsec_…`: while it is rotated, both
    are good. The other arguments are those of `verify_notification`.

    Raises ValueError for another secret, such as the store's own, and TypeError for a parsed or decoded body.
    """
    require_text("secret", secret)
    match = _EVENT_SECRET.fullmatch(secret)
    if match is None:
        raise ValueError("secret must be the secret of an endpoint, which begins with whsec_")
    signed = _Signed(headers, body, tolerance_seconds, now)
    if not signed.is_signed_by(base64.b64decode(match[1])):
        return None
    return VerifiedEvent.read(signed.id, Wire(json.loads(body, parse_float=Decimal)))


def parse_notification(content_type: str, body: bytes) -> Notification | None:
    """Reads the body of a notification, a form (transaction) or JSON (refund); None if it is neither.

    Anyone can post one: trust only the search's result.

    Raises TypeError for a parsed or decoded body.
    """
    _require_bytes(body)
    is_json = _JSON.match(content_type or "") is not None
    fields = _json_fields(body) if is_json else _form_fields(body)
    code = _identifier(fields.get("transaction-id" if is_json else "transaction-code"))
    refund_id = _identifier(fields.get("refund-id")) if is_json else None
    kind = fields.get("notification-type")
    if code is not None and kind == "transaction":
        nature = fields.get("refund-nature")
        is_nature = isinstance(nature, str) and _NATURE.fullmatch(nature)
        return Notification(transaction_code=code, refund_nature=nature if is_nature else None)
    if code is not None and kind == "refund" and refund_id is not None:
        return Notification(transaction_code=code, refund_id=refund_id)
    return None


class _Signed:
    """A message as received, in the form of Standard Webhooks."""

    def __init__(self, headers: Any, body: Any, tolerance_seconds: float, now: float | None) -> None:
        # With a NaN as tolerance or clock, every time would be accepted.
        require_seconds("tolerance_seconds", tolerance_seconds)
        if now is not None:
            require_seconds("now", now)
        if not hasattr(headers, "items"):
            require("headers", headers, "a mapping or pairs, as received", Iterable)
        _require_bytes(body)
        header = _named(headers)
        self.id = header.get("webhook-id", "")
        self.content_type = header.get("content-type", "")
        self._timestamp = header.get("webhook-timestamp", "")
        self._signatures = header.get("webhook-signature", "").split(" ")
        self._body = body
        self._now = time.time() if now is None else now
        self._tolerance_seconds = tolerance_seconds

    def is_signed_by(self, key: bytes) -> bool:
        """True if it was signed by the key, a short while ago."""
        if self.id == "" or not _TIMESTAMP.fullmatch(self._timestamp):
            return False
        if abs(self._now - int(self._timestamp)) > self._tolerance_seconds:
            return False
        # Untrusted headers may contain text that UTF-8 can't encode.
        content = f"{self.id}.{self._timestamp}.".encode(errors="replace") + self._body
        mac = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        # During a change of the secret there are several signatures; one of them must be valid.
        return any([hmac.compare_digest(mac, given.encode(errors="replace")) for given in self._signatures])


def _require_bytes(body: Any) -> None:
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError("the body is not the bytes as received: read them before a parser does")


def _identifier(value: Any) -> str | None:
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    return text if _IDENTIFIER.fullmatch(text) else None


def _json_fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        # Not JSON, so not a notification.
        return {}
    return fields if isinstance(fields, dict) else {}


def _form_fields(body: bytes) -> dict[str, str]:
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True))
    except ValueError:
        # Not text, or too many fields.
        return {}


def _named(headers: Mapping[str, Any] | Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """Headers by lower-case name, without repeated headers."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    singles = (
        (_text(name), _text(value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value))
        for name, value in pairs
    )
    texts = ((name, value) for name, value in singles if name is not None and value is not None)
    return {name.lower().replace("_", "-").removeprefix("http-"): value for name, value in texts}


def _text(value: Any) -> str | None:
    """The value as text; bytes are read as Latin-1, as servers do."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else None
