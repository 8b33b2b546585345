"""What the service posts to a shop."""

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
    """It only says that something changed: read the transaction to learn what.

    It comes at least once, and again every ten minutes until the shop answers 200; after a
    COMPLETE, until the shop has also read the transaction.
    """

    transaction_code: str
    refund_id: str | None = None
    """Of a refund; None when the transaction itself has changed."""
    refund_nature: str | None = None
    """Why a bank gave a PIX back by itself, such as `MED_FRAUDE`; None otherwise."""


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
    read the transaction to learn what changed. `headers` in any case, also with lists of values,
    WSGI's `environ`, or the pairs of ASGI; `body` exactly as received; `secret` is the one that signs
    requests; `tolerance_seconds` is how far the time of sending may be from `now` (seconds since
    1970), either way.

    Raises ValueError when the secret is empty, since anyone could then sign, and TypeError for a body
    that was parsed or decoded.
    """
    if secret == "":
        raise ValueError("the secret is empty")
    require_text("secret", secret)
    # Every time would be within a tolerance, or of a clock, that is no number.
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
    # A stranger's headers may hold what UTF-8 cannot.
    signed = f"{identifier}.{timestamp}.".encode(errors="replace") + body
    mac = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest())
    # Several are there while the secret is being changed, and one of them has to hold.
    given = header.get("webhook-signature", "").split(" ")
    if not any([hmac.compare_digest(b"v1," + mac, signature.encode(errors="replace")) for signature in given]):
        return None
    return parse_notification(header.get("content-type", ""), body)


def parse_notification(content_type: str, body: bytes) -> Notification | None:
    """Reads the body of a notification, a form (transaction) or JSON (refund); None when it is neither.

    Anyone can post one, so nothing in it may be believed beyond what the search answers.

    Raises TypeError for a body that was parsed or decoded.
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
        # Not text, or more fields than anybody needs.
        return {}


def _named(headers: Mapping[str, Any] | Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """By name in lower case; of a header that came several times, nothing."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    singles = (
        (_text(name), _text(value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value))
        for name, value in pairs
    )
    texts = ((name, value) for name, value in singles if name is not None and value is not None)
    return {name.lower().replace("_", "-").removeprefix("http-"): value for name, value in texts}


def _text(value: Any) -> str | None:
    """Bytes as servers read headers, in Latin-1."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else None
