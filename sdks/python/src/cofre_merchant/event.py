"""Events of a store, and the endpoints that receive them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal

from ._arguments import require, require_choice, require_optional_choice, require_text
from .payment import RefundSummary
from .request import _OMITTED, _Omitted, _Wired
from .response import Wire

EventType = Literal[
    "payment.under-review",
    "payment.authorized",
    "payment.capture-due",
    "payment.completed",
    "payment.cancelled",
    "chargeback.opened",
    "chargeback.reversed",
    "refund.processed",
    "refund.rejected",
    "saved-card.deleted",
    "link.paid",
]


@dataclass(frozen=True, kw_only=True)
class EventQuery(_Wired):
    """Filters of the list of events. All must match; a date has a time zone."""

    type: EventType | None = None
    transaction_code: str | None = None
    """The payment that the events belong to."""
    created_from: datetime | None = None
    created_until: datetime | None = None
    """Not included."""
    limit: int | None = None
    """Events of a page, 1 to 100; default: 25."""
    cursor: str | None = None
    """`next_cursor` of the page before; None begins with the first page."""

    def __post_init__(self) -> None:
        require_optional_choice("type", EventType, self.type)


@dataclass(frozen=True, kw_only=True)
class CreateEventEndpoint(_Wired):
    """An endpoint that receives events: the body of `POST /event-endpoints`."""

    url: str
    types: Sequence[EventType] | _Omitted = _OMITTED
    """Default: all, those of later releases too; None is a TypeError."""
    enabled: bool | _Omitted = _OMITTED
    """False sends nothing to it; default: True."""

    def __post_init__(self) -> None:
        require_text("url", self.url)
        _require_settings(self)


@dataclass(frozen=True, kw_only=True)
class ChangeEventEndpoint(_Wired):
    """A change of an endpoint: the body of `POST /event-endpoints/{code}/changes`. The rest stays as it is."""

    url: str | _Omitted = _OMITTED
    types: Sequence[EventType] | _Omitted = _OMITTED
    enabled: bool | _Omitted = _OMITTED
    """False sends nothing to it."""

    def __post_init__(self) -> None:
        if self.url is not _OMITTED:
            require_text("url", self.url)
        _require_settings(self)


def _require_settings(endpoint: CreateEventEndpoint | ChangeEventEndpoint) -> None:
    if endpoint.types is not _OMITTED:
        require("types", endpoint.types, "a list of types", list, tuple)
        for one in endpoint.types:
            require_choice("types", EventType, one)
    if endpoint.enabled is not _OMITTED:
        require("enabled", endpoint.enabled, "a bool", bool)


@dataclass(frozen=True, kw_only=True)
class EventPayment:
    """A payment in an event: nothing of the payer."""

    code: str
    reference: str
    """The shop's own identifier."""
    status: str
    """One of `Status`, or a new one of a later release."""
    method: str
    """One of `PaymentMethodName`, or a new one of a later release."""
    method_name: str | None
    """The brand of a card, or the wallet."""
    amount: Decimal
    charged_amount: Decimal
    """With interest."""
    captured_amount: Decimal | None
    """The captured part of the amount; None unless it was authorized first."""
    installments: int
    capture_before: datetime | None
    """Until then it can be captured; None unless it is authorized."""
    date_created: datetime
    date_changed: datetime

    @classmethod
    def read(cls, wire: Wire | None) -> EventPayment | None:
        if wire is None:
            return None
        return cls(
            code=wire.identifier("code"),
            reference=wire.text("reference"),
            status=wire.text("status"),
            method=wire.text("method"),
            method_name=wire.optional_text("method-name"),
            amount=wire.number("amount"),
            charged_amount=wire.number("charged-amount"),
            captured_amount=wire.optional_number("captured-amount"),
            installments=wire.whole("installments"),
            capture_before=wire.optional_date("capture-before"),
            date_created=wire.date("date-created"),
            date_changed=wire.date("date-changed"),
        )


@dataclass(frozen=True, kw_only=True)
class EventData:
    """The codes and amounts of an event. Its type decides which of them it has; the others are None."""

    payment: EventPayment | None
    reason: str | None
    """Why a payment ended unpaid: `declined`, `cancelled`, `expired`, `not-paid`, `capture-failed`,
    `authorization-expired` or `voided`."""
    decline_reason: str | None
    """Of a declined card."""
    refund: RefundSummary | None
    """Without its metadata."""
    saved_card: str | None = field(repr=False)
    """The deleted card's code."""
    payment_link: str | None
    """The link's code."""

    @classmethod
    def read(cls, wire: Wire) -> EventData:
        refund = wire.optional_object("refund")
        card = wire.optional_object("saved-card")
        link = wire.optional_object("payment-link")
        return cls(
            payment=EventPayment.read(wire.optional_object("payment")),
            reason=wire.optional_text("reason"),
            decline_reason=wire.optional_text("decline-reason"),
            refund=None if refund is None else RefundSummary.read(refund),
            saved_card=None if card is None else card.text("code"),
            payment_link=None if link is None else link.text("code"),
        )


