"""The connection to the service: its address, and the store's signature."""

from __future__ import annotations

import base64
import json
import re
import secrets
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from inspect import currentframe
from typing import Any, Literal, NoReturn, TypeVar

from ._arguments import (
    refuse,
    require,
    require_choice,
    require_header_text,
    require_json,
    require_optional_choice,
    require_seconds,
    require_text,
)
from .error import MerchantError, OutcomeUnknown, Reason, read_errors
from .response import UnreadableAnswer, Wire
from .signature import SignedParts, authorization, message_signature
from .transport import HttpRequest, HttpResponse, Transport, TransportFailure, UrllibTransport

VERSION = "0.2.0"
# The values of `Accept-Language` that the API accepts, and the short name of English.
Language = Literal["en", "pt-BR", "en-US", "pt-PT", "es-ES", "tr-TR"]
SignatureForm = Literal["rfc9421", "specification"]
Version = Literal["v1", "v2"]
Result = TypeVar("Result")

_FIRST_WAIT_SECONDS = 0.5
_WAIT_SECONDS_MAX = 8.0
# An earlier copy of the request is still in progress, or a proxy sent a copy with the same nonce.
_AFTER_A_COPY = (90013, 90017)
# Returned before the service looks for an earlier request with the same key.
_STATUSES_BEFORE_THE_KEY = (401, 403, 408, 421, 429, 431)
_TOO_MANY_REQUESTS = 429
_ORIGIN = re.compile(r"(https?)://([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?/?", re.IGNORECASE | re.ASCII)
_SECONDS = re.compile(r"[0-9]{1,6}")


