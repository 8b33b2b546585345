"""A shop's requests. Amounts are reais: `Decimal`, an int, or the text "42.50"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal

from ._arguments import number_of, refuse, require, require_choice, require_optional_choice, require_text

Amount = Decimal | int | str
ItemType = Literal["digital", "physical", "service", "subscription"]
Status = Literal["PENDING", "UNDER-REVIEW", "COMPLETE", "CANCELLED", "EXPIRED", "NOT-PAID", "REFUNDED", "CHARGEBACK"]
OrderLanguage = Literal["pt-BR", "en-US", "es-ES", "pt-PT", "tr-TR"]
LinkUsage = Literal["once", "many"]
LinkStatus = Literal["PAYABLE", "PAID", "EXPIRED", "REVOKED"]


class _Omitted(Enum):
    """The default of a field whose None, such as an empty database value, would have too wide an effect."""

    OMITTED = "omitted"


_OMITTED: Final = _Omitted.OMITTED


def wire_of(value: Any) -> Any:
    """The API's form: names in kebab-case, absent members omitted."""
    if isinstance(value, _Wired):
        members = ((member.name.replace("_", "-"), getattr(value, member.name)) for member in fields(value))
        return {name: wire_of(content) for name, content in members if content not in (None, _OMITTED)}
    if isinstance(value, Mapping):
        return {name: wire_of(content) for name, content in value.items()}
    if isinstance(value, (list, tuple)):
        return [wire_of(element) for element in value]
    return value


def names_of(kind: type[Any]) -> list[str]:
    """The API's names of a request dataclass's fields."""
    return [member.name.replace("_", "-") for member in fields(kind)]


@dataclass(frozen=True)
class _Wired:
    """Sent as a JSON object of its fields."""


@dataclass(frozen=True, kw_only=True)
class Address(_Wired):
    """A postal address."""

    street: str
    number: str
    district: str
    city: str
    state: str
    """Two letters: `SP`."""
    zip_code: str
    """Eight digits, without the dash."""
    complement: str | None = None
    country: str = "BR"


@dataclass(frozen=True)
class Document(_Wired):
    """The payer's tax number: only digits, or the letters of a CNPJ."""

    type: Literal["CPF", "CNPJ"]
    number: str

    def __post_init__(self) -> None:
        require_choice("type", Literal["CPF", "CNPJ"], self.type)


@dataclass(frozen=True, kw_only=True)
class Payer(_Wired):
    """The payer. Cards need birth date (for a CPF) and phone; all except a direct token need the IP."""

    name: str
    """At least two words, each separated by one space."""
    email: str
    document: Document
    birth_date: str | None = None
    """`YYYY-MM-DD`."""
    phone_number: str | None = None
    """International, with the plus: `+5511987654321`."""
    ip: str | None = None
    address: Address | None = None
    """Required if an item of the cart is physical."""


@dataclass(frozen=True, kw_only=True)
class Shipping(_Wired):
    """Required if an item of the cart is physical."""

    cost: Amount
    address: Address

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", number_of(self.cost, "cost"))


@dataclass(frozen=True, kw_only=True)
class CartItem(_Wired):
    """One line of the cart."""

    description: str
    unit_price: Amount
    """May have more than two decimals."""
    type: ItemType
    quantity: int = 1
    category: str | None = None

    def __post_init__(self) -> None:
        require_choice("type", ItemType, self.type)
        object.__setattr__(self, "unit_price", number_of(self.unit_price, "unit_price"))


@dataclass(frozen=True, kw_only=True)
class ThreeDSecure(_Wired):
    """The result of a 3-D Secure server for this payment, for a single use."""

    version: str
    """`2.2.0`"""
    eci: str
    """`05`"""
    cavv: str = field(repr=False)
    """20 bytes in Base64."""
    ds_transaction_id: str | None = None
    """The UUID of the directory server's transaction."""


@dataclass(frozen=True)
class Card:
    """The card of a charge: made by one of its class methods."""

    source: Mapping[str, Any] = field(repr=False)

    def __post_init__(self) -> None:
        require("source", self.source, "a mapping: see the class methods", Mapping)

    @classmethod
    def token(cls, token: str, *, save: bool = False) -> Card:
        """A card from the browser library; `save` requests to save it."""
        require_text("token", token)
        return cls({"token": token, **({"save": True} if save else {})})

    @classmethod
    def saved(cls, code: str, *, security_code_token: str | None = None) -> Card:
        """A saved card, which only works for the payer e-mail that saved it.

        The token of its security code comes from the page; never send the code itself.
        """
        require_text("code", code)
        if security_code_token is None:
            return cls({"code": code})
        require_text("security_code_token", security_code_token)
        return cls({"code": code, "security-code-token": security_code_token})

    @classmethod
    def raw(cls, *, number: str, cvv: str, expiration_date: str, save: bool = False) -> Card:
        """For stores that may send a card themselves; the date is `YYYY-MM`."""
        for name, text in (("number", number), ("cvv", cvv), ("expiration_date", expiration_date)):
            require_text(name, text)
        card = {"number": number, "cvv": cvv, "expiration-date": expiration_date}
        return cls({"credit-card": card, **({"save": True} if save else {})})


