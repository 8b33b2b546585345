"""The service's notifications to a shop."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from ._arguments import require, require_seconds, require_text

_TOLERANCE_SECONDS = 300
_IDENTIFIER = re.compile(r"[A-Za-z0-9-]{1,36}")
_NATURE = re.compile(r"[A-Z_]{1,36}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
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
    # With a NaN as tolerance or clock, every time would be accepted.
    require_seconds("tolerance_seconds", tolerance_seconds)
    if now is not None:
        require_seconds("now", now)
    if not hasattr(headers, "items"):
        require("headers", headers, "a mapping or pairs, as received", Iterable)
    _require_bytes(body)
    header = _named(headers)
    identifier, timestamp = header.get("webhook-id", ""), header.get("webhook-timestamp", "")
    if identifier == "" or not _TIMESTAMP.fullmatch(timestamp):
        return None
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        return None
    # Untrusted headers may contain text that UTF-8 can't encode.
    signed = f"{identifier}.{timestamp}.".encode(errors="replace") + body
    mac = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest())
    # During a change of the secret there are several signatures; one of them must be valid.
    given = header.get("webhook-signature", "").split(" ")
    if not any([hmac.compare_digest(b"v1," + mac, signature.encode(errors="replace")) for signature in given]):
        return None
    return parse_notification(header.get("content-type", ""), body)


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