@dataclass(frozen=True, kw_only=True)
class EventDelivery:
    """The delivery of an event to an endpoint."""

    endpoint: str
    """The endpoint's code."""
    state: str
    """`waiting`, `held` or `delivered`."""
    attempts: int
    date_attempted: datetime | None
    next_attempt: datetime | None
    status_code: int | None
    """Of the last answer."""
    error: str | None
    """Of the last attempt."""

    @classmethod
    def read(cls, wire: Wire) -> EventDelivery:
        return cls(
            endpoint=wire.text("endpoint"),
            state=wire.text("state"),
            attempts=wire.whole("attempts"),
            date_attempted=wire.optional_date("date-attempted"),
            next_attempt=wire.optional_date("next-attempt"),
            status_code=wire.optional_whole("status-code"),
            error=wire.optional_text("error"),
        )


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened to a payment, a saved card or a link."""

    code: str
    """Also its `webhook-id`: handle each once."""
    type: str
    """One of `EventType`, or a new one of a later release."""
    date_created: datetime
    data: EventData
    deliveries: list[EventDelivery]
    """Only filled for a single event."""

    @classmethod
    def read(cls, wire: Wire) -> Event:
        return cls(
            code=wire.text("code"),
            type=wire.text("type"),
            date_created=wire.date("date-created"),
            data=EventData.read(wire.object("data")),
            deliveries=Wire.lenient(lambda name: wire.elements(name, EventDelivery.read), "deliveries") or [],
        )

    @classmethod
    def read_one(cls, body: Wire) -> Event:
        return cls.read(body.object("event"))


@dataclass(frozen=True, kw_only=True)
class EventPage:
    """A page of events."""

    events: list[Event]
    next_cursor: str | None
    """None on the last page. A page before it may be empty."""

    @classmethod
    def read(cls, body: Wire) -> EventPage:
        return cls(
            events=body.elements("events", Event.read),
            next_cursor=body.nullable_text("next-cursor"),
        )


@dataclass(frozen=True, kw_only=True)
class EventEndpoint:
    """An endpoint that receives events."""

    code: str
    url: str
    types: list[str] | None
    """None for all, those of later releases too."""
    enabled: bool
    date_created: datetime
    failing_since: datetime | None
    """Since when it has accepted nothing; None if it accepted the last event."""
    previous_secret_until: datetime | None
    """Until when the secret before signs too; None without one."""

    @classmethod
    def read(cls, wire: Wire) -> EventEndpoint:
        return cls(
            code=wire.text("code"),
            url=wire.text("url"),
            types=wire.optional_text_list("types"),
            enabled=wire.flag("enabled"),
            date_created=wire.date("date-created"),
            failing_since=wire.optional_date("failing-since"),
            previous_secret_until=wire.optional_date("previous-secret-until"),
        )

    @classmethod
    def read_one(cls, body: Wire) -> EventEndpoint:
        return cls.read(body.object("event-endpoint"))


@dataclass(frozen=True, kw_only=True)
class EventEndpointWithSecret:
    """An endpoint with a new secret."""

    endpoint: EventEndpoint
    secret: str | None = field(repr=False)
    """`whsec_…`; store it, no other answer has it. None if this repeats the answer to an earlier request."""

    @classmethod
    def read(cls, body: Wire) -> EventEndpointWithSecret:
        return cls(
            endpoint=EventEndpoint.read(body.object("event-endpoint")),
            secret=body.nullable_text("secret"),
        )


@dataclass(frozen=True, kw_only=True)
class VerifiedEvent:
    """An event as an endpoint received it."""

    code: str
    """Handle each once."""
    type: str
    """One of `EventType`, or a new one of a later release."""
    timestamp: datetime
    """When it happened."""
    environment: str
    """`production` or `sandbox`."""
    data: EventData

    @classmethod
    def read(cls, code: str, body: Wire) -> VerifiedEvent:
        return cls(
            code=code,
            type=body.text("type"),
            timestamp=body.date("timestamp"),
            environment=body.text("environment"),
            data=EventData.read(body.object("data")),
        )