@dataclass(frozen=True)
class Charge:
    """The one charge of a transaction, made by the class method of its payment method.

    Its amount is shipping plus cart, without interest.
    """

    amount: Decimal
    payment_method: Mapping[str, str]
    payment_info: Mapping[str, Any] | None = field(default=None, repr=False)

    @classmethod
    def pix(cls, amount: Amount) -> Charge:
        return cls(number_of(amount), {"type": "eft", "sub-type": "pix"})

    @classmethod
    def boleto(cls, amount: Amount) -> Charge:
        return cls(number_of(amount), {"type": "postpay", "sub-type": "boleto"})

    @classmethod
    def wallet(cls, amount: Amount, wallet: str) -> Charge:
        """By the wallet's identifier: `paypal`."""
        require_text("wallet", wallet)
        return cls(number_of(amount), {"type": "e-wallet", "sub-type": wallet})

    @classmethod
    def card(
        cls,
        amount: Amount,
        card: Card,
        *,
        installments: int = 1,
        three_d_secure: ThreeDSecure | None = None,
        capture: bool = True,
    ) -> Charge:
        """With `capture=False` the card is only authorized: capture the payment later, or cancel it."""
        require("card", card, "a Card, such as Card.token(…) or Card.saved(…)", Card)
        require("capture", capture, "a bool", bool)
        info = {"installments": installments, **card.source, **({} if capture else {"capture": False})}
        if three_d_secure is not None:
            require("three_d_secure", three_d_secure, "a ThreeDSecure", ThreeDSecure, Mapping)
            info["three-d-secure"] = wire_of(three_d_secure)
        return cls(number_of(amount), {"type": "credit-card"}, info)

    def to_wire(self) -> dict[str, Any]:
        charge = {"amount": self.amount, "currency": "BRL", "payment-method": dict(self.payment_method)}
        return charge if self.payment_info is None else {**charge, "payment-info": dict(self.payment_info)}


def _require_metadata(metadata: object) -> None:
    if metadata is not None:
        require("metadata", metadata, "a dict of str", Mapping)


