"""The calls for events, and for the endpoints that receive them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ._arguments import refuse_key_in, require, require_known, require_text
from ._query import filters_of, pages_of, target_of
from .connection import Connection
from .event import (
    ChangeEventEndpoint,
    CreateEventEndpoint,
    Event,
    EventEndpoint,
    EventEndpointWithSecret,
    EventPage,
    EventQuery,
)
from .request import names_of, wire_of

_ENDPOINTS = "/event-endpoints"


class EventCalls:
    """Calls of `MerchantClient`."""

    _connection: Connection

    def list_events(self, query: EventQuery | None = None) -> EventPage:
        """One page of the events of 30 days, newest first."""
        asked = EventQuery() if query is None else query
        target = target_of("/events", filters_of("query", asked, EventQuery))
        return self._connection.get(target, EventPage.read, "v2")

    def all_events(self, query: EventQuery | None = None) -> Iterator[Event]:
        """All events, page after page; each page is requested when needed."""
        asked = EventQuery() if query is None else query
        require("query", asked, "an EventQuery", EventQuery)
        for page in pages_of(asked, self.list_events):
            yield from page.events

    def find_event(self, code: str) -> Event:
        """Finds an event with its deliveries. Raises `MerchantError` with status 404 if it does not exist."""
        return self._connection.get(_place("/events", code), Event.read_one, "v2")

    def send_event(self, code: str, endpoint: str | None = None) -> Event:
        """Sends an event again: to one endpoint by its code, or to all that take it."""
        target = f"{_place('/events', code)}/deliveries"
        if endpoint is not None:
            require_text("endpoint", endpoint)
        return self._connection.search(target, {} if endpoint is None else {"endpoint": endpoint}, Event.read_one)

    def create_event_endpoint(
        self, endpoint: CreateEventEndpoint | Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> EventEndpointWithSecret:
        """Creates an endpoint. Store its `secret`: no other answer has it."""
        require("endpoint", endpoint, "a CreateEventEndpoint or a mapping", CreateEventEndpoint, Mapping)
        body = _settings("endpoint", endpoint, CreateEventEndpoint)
        require_text('endpoint["url"]', body.get("url"))
        key = self._connection.key_of(idempotency_key)
        return self._connection.create(
            _ENDPOINTS, body, EventEndpointWithSecret.read, reference=body["url"], key=key
        )

    def list_event_endpoints(self) -> list[EventEndpoint]:
        """All endpoints, oldest first."""
        read = EventEndpoint.read
        return self._connection.get(_ENDPOINTS, lambda body: body.elements("event-endpoints", read), "v2")

    def find_event_endpoint(self, code: str) -> EventEndpoint:
        """Finds an endpoint. Raises `MerchantError` with status 404 if it does not exist."""
        return self._connection.get(_place(_ENDPOINTS, code), EventEndpoint.read_one, "v2")

    def change_event_endpoint(
        self, code: str, change: ChangeEventEndpoint | Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> EventEndpoint:
        """Changes an endpoint's address, types, or whether events are sent to it."""
        require("change", change, "a ChangeEventEndpoint or a mapping", ChangeEventEndpoint, Mapping)
        body = _settings("change", change, ChangeEventEndpoint)
        target = f"{_place(_ENDPOINTS, code)}/changes"
        key = self._connection.key_of(idempotency_key)
        return self._connection.create(target, body, EventEndpoint.read_one, reference=code, key=key)

    def rotate_event_endpoint_secret(
        self, code: str, *, idempotency_key: str | None = None
    ) -> EventEndpointWithSecret:
        """Draws a new secret; the one before signs too for 24 hours."""
        target = f"{_place(_ENDPOINTS, code)}/secret-rotations"
        key = self._connection.key_of(idempotency_key)
        return self._connection.create(target, {}, EventEndpointWithSecret.read, reference=code, key=key)

    def delete_event_endpoint(self, code: str) -> EventEndpoint:
        """Deletes an endpoint for good, and returns it as it was."""
        target = f"{_place(_ENDPOINTS, code)}/deletion"
        key = self._connection.key_of(None)
        return self._connection.create(target, {}, EventEndpoint.read_one, reference=code, key=key)


def _place(path: str, code: str) -> str:
    require_text("code", code)
    return f"{path}/{quote(code, safe='')}"


def _settings(name: str, settings: Any, kind: type[Any]) -> dict[str, Any]:
    body: dict[str, Any] = wire_of(settings)
    refuse_key_in(name, body)
    # With misspelt types, an endpoint would get all.
    require_known(name, names_of(kind), body)
    return body