class Machine:
    """This machine's clock and random numbers."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def elapsed_seconds(self) -> float:
        """Monotonic."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def random_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class _FailedAttempt(Exception):
    def __init__(self, error: MerchantError, retry_after_seconds: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after_seconds = retry_after_seconds
        self.is_in_doubt = False
        """True if this try, or an earlier one, may have succeeded although it failed here."""


class Connection:
    """Signs requests, and retries them if that is safe."""

    def __init__(
        self,
        *,
        base_url: str,
        store_id: str,
        secret: str | Callable[[], str],
        signature: SignatureForm = "rfc9421",
        signed_origin: str | None = None,
        vendor: str = "cofre",
        transport: Transport | None = None,
        timeout_seconds: float = 30.0,
        retry_budget_seconds: float = 60.0,
        language: Language | None = None,
        machine: Machine | None = None,
    ) -> None:
        """
        `base_url` is the origin of the production or sandbox API, without a path. `secret` never
        leaves this process; a function is called before each request, so that a rotated secret is
        used at once. `signature` "rfc9421" expires after five minutes; "specification" is for
        gateways that support no other. `signed_origin` is the service's own origin, which is signed,
        if it differs from `base_url`: for a shop that uses an address inside its network. `vendor` is
        the media type's vendor segment. `timeout_seconds` limits one exchange; no retry begins later
        than `retry_budget_seconds` after the first try, and 0 disables retries. `language` of the
        errors' messages: "pt-BR" or "en".

        Raises ValueError if `base_url` or `signed_origin` is not an http or https origin, a choice is
        not allowed, or a header can't contain a text, and TypeError for an argument of another type.
        """
        require_header_text("store_id", store_id)
        if not callable(secret):
            require_text("secret", secret)
        require_choice("signature", SignatureForm, signature)
        require_header_text("vendor", vendor)
        require_optional_choice("language", Language, language)
        if transport is not None and not callable(getattr(transport, "send", None)):
            refuse("transport", "a Transport", transport)
        require_seconds("timeout_seconds", timeout_seconds)
        require_seconds("retry_budget_seconds", retry_budget_seconds)
        self._origin = _origin_of("base_url", base_url)
        self._signed_origin = _origin_of("signed_origin", signed_origin) if signed_origin else self._origin
        self._store_id = store_id
        self._secret: Callable[[], str] = secret if callable(secret) else lambda: secret
        self._signature = signature
        self._vendor = vendor
        self._transport = transport or UrllibTransport()
        self._timeout_seconds = timeout_seconds
        self._retry_budget_seconds = retry_budget_seconds
        self._language = language
        self._machine = machine or Machine()

    def __repr__(self) -> str:
        return f"Connection(origin={self._origin!r}, store_id={self._store_id!r}, secret=[secret])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a connection holds a secret and is not written down")

    def get(self, target: str, read: Callable[[Wire], Result], version: Version = "v1") -> Result:
        return self._send(lambda: self._exchange(version, target, None, None, read), is_repeatable=True)

    def search(self, target: str, body: dict[str, Any], read: Callable[[Wire], Result]) -> Result:
        """Posts what is harmless when it is sent again."""
        content = _json_of(body)
        return self._send(lambda: self._exchange("v2", target, content, None, read), is_repeatable=True)

    def create(
        self, target: str, body: dict[str, Any], read: Callable[[Wire], Result], *, reference: str, key: str
    ) -> Result:
        """Creates something once, also with retries."""
        content = _json_of(body)
        try:
            return self._repeat(lambda: self._exchange("v2", target, content, key, read), is_repeatable=True)
        except _FailedAttempt as failed:
            error = failed.error
            raise (OutcomeUnknown(reference, key, error) if failed.is_in_doubt else error) from error.__cause__

    def control(self, target: str, body: dict[str, Any], read: Callable[[Wire], Result]) -> Result:
        """Controls the sandbox, where every request takes effect, also a repeated one."""
        content = _json_of(body)
        return self._send(lambda: self._exchange("v1", target, content, None, read), is_repeatable=False)

    def identifier(self) -> str:
        """A unique name."""
        return self._machine.random_bytes(16).hex()

    def key_of(self, idempotency_key: str | None) -> str:
        """The shop's own key of a creation; None makes one."""
        if idempotency_key is None:
            return self.identifier()
        require_header_text("idempotency_key", idempotency_key)
        return idempotency_key

    def _send(self, attempt: Callable[[], Result], *, is_repeatable: bool) -> Result:
        try:
            return self._repeat(attempt, is_repeatable=is_repeatable)
        except _FailedAttempt as failed:
            raise failed.error from failed.error.__cause__

    def _repeat(self, attempt: Callable[[], Result], *, is_repeatable: bool) -> Result:
        """Retries until the budget is spent; `is_repeatable` allows it although an earlier try may have succeeded.

        An error after an attempt in doubt becomes the cause of that attempt's error.
        """
        begun = self._machine.elapsed_seconds()
        wait = _FIRST_WAIT_SECONDS
        last: _FailedAttempt | None = None
        while True:
            try:
                return attempt()
            except _FailedAttempt as failed:
                error = failed.error
                was_in_doubt = last is not None and last.is_in_doubt
                failed.is_in_doubt = _leaves_doubt(error) or (was_in_doubt and not _is_decided(error))
                last = failed
                may_repeat = error.status == _TOO_MANY_REQUESTS or (is_repeatable and _leaves_doubt(error))
                pause = max(failed.retry_after_seconds, wait * (0.5 + self._chance() / 2))
                spent = self._machine.elapsed_seconds() - begun
                if not may_repeat or spent + pause > self._retry_budget_seconds:
                    raise
            except Exception as cause:
                if last is None or not last.is_in_doubt:
                    raise
                last.error.__cause__ = cause
                raise last from cause
            self._machine.sleep(pause)
            wait = min(2 * wait, _WAIT_SECONDS_MAX)

    def _chance(self) -> float:
        """Between 0 and 1."""
        return self._machine.random_bytes(1)[0] / 255

    def _exchange(
        self, version: Version, target: str, body: bytes | None, key: str | None, read: Callable[[Wire], Result]
    ) -> Result:
        """One try."""
        method = "GET" if body is None else "POST"
        headers = {
            "Accept": f"application/vnd.{self._vendor}.{version}+json; charset=UTF-8",
            "Content-Type": "application/json",
            "User-Agent": f"cofre-merchant-python/{VERSION}",
            **({} if key is None else {"Idempotency-Key": key}),
            **({} if self._language is None else {"Accept-Language": self._language}),
            **self._signature_of(method, target, body, key),
        }
        request = HttpRequest(
            method=method,
            uri=self._origin + target,
            headers=headers,
            body=body,
            timeout_seconds=self._timeout_seconds,
        )
        try:
            response = self._transport.send(request)
        except Exception as failure:
            is_time_out = isinstance(failure, TransportFailure) and failure.is_time_out
            reason: Reason = "time-out" if is_time_out else "network"
            raise _failed(MerchantError(reason, origin=self._origin, cause=failure), failure) from None
        _warn_of(response.headers.get("cofre-unknown-fields", ""))
        return _result(response, read, self._origin)

    def _signature_of(self, method: str, target: str, body: bytes | None, key: str | None) -> dict[str, str]:
        secret = self._secret()
        require_text("secret()", secret)
        if self._signature == "specification":
            return {"Authorization": authorization(self._store_id, secret, target, body)}
        nonce = None
        if body is not None:
            nonce = base64.urlsafe_b64encode(self._machine.random_bytes(16)).decode().rstrip("=")
        parts = SignedParts(
            method=method,
            uri=self._signed_origin + target,
            body=body,
            idempotency_key=key,
            created=int(self._machine.now()),
            nonce=nonce,
        )
        return message_signature(self._store_id, secret, parts)


