"""The service's responses. Dates have a time zone, amounts are `Decimal`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date as Day
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn, TypeGuard, TypeVar

Element = TypeVar("Element")


class UnreadableAnswer(ValueError):
    """A member is missing, or of another type than the API promises."""


class Wire:
    """Reads members of a JSON object, each of the type that the API promises."""

    def __init__(self, json: Any) -> None:
        if not isinstance(json, dict):
            raise UnreadableAnswer("not an object")
        self._members = json

    def text(self, name: str) -> str:
        value = self.optional_text(name)
        return self._fail(name) if value is None else value

    def optional_text(self, name: str) -> str | None:
        value = self._members.get(name)
        return value if value is None or isinstance(value, str) else self._fail(name)

    def nullable_text(self, name: str) -> str | None:
        """None must be sent: without a cursor, a list would seem to end."""
        return self.optional_text(name) if name in self._members else self._fail(name)

    def identifier(self, name: str) -> str:
        """May come as a number."""
        value = self._members.get(name)
        return str(value) if _is_int(value) else self.text(name)

    def whole(self, name: str) -> int:
        value = self._members.get(name)
        return value if _is_int(value) else self._fail(name)

    def optional_whole(self, name: str) -> int | None:
        return None if self._members.get(name) is None else self.whole(name)

    def number(self, name: str) -> Decimal:
        value = self._members.get(name)
        return Decimal(value) if _is_int(value) or isinstance(value, Decimal) else self._fail(name)

    def optional_number(self, name: str) -> Decimal | None:
        return None if self._members.get(name) is None else self.number(name)

    def amount(self, name: str) -> Decimal:
        """Reais as decimal text."""
        try:
            return Decimal(self.text(name))
        except InvalidOperation:
            return self._fail(name)

    def flag(self, name: str) -> bool:
        value = self._members.get(name)
        return value if isinstance(value, bool) else self._fail(name)

    def optional_flag(self, name: str) -> bool | None:
        return None if self._members.get(name) is None else self.flag(name)

    def date(self, name: str) -> datetime:
        value = self.optional_date(name)
        return self._fail(name) if value is None else value

    def optional_date(self, name: str) -> datetime | None:
        text = self.optional_text(name)
        try:
            # Python 3.10 reads no Z.
            return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))
        except ValueError:
            return self._fail(name)

    def day(self, name: str) -> Day:
        """`YYYY-MM-DD`."""
        value = self.optional_day(name)
        return self._fail(name) if value is None else value

    def optional_day(self, name: str) -> Day | None:
        text = self.optional_text(name)
        try:
            return None if text is None else Day.fromisoformat(text)
        except ValueError:
            return self._fail(name)

    def optional_texts(self, name: str) -> dict[str, str]:
        """A store's own names and texts; empty if there are none."""
        value = self._members.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            self._fail(name)
        return value

    def optional_text_list(self, name: str) -> list[str] | None:
        value = self._members.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self._fail(name)
        return value

    def object(self, name: str) -> Wire:
        return Wire(self._members.get(name))

    def optional_object(self, name: str) -> Wire | None:
        return None if self._members.get(name) is None else self.object(name)

    def elements(self, name: str, read: Callable[[Wire], Element]) -> list[Element]:
        value = self._members.get(name)
        if not isinstance(value, list):
            self._fail(name)
        return [read(Wire(element)) for element in value]

    @staticmethod
    def lenient(read: Callable[[str], Element], name: str) -> Element | None:
        """None if it is missing or of another type."""
        try:
            return read(name)
        except UnreadableAnswer:
            return None

    def _fail(self, name: str) -> NoReturn:
        raise UnreadableAnswer(f"{name} is missing or of another type")