@dataclass(frozen=True, kw_only=True)
class CreateTransaction:
    """An order to be paid: the body of `POST /transactions`."""

    notification_url: str
    charge: Charge
    payer: Payer
    cart: Sequence[CartItem]
    shipping: Shipping | None = None
    reference: str | None = None
    """The shop's own identifier, up to 64 of `A-Z a-z 0-9 . _ -`, never used before. None derives
    one from the idempotency key."""
    language: OrderLanguage = "pt-BR"
    success_url: str | None = None
    """Required for wallets, as is `fail_url`."""
    fail_url: str | None = None
    project_number: int | None = None
    gifting: bool = False
    metadata: Mapping[str, str] | None = None
    """Your own names and texts: at most 20 keys of up to 40 of `A-Z a-z 0-9 . _ -`, each with a text
    of up to 500 characters."""

    def __post_init__(self) -> None:
        require_choice("language", OrderLanguage, self.language)
        require("charge", self.charge, "a Charge, such as Charge.pix(…)", Charge)
        require("payer", self.payer, "a Payer", Payer, Mapping)
        if isinstance(self.cart, str) or not isinstance(self.cart, Sequence):
            refuse("cart", "a list of CartItem", self.cart)
        for item in self.cart:
            require("cart", item, "a list of CartItem", CartItem, Mapping)
        if self.shipping is not None:
            require("shipping", self.shipping, "a Shipping", Shipping, Mapping)
        _require_metadata(self.metadata)

    def to_wire(self) -> dict[str, Any]:
        urls = {"success": self.success_url, "fail": self.fail_url}
        transaction = {
            "reference": self.reference,
            "project-number": self.project_number,
            "country": "BR",
            "currency": "BRL",
            "checkout-type": "direct",
            "notification-url": self.notification_url,
            "language": self.language,
            "gifting": self.gifting or None,
            "redirect-urls": urls if any(urls.values()) else None,
            "metadata": None if self.metadata is None else dict(self.metadata),
        }
        order = {
            "transaction": {name: value for name, value in transaction.items() if value is not None},
            "charge": [self.charge.to_wire()],
            "payer": wire_of(self.payer),
            "shipping": wire_of(self.shipping),
            "cart": wire_of(list(self.cart)),
        }
        return {name: value for name, value in order.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class CreateRefund(_Wired):
    """Money to be returned: the body of `POST /refunds`."""

    transaction_id: str
    """The service's transaction code."""
    notify_url: str | None = None
    """Receives the refund notification; may be None if the store has a URL for it."""
    amount: Amount | _Omitted = _OMITTED
    """Default: the whole transaction; None is a TypeError."""
    reference: str | None = None
    """The shop's own identifier, up to 64 characters; several refunds may have the same. None
    derives one from the idempotency key."""
    test_mode: Literal[0, 1] | None = None
    """1 refunds a sandbox transaction through the production address."""
    metadata: Mapping[str, str] | None = None
    """Your own names and texts, as those of an order."""

    def __post_init__(self) -> None:
        require_optional_choice("test_mode", Literal[0, 1], self.test_mode)
        _require_metadata(self.metadata)
        if self.amount is not _OMITTED:
            object.__setattr__(self, "amount", number_of(self.amount))


@dataclass(frozen=True, kw_only=True)
class SearchQuery(_Wired):
    """Filters of a search: the reference, or at least one initial date, which its final date needs.

    Two dates are at most 30 days apart. A date has a time zone.
    """

    reference: str | None = None
    initial_order_date: datetime | None = None
    final_order_date: datetime | None = None
    initial_payment_date: datetime | None = None
    final_payment_date: datetime | None = None
    initial_last_status_change_date: datetime | None = None
    final_last_status_change_date: datetime | None = None
    status: Status | None = None
    page: int | None = None
    """The first page to read, from 1."""
    max_page_results: int | None = None
    """At most 10, which is also the default."""

    def __post_init__(self) -> None:
        require_optional_choice("status", Status, self.status)


@dataclass(frozen=True, kw_only=True)
class CreatePaymentLink(_Wired):
    """A link at which shoppers pay: the body of `POST /payment-links`."""

    amount: Amount
    description: str
    """The purpose of the payment: 1 to 200 characters."""
    methods: Sequence[str]
    """`credit-card`, `pix`, `boleto` and wallets."""
    notification_url: str | None = None
    """May be None if the store has a URL for it."""
    reference: str | None = None
    """The shop's own identifier, up to 56 of `A-Z a-z 0-9 . _ -`, never used before. None derives one
    from the idempotency key. Each try is a transaction of this reference, `-` and a number."""
    usage: LinkUsage | None = None
    """Default: `once`."""
    installments: int | _Omitted = _OMITTED
    """The largest number of installments of a card; default: 12."""
    expires_at: datetime | _Omitted = _OMITTED
    """Default: never; None is a TypeError. A date has a time zone."""
    language: OrderLanguage | None = None
    """Default: the store's."""
    success_url: str | None = None
    """The page's link after the payment."""
    metadata: Mapping[str, str] | None = None
    """Your own names and texts, as those of an order: each payment of the link has them."""
    capture: bool | None = None
    """False, with cards alone, only authorizes: capture each payment later, or cancel it."""

    def __post_init__(self) -> None:
        _require_metadata(self.metadata)
        if self.capture is not None:
            require("capture", self.capture, "a bool", bool)
        require_optional_choice("usage", LinkUsage, self.usage)
        require_optional_choice("language", OrderLanguage, self.language)
        if self.installments is not _OMITTED:
            require("installments", self.installments, "an int", int)
        if self.expires_at is not _OMITTED:
            require("expires_at", self.expires_at, "a datetime", datetime)
        object.__setattr__(self, "amount", number_of(self.amount))


@dataclass(frozen=True, kw_only=True)
class ChangeInterest(_Wired):
    """A change of the installments' interest: the body of `POST /interest/changes`. Either a rate, or `usual`."""

    monthly_rate_percent: Amount | None = None
    """Interest per month in percent: `Decimal("2.99")`."""
    interest_free: int | _Omitted = _OMITTED
    """Number of installments without interest; default: 1."""
    usual: Literal[True] | None = None
    """Ends the store's own terms."""
    brand: str | _Omitted = _OMITTED
    """Default: all brands without their own terms; None is a TypeError."""
    begins_at: datetime | _Omitted = _OMITTED
    """Default: at once; None is a TypeError. A date has a time zone."""

    def __post_init__(self) -> None:
        if self.monthly_rate_percent is not None:
            rate = number_of(self.monthly_rate_percent, "monthly_rate_percent")
            object.__setattr__(self, "monthly_rate_percent", rate)
        if self.interest_free is not _OMITTED:
            require("interest_free", self.interest_free, "an int", int)
        if self.brand is not _OMITTED:
            require_text("brand", self.brand)
        if self.begins_at is not _OMITTED:
            require("begins_at", self.begins_at, "a datetime", datetime)


@dataclass(frozen=True, kw_only=True)
class PaymentLinkQuery(_Wired):
    """Filters of the list of payment links."""

    reference: str | None = None
    status: LinkStatus | None = None
    page: int | None = None
    """The first page to read, from 1."""
    max_page_results: int | None = None
    """At most 10, which is also the default."""

    def __post_init__(self) -> None:
        require_optional_choice("status", LinkStatus, self.status)