def _leaves_doubt(error: MerchantError) -> bool:
    is_server_error = error.status is not None and error.status >= 500
    return error.reason != "refused" or is_server_error or any(map(error.has_code, _AFTER_A_COPY))


def _is_decided(error: MerchantError) -> bool:
    """True if the service has decided this request itself, after all earlier ones with its key."""
    return bool(error.errors) and error.status not in _STATUSES_BEFORE_THE_KEY


def _warn_of(unknown_fields: str) -> None:
    """Warns about each field of a request that the service ignored: it may be misspelt."""
    for field in filter(None, map(str.strip, unknown_fields.split(","))):
        # A program that turns warnings into errors must not lose a payment. Python shows a text once.
        with suppress(UserWarning):
            warnings.warn(f"the service does not know the field {field}", UserWarning, stacklevel=_caller_level())


def _caller_level() -> int:
    """Number of frames between the calling function and the shop's own line."""
    level, frame = 0, currentframe()
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _result(response: HttpResponse, read: Callable[[Wire], Result], origin: str) -> Result:
    body = _parsed(response.body)
    if not 200 <= response.status <= 299:
        after = response.headers.get("retry-after", "")
        seconds = float(after) if _SECONDS.fullmatch(after) else 0.0
        raise _FailedAttempt(MerchantError("refused", response.status, read_errors(body), origin=origin), seconds)
    try:
        return read(Wire(body))
    except UnreadableAnswer as unread:
        raise _failed(MerchantError("broken-answer", response.status, origin=origin), unread) from None


def _failed(error: MerchantError, cause: Exception) -> _FailedAttempt:
    error.__cause__ = cause
    return _FailedAttempt(error)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body, parse_float=Decimal)
    except (ValueError, RecursionError):
        # A proxy's page with an error status; otherwise a broken response.
        return None


def _json_of(body: dict[str, Any]) -> bytes:
    for name, value in _leaves_of("", body):
        require_json(name, value)
    return json.dumps(body, default=_number_of, ensure_ascii=False, separators=(",", ":")).encode()


def _leaves_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The values in a body, by the names in the service's errors: `payer.birth-date`."""
    if isinstance(value, dict):
        for member, content in value.items():
            yield from _leaves_of(f"{name}.{member}" if name else str(member), content)
    elif isinstance(value, (list, tuple)):
        for content in value:
            yield from _leaves_of(f"{name}[]", content)
    else:
        yield name, value


def _number_of(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _origin_of(name: str, text: str) -> str:
    require(name, text, "a str", str)
    parts = _ORIGIN.fullmatch(text)
    if parts is None:
        raise ValueError(f"{name} must be an http or https origin without a path")
    scheme, host, port = parts[1].lower(), parts[2].lower(), int(parts[3] or 0)
    is_usual = port in (0, 443 if scheme == "https" else 80)
    return f"{scheme}://{host}" + ("" if is_usual else f":{port}")