def _is_int(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, kw_only=True)
class Decline:
    """The reason of a declined card; for the shop, not for the shopper."""

    reason: str
    """`insufficient_funds`, …"""
    code: str | None
    """The issuer's or acquirer's own code, such as 51."""
    retry_allowed: bool
    """True if the same card may be tried again."""
    retry_date: datetime | None
    """The earliest time of a retry."""

    @classmethod
    def read(cls, wire: Wire | None) -> Decline | None:
        if wire is None:
            return None
        return cls(
            reason=wire.text("reason"),
            code=wire.optional_text("code"),
            retry_allowed=wire.flag("retry-allowed"),
            retry_date=wire.optional_date("retry-date"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentMethod:
    """A saved card."""

    code: str = field(repr=False)
    """Pays instead of the card."""
    brand: str
    masked_number: str
    """Asterisks followed by the last four digits."""
    expiration_date: str
    """`YYYY-MM`"""
    date_created: datetime

    @classmethod
    def read(cls, wire: Wire) -> PaymentMethod:
        card = wire.object("credit-card")
        return cls(
            code=wire.text("code"),
            brand=card.text("brand"),
            masked_number=card.text("masked-number"),
            expiration_date=card.text("expiration-date"),
            date_created=wire.date("date-created"),
        )


@dataclass(frozen=True, kw_only=True)
class CreatedTransaction:
    """A transaction at its creation. `FoundTransaction` has its later status."""

    code: str
    reference: str | None
    amount: Decimal | None
    status: str
    """`PAID`, `PENDING` or `REJECTED`."""
    payer_email: str | None
    date_created: datetime | None
    barcode_number: str | None
    """For a boleto, as is `digitable_line`: None until its bank issues it."""
    digitable_line: str | None
    payment_url: str | None
    """The page of a boleto or of a wallet."""
    payment_code: str | None
    """The PIX code to copy, also of a boleto that PIX can pay; `qrcode_image` is the URL of its picture."""
    qrcode_image: str | None
    authentication_url: str | None
    """URL at which the card's issuer authenticates the shopper."""
    capture_before: datetime | None
    """When the store's rule acts on a payment that is captured later; None for others."""
    decline: Decline | None
    payment_methods: list[PaymentMethod]
    """The card, if it was saved."""

    @classmethod
    def read(cls, body: Wire) -> CreatedTransaction:
        """A wrong member other than code and status never loses a created transaction."""
        wire = body.object("transaction")
        return cls(
            code=wire.identifier("code"),
            reference=Wire.lenient(wire.text, "reference"),
            amount=Wire.lenient(wire.number, "amount"),
            status=wire.text("status"),
            payer_email=Wire.lenient(wire.text, "payer-email"),
            date_created=Wire.lenient(wire.date, "date-created"),
            barcode_number=Wire.lenient(wire.text, "barcode-number"),
            digitable_line=Wire.lenient(wire.text, "digitable-line"),
            payment_url=Wire.lenient(wire.text, "payment-url"),
            payment_code=Wire.lenient(wire.text, "payment-code"),
            qrcode_image=Wire.lenient(wire.text, "qrcode-image"),
            authentication_url=Wire.lenient(wire.text, "authentication-url"),
            capture_before=Wire.lenient(wire.date, "capture-before"),
            decline=Wire.lenient(lambda name: Decline.read(wire.optional_object(name)), "decline"),
            payment_methods=Wire.lenient(lambda name: body.elements(name, PaymentMethod.read), "payment-methods")
            or [],
        )


@dataclass(frozen=True, kw_only=True)
class Refund:
    """A refund of a transaction."""

    id: str
    status: str
    """`PROCESSING`, `PROCESSED` or `REJECTED`."""
    amount: Decimal
    date: datetime
    processing_date: datetime | None
    """Time of the payment."""
    reference: str | None
    nature: str | None
    """The bank's reason for returning a PIX, such as `MED_FRAUDE`; None otherwise."""

    @classmethod
    def read(cls, wire: Wire) -> Refund:
        return cls(
            id=wire.identifier("refund-id"),
            status=wire.text("refund-status"),
            amount=wire.amount("refund-amount"),
            date=wire.date("refund-date"),
            processing_date=wire.optional_date("refund-processing-date"),
            reference=wire.optional_text("refund-reference"),
            nature=wire.optional_text("refund-nature"),
        )


@dataclass(frozen=True, kw_only=True)
class FoundTransaction:
    """A transaction in a search's result."""

    code: str
    reference: str
    """The shop's own identifier (`order-id`)."""
    description: str
    status: str
    """One of `Status`, or a new one of a later release."""
    amount: Decimal
    customer_email: str
    payment_id: str
    payment_name: str
    order_date: datetime
    payment_date: datetime | None
    last_status_change_date: datetime
    refundable: bool
    """True if a refund of the remaining amount would be accepted."""
    refunds: list[Refund]
    payment_methods: list[PaymentMethod]
    decline: Decline | None
    barcode_number: str | None
    """For a boleto, as are the four below: its bank's data so far."""
    digitable_line: str | None
    payment_url: str | None
    payment_code: str | None
    qrcode_image: str | None

    @classmethod
    def read(cls, wire: Wire) -> FoundTransaction:
        return cls(
            code=wire.identifier("transaction-code"),
            reference=wire.text("order-id"),
            description=wire.text("order-description"),
            status=wire.text("status"),
            amount=wire.amount("amount"),
            customer_email=wire.text("customer-email"),
            payment_id=wire.text("payment-id"),
            payment_name=wire.text("payment-name"),
            order_date=wire.date("order-date"),
            payment_date=wire.optional_date("payment-date"),
            last_status_change_date=wire.date("last-status-change-date"),
            refundable=wire.flag("refundable"),
            refunds=wire.elements("refunds", Refund.read),
            payment_methods=wire.elements("payment-methods", PaymentMethod.read),
            decline=Decline.read(wire.optional_object("decline")),
            barcode_number=wire.optional_text("barcode-number"),
            digitable_line=wire.optional_text("digitable-line"),
            payment_url=wire.optional_text("payment-url"),
            payment_code=wire.optional_text("payment-code"),
            qrcode_image=wire.optional_text("qrcode-image"),
        )


@dataclass(frozen=True, kw_only=True)
class SearchPage:
    """A page of a search."""

    transactions: list[FoundTransaction]
    found: int
    current_page: int
    total_pages: int

    @classmethod
    def read(cls, body: Wire) -> SearchPage:
        metadata = body.object("metadata")
        found = metadata.identifier("found")
        return cls(
            transactions=body.object("transaction-result").elements("transactions", FoundTransaction.read),
            found=int(found) if found.isdecimal() else 0,
            current_page=metadata.whole("current-page"),
            total_pages=metadata.whole("total-pages"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentLinkTry:
    """A transaction made by a payment link."""

    transaction_code: str
    reference: str
    """The link's reference, `-` and a number."""
    method: str
    status: str
    """One of `Status`, or a new one of a later release."""
    date_created: datetime

    @classmethod
    def read(cls, wire: Wire) -> PaymentLinkTry:
        return cls(
            transaction_code=wire.identifier("transaction-code"),
            reference=wire.text("reference"),
            method=wire.text("method"),
            status=wire.text("status"),
            date_created=wire.date("date-created"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentLink:
    """A link at which shoppers pay."""

    code: str
    url: str
    """Send it to the shopper, or redirect the shopper to it."""
    reference: str
    amount: Decimal
    description: str
    status: str
    """One of `LinkStatus`, or a new one of a later release."""
    usage: str
    capture: bool | None
    """False if its payments are authorized, and captured later; None otherwise."""
    expires_at: datetime | None
    date_created: datetime
    date_revoked: datetime | None
    tries: list[PaymentLinkTry]
    """Newest first; only filled for a single link."""

    @classmethod
    def read(cls, wire: Wire) -> PaymentLink:
        return cls(
            code=wire.text("code"),
            url=wire.text("url"),
            reference=wire.text("reference"),
            amount=wire.number("amount"),
            description=wire.text("description"),
            status=wire.text("status"),
            usage=wire.text("usage"),
            capture=wire.optional_flag("capture"),
            expires_at=wire.optional_date("expires-at"),
            date_created=wire.date("date-created"),
            date_revoked=wire.optional_date("date-revoked"),
            tries=Wire.lenient(lambda name: wire.elements(name, PaymentLinkTry.read), "tries") or [],
        )

    @classmethod
    def read_one(cls, body: Wire) -> PaymentLink:
        return cls.read(body.object("payment-link"))


@dataclass(frozen=True, kw_only=True)
class PaymentLinkPage:
    """A page of payment links."""

    payment_links: list[PaymentLink]
    found: int
    current_page: int
    total_pages: int

    @classmethod
    def read(cls, body: Wire) -> PaymentLinkPage:
        metadata = body.object("metadata")
        found = metadata.identifier("found")
        return cls(
            payment_links=body.elements("payment-links", PaymentLink.read),
            found=int(found) if found.isdecimal() else 0,
            current_page=metadata.whole("current-page"),
            total_pages=metadata.whole("total-pages"),
        )


@dataclass(frozen=True, kw_only=True)
class InterestTerms:
    """The interest of installments."""

    monthly_rate_percent: Decimal
    interest_free: int

    @classmethod
    def read(cls, wire: Wire) -> InterestTerms:
        return cls(
            monthly_rate_percent=wire.number("monthly-rate-percent"),
            interest_free=wire.whole("interest-free"),
        )


@dataclass(frozen=True, kw_only=True)
class InterestChange:
    """The terms from a given time on, for a brand or for all others."""

    brand: str | None
    """None for all brands without their own terms."""
    terms: InterestTerms | None
    """None if the store's own terms end."""
    begins_at: datetime

    @classmethod
    def read(cls, wire: Wire) -> InterestChange:
        return cls(
            brand=wire.optional_text("brand"),
            terms=Wire.lenient(lambda _: InterestTerms.read(wire), "monthly-rate-percent"),
            begins_at=wire.date("from"),
        )


@dataclass(frozen=True, kw_only=True)
class Interest:
    """The interest of a store's installments."""

    usual: InterestTerms
    """Terms of stores without their own."""
    changes: list[InterestChange]
    """In order of creation."""

    @classmethod
    def read_one(cls, body: Wire) -> Interest:
        wire = body.object("interest")
        return cls(
            usual=InterestTerms.read(wire.object("usual")),
            changes=wire.elements("changes", InterestChange.read),
        )


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The facts in the first digits of a card."""

    number: int
    brand: str
    cvv_size: int
    expirable: bool
    installment: bool

    @classmethod
    def read(cls, body: Wire) -> Bin:
        wire = body.object("bin")
        return cls(
            number=wire.whole("number"),
            brand=wire.text("brand"),
            cvv_size=wire.whole("cvvSize"),
            expirable=wire.flag("expirable"),
            installment=wire.flag("installment"),
        )


@dataclass(frozen=True, kw_only=True)
class Installment:
    """A way to pay an amount in parts."""

    quantity: int
    total_amount: Decimal
    installment_amount: Decimal
    interest_free: bool

    @classmethod
    def read(cls, wire: Wire) -> Installment:
        return cls(
            quantity=wire.whole("quantity"),
            total_amount=wire.number("totalAmount"),
            installment_amount=wire.number("installmentAmount"),
            interest_free=wire.flag("interestFree"),
        )


@dataclass(frozen=True, kw_only=True)
class CardLookup:
    """A card's brand, and the installments of an amount."""

    bin: Bin
    installments: list[Installment]

    @classmethod
    def read(cls, body: Wire) -> CardLookup:
        return cls(bin=Bin.read(body), installments=body.elements("installments", Installment.read))


@dataclass(frozen=True, kw_only=True)
class SandboxTime:
    """The sandbox's time."""

    now: datetime
    ahead_seconds: int
    """The sandbox's lead over its machine's clock."""

    @classmethod
    def read(cls, body: Wire) -> SandboxTime:
        return cls(now=body.date("now"), ahead_seconds=int(body.number("ahead-seconds")))
