"""Saved cards of a store's payers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ._arguments import require_text
from .request import Document, _Wired
from .response import Decline, Wire


@dataclass(frozen=True, kw_only=True)
class CardOwner(_Wired):
    """The owner of a card that is saved without a charge."""

    name: str
    document: Document
    email: str
    ip: str
    """The address of the payer's browser, by which checks of cards are limited."""


@dataclass(frozen=True, kw_only=True)
class SaveCard(_Wired):
    """A card to save without a charge: the body of `POST /saved-cards`."""

    token: str = field(repr=False)
    """A direct token of the browser's library."""
    payer: CardOwner


@dataclass(frozen=True, kw_only=True)
class SavedCardSearch(_Wired):
    """A search for a payer's saved cards: the body of `POST /saved-cards/searches`."""

    payer_email: str
    limit: int | None = None
    """Cards of a page, 1 to 100; default: 25."""
    cursor: str | None = None
    """`next_cursor` of the page before; None begins with the first page."""

    def __post_init__(self) -> None:
        require_text("payer_email", self.payer_email)


@dataclass(frozen=True, kw_only=True)
class SavedCard:
    """A payer's saved card."""

    code: str = field(repr=False)
    brand: str
    last_four: str
    expiration_date: str
    """`YYYY-MM`."""
    date_created: datetime
    date_last_used: datetime | None
    chargeable: bool
    """True if an order may charge it now."""

    @classmethod
    def read(cls, wire: Wire) -> SavedCard:
        return cls(
            code=wire.text("code"),
            brand=wire.text("brand"),
            last_four=wire.text("last-four"),
            expiration_date=wire.text("expiration-date"),
            date_created=wire.date("date-created"),
            date_last_used=wire.optional_date("date-last-used"),
            chargeable=wire.flag("chargeable"),
        )

    @classmethod
    def read_one(cls, body: Wire) -> SavedCard:
        return cls.read(body.object("saved-card"))


@dataclass(frozen=True, kw_only=True)
class SavedCardPage:
    """A page of saved cards."""

    saved_cards: list[SavedCard]
    next_cursor: str | None
    """None on the last page. A page before it may be empty."""

    @classmethod
    def read(cls, body: Wire) -> SavedCardPage:
        return cls(
            saved_cards=body.elements("saved-cards", SavedCard.read),
            next_cursor=body.nullable_text("next-cursor"),
        )


@dataclass(frozen=True, kw_only=True)
class CheckedCard:
    """A card that was to be saved without a charge."""

    saved_card: SavedCard | None
    """None if it was declined."""
    decline: Decline | None

    @classmethod
    def read(cls, body: Wire) -> CheckedCard:
        saved = body.optional_object("saved-card")
        return cls(
            saved_card=None if saved is None else SavedCard.read(saved),
            decline=Decline.read(body.optional_object("decline")),
        )
