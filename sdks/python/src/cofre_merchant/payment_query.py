"""Filters of lists of payments and refunds. All must match; absent ones filter nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ._arguments import number_of, require_optional_choice
from .request import Amount, Status, _Wired

PaymentStatus = Literal[Status, "AUTHORIZED"]
PaymentMethodName = Literal["credit-card", "pix", "boleto", "e-wallet"]
RefundStatus = Literal["PROCESSING", "PROCESSED", "REJECTED"]


@dataclass(frozen=True, kw_only=True)
class PaymentQuery(_Wired):
    """Filters of the list of payments. A date has a time zone."""

    status: PaymentStatus | None = None
    method: PaymentMethodName | None = None
    reference: str | None = None
    """The shop's own complete reference."""
    amount: Amount | None = None
    """Exactly this amount, without interest."""
    created_from: datetime | None = None
    created_until: datetime | None = None
    """Not included."""
    limit: int | None = None
    """Payments of a page, 1 to 100; default: 25."""
    cursor: str | None = None
    """`next_cursor` of the page before; None begins with the first page."""

    def __post_init__(self) -> None:
        require_optional_choice("status", PaymentStatus, self.status)
        require_optional_choice("method", PaymentMethodName, self.method)
        if self.amount is not None:
            object.__setattr__(self, "amount", number_of(self.amount))


@dataclass(frozen=True, kw_only=True)
class PaymentSearch(PaymentQuery):
    """A search for a payer's payments, by e-mail, document or both: the body of `POST /payments/searches`."""

    payer_email: str | None = None
    payer_document: str | None = None
    """CPF or CNPJ, without punctuation."""
    metadata: Mapping[str, str] | None = None
    """At most five keys; a payment has them all. With it, no payer is needed."""


@dataclass(frozen=True, kw_only=True)
class RefundQuery(_Wired):
    """Filters of the list of refunds. A date has a time zone."""

    status: RefundStatus | None = None
    transaction_code: str | None = None
    """The refunded transaction."""
    created_from: datetime | None = None
    created_until: datetime | None = None
    """Not included."""
    limit: int | None = None
    """Refunds of a page, 1 to 100; default: 25."""
    cursor: str | None = None
    """`next_cursor` of the page before; None begins with the first page."""

    def __post_init__(self) -> None:
        require_optional_choice("status", RefundStatus, self.status)
