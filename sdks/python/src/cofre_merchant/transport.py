"""The transport of requests."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

_RESPONSE_BYTES_MAX = 4 * 1024 * 1024
_PART_BYTES = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class HttpRequest:
    """A signed request, which must be sent exactly as it is."""

    method: str
    uri: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    """Present on a POST."""
    timeout_seconds: float


@dataclass(frozen=True, kw_only=True)
class HttpResponse:
    """A response with any status."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class TransportFailure(Exception):
    """No response came."""

    def __init__(self, *, is_time_out: bool = False) -> None:
        super().__init__("no response in time" if is_time_out else "no response")
        self.is_time_out = is_time_out


class Transport(Protocol):
    """Sends a request unchanged and follows no redirect: the signature is only valid for this request."""

    def send(self, request: HttpRequest) -> HttpResponse:
        """Raises `TransportFailure` if no response came; any other exception is treated as one."""
        ...


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class UrllibTransport:
    """Sends with the standard library, a connection for each request."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(self, request: HttpRequest) -> HttpResponse:
        asked = urllib.request.Request(
            request.uri, data=request.body, headers=dict(request.headers), method=request.method
        )
        deadline = time.monotonic() + request.timeout_seconds
        try:
            with self._open(asked, request.timeout_seconds) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return HttpResponse(status=response.status, headers=headers, body=_read(response, deadline))
        except (OSError, http.client.HTTPException) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            raise TransportFailure(is_time_out=isinstance(cause, TimeoutError)) from error

    def _open(self, asked: urllib.request.Request, timeout_seconds: float) -> Any:
        try:
            return self._opener.open(asked, timeout=timeout_seconds)
        except urllib.error.HTTPError as refusal:
            return refusal


def _read(response: Any, deadline: float) -> bytes:
    """The whole body until the deadline; a socket's own timeout restarts with every byte."""
    body = bytearray()
    while part := response.read1(_PART_BYTES):
        body += part
        if time.monotonic() > deadline:
            raise TimeoutError
        if len(body) > _RESPONSE_BYTES_MAX:
            raise http.client.HTTPException("the response is too large")
    return bytes(body)
