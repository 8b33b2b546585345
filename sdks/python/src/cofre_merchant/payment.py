"""Responses for a shop's own back office: whole payments, and lists of payments and refunds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from .response import Decline, Wire


@dataclass(frozen=True, kw_only=True)
class PaymentSummary:
    """A payment in a list."""

    code: str
    reference: str
    """The shop's own identifier."""
    status: str
    """One of `PaymentStatus`, or a new one of a later release."""
    method: str
    """One of `PaymentMethodName`, or a new one of a later release."""
    method_name: str | None
    """The brand of a card, or the wallet."""
    amount: Decimal
    charged_amount: Decimal
    """With interest."""
    captured_amount: Decimal | None
    """The captured part of the amount; None unless it was authorized first."""
    refunded_amount: Decimal
    installments: int
    description: str
    payer_email: str | None
    """None if the payer's data was erased."""
    date_created: datetime
    date_paid: datetime | None
    date_changed: datetime
    expires_at: datetime | None
    capture_before: datetime | None
    """When the store's rule acts on an AUTHORIZED payment; None for others."""
    metadata: dict[str, str]
    """The shop's own names and texts."""

    @classmethod
    def read(cls, wire: Wire) -> PaymentSummary:
        return PaymentSummary(
            code=wire.identifier("code"),
            reference=wire.text("reference"),
            status=wire.text("status"),
            method=wire.text("method"),
            method_name=wire.optional_text("method-name"),
            amount=wire.number("amount"),
            charged_amount=wire.number("charged-amount"),
            captured_amount=wire.optional_number("captured-amount"),
            refunded_amount=wire.number("refunded-amount"),
            installments=wire.whole("installments"),
            description=wire.text("description"),
            payer_email=wire.optional_text("payer-email"),
            date_created=wire.date("date-created"),
            date_paid=wire.optional_date("date-paid"),
            date_changed=wire.date("date-changed"),
            expires_at=wire.optional_date("expires-at"),
            capture_before=wire.optional_date("capture-before"),
            metadata=wire.optional_texts("metadata"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentPage:
    """A page of payments."""

    payments: list[PaymentSummary]
    next_cursor: str | None
    """None on the last page. A page before it may be empty."""

    @classmethod
    def read(cls, body: Wire) -> PaymentPage:
        return cls(
            payments=body.elements("payments", PaymentSummary.read),
            next_cursor=body.nullable_text("next-cursor"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentPayer:
    """The payer of a payment."""

    name: str
    document: str
    email: str

    @classmethod
    def read(cls, wire: Wire | None) -> PaymentPayer | None:
        if wire is None:
            return None
        return cls(name=wire.text("name"), document=wire.text("document"), email=wire.text("email"))


@dataclass(frozen=True, kw_only=True)
class PaymentAccount:
    """The store's account with a bank or an acquirer."""

    id: str
    name: str

    @classmethod
    def read(cls, wire: Wire) -> PaymentAccount:
        return cls(id=wire.text("id"), name=wire.text("name"))


@dataclass(frozen=True, kw_only=True)
class PaymentAcquirer:
    """The acquirer's data of a card payment."""

    name: str
    cnpj: str | None
    """The company's, for fiscal documents; None if it is unknown."""
    account: PaymentAccount
    payment_id: str | None
    nsu: str | None
    authorization_code: str | None

    @classmethod
    def read(cls, wire: Wire | None) -> PaymentAcquirer | None:
        if wire is None:
            return None
        return cls(
            name=wire.text("name"),
            cnpj=wire.optional_text("cnpj"),
            account=PaymentAccount.read(wire.object("account")),
            payment_id=wire.optional_text("payment-id"),
            nsu=wire.optional_text("nsu"),
            authorization_code=wire.optional_text("authorization-code"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentCard:
    """The card of a payment."""

    brand: str | None
    bin: str | None
    last_four: str | None
    saved_card: str | None = field(repr=False)
    """The code of the card that this payment saved."""
    interest_amount: Decimal
    acquirer: PaymentAcquirer | None
    """None if no acquirer was asked, as in a sandbox without an account."""
    liability_shift: bool | None
    """True if the issuer is liable for fraud; None without 3-D Secure."""
    eci: str | None
    """`05`, by the brand's table; None without 3-D Secure."""
    has_network_ids: bool | None
    """True if later charges can name this one to the brand; None if that is unknown."""
    decline: Decline | None

    @classmethod
    def read(cls, wire: Wire | None) -> PaymentCard | None:
        if wire is None:
            return None
        return cls(
            brand=wire.optional_text("brand"),
            bin=wire.optional_text("bin"),
            last_four=wire.optional_text("last-four"),
            saved_card=wire.optional_text("saved-card"),
            interest_amount=wire.number("interest-amount"),
            acquirer=PaymentAcquirer.read(wire.optional_object("acquirer")),
            liability_shift=wire.optional_flag("liability-shift"),
            eci=wire.optional_text("eci"),
            has_network_ids=wire.optional_flag("has-network-ids"),
            decline=Decline.read(wire.optional_object("decline")),
        )


@dataclass(frozen=True, kw_only=True)
class BankPayment:
    """Money that arrived for a PIX or a boleto."""

    end_to_end_id: str
    amount: Decimal
    date_paid: datetime
    way: str
    """`pix`, `line` (a boleto's) or `elsewhere`."""
    purpose: str
    """`order`; `other-amount`, `second-payment` or `after-the-end` for a surplus."""
    surplus_status: str | None
    """Of a surplus: `PROCESSING`, `PROCESSED`, `REJECTED`, or `KEPT`; otherwise None."""

    @classmethod
    def read(cls, wire: Wire) -> BankPayment:
        return cls(
            end_to_end_id=wire.text("end-to-end-id"),
            amount=wire.number("amount"),
            date_paid=wire.date("date-paid"),
            way=wire.text("way"),
            purpose=wire.text("purpose"),
            surplus_status=wire.optional_text("surplus-status"),
        )


@dataclass(frozen=True, kw_only=True)
class BankCharge:
    """The bank's data of a PIX or a boleto."""

    account: PaymentAccount
    name: str
    """The txid of a PIX, or Cofre's name of a boleto."""
    our_number: str | None
    due_date: date | None
    date_issued: datetime | None
    payments: list[BankPayment]

    @classmethod
    def read(cls, wire: Wire | None) -> BankCharge | None:
        if wire is None:
            return None
        return cls(
            account=PaymentAccount.read(wire.object("account")),
            name=wire.text("name"),
            our_number=wire.optional_text("our-number"),
            due_date=wire.optional_day("due-date"),
            date_issued=wire.optional_date("date-issued"),
            payments=wire.elements("payments", BankPayment.read),
        )


@dataclass(frozen=True, kw_only=True)
class RefundSummary:
    """A refund in a list, or of a payment."""

    id: str
    transaction_code: str
    status: str
    """One of `RefundStatus`."""
    amount: Decimal
    charged_amount: Decimal
    """The refunded part of the charge, with its share of the interest."""
    reference: str | None
    origin: str
    """`store`, or `provider` for a refund that a bank or an acquirer began."""
    nature: str | None
    """The bank's reason for returning a PIX, such as `MED_FRAUDE`; None otherwise."""
    date_created: datetime
    date_ended: datetime | None
    metadata: dict[str, str]
    """The shop's own names and texts."""

    @classmethod
    def read(cls, wire: Wire) -> RefundSummary:
        return cls(
            id=wire.identifier("refund-id"),
            transaction_code=wire.identifier("transaction-code"),
            status=wire.text("status"),
            amount=wire.number("amount"),
            charged_amount=wire.number("charged-amount"),
            reference=wire.optional_text("reference"),
            origin=wire.text("origin"),
            nature=wire.optional_text("nature"),
            date_created=wire.date("date-created"),
            date_ended=wire.optional_date("date-ended"),
            metadata=wire.optional_texts("metadata"),
        )


@dataclass(frozen=True, kw_only=True)
class RefundPage:
    """A page of refunds."""

    refunds: list[RefundSummary]
    next_cursor: str | None
    """None on the last page. A page before it may be empty."""

    @classmethod
    def read(cls, body: Wire) -> RefundPage:
        return cls(
            refunds=body.elements("refunds", RefundSummary.read),
            next_cursor=body.nullable_text("next-cursor"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentNotification:
    """A notification of a payment to the shop."""

    status: str
    refund_id: str | None
    """The refund that changed; None if the payment itself did."""
    state: str
    """`waiting`, `waiting-for-search`, `held` or `done`."""
    attempts: int
    date_created: datetime
    date_last_attempt: datetime | None

    @classmethod
    def read(cls, wire: Wire) -> PaymentNotification:
        return cls(
            status=wire.text("status"),
            refund_id=wire.optional_text("refund-id"),
            state=wire.text("state"),
            attempts=wire.whole("attempts"),
            date_created=wire.date("date-created"),
            date_last_attempt=wire.optional_date("date-last-attempt"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentDispute:
    """A step of a dispute, as the acquirer reported it."""

    kind: str
    """`announced`, `charged-back`, `reversed` or `capture-failed`."""
    amount: Decimal | None
    reason: str | None
    """As the acquirer words it."""
    date: datetime

    @classmethod
    def read(cls, wire: Wire) -> PaymentDispute:
        return cls(
            kind=wire.text("kind"),
            amount=wire.optional_number("amount"),
            reason=wire.optional_text("reason"),
            date=wire.date("date"),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentSettlement:
    """A line of a payment in the settlement files. Amounts may be negative."""

    kind: str
    result: str
    installment: int | None
    gross: Decimal
    fee: Decimal
    net: Decimal
    date_paid_out: date

    @classmethod
    def read(cls, wire: Wire) -> PaymentSettlement:
        return cls(
            kind=wire.text("kind"),
            result=wire.text("result"),
            installment=wire.optional_whole("installment"),
            gross=wire.number("gross"),
            fee=wire.number("fee"),
            net=wire.number("net"),
            date_paid_out=wire.day("date-paid-out"),
        )


@dataclass(frozen=True, kw_only=True)
class Payment(PaymentSummary):
    """A payment with all that belongs to it."""

    payer: PaymentPayer | None
    """None if the payer's data was erased."""
    notification_url: str
    barcode_number: str | None
    """For a boleto, as are the four below: its bank's data so far."""
    digitable_line: str | None
    payment_url: str | None
    payment_code: str | None
    qrcode_image: str | None
    card: PaymentCard | None
    """None for another method."""
    bank_charge: BankCharge | None
    """None if no bank was asked."""
    refunds: list[RefundSummary]
    notifications: list[PaymentNotification]
    disputes: list[PaymentDispute]
    settlements: list[PaymentSettlement]

    @classmethod
    def read(cls, wire: Wire) -> Payment:
        return cls(
            **vars(PaymentSummary.read(wire)),
            payer=PaymentPayer.read(wire.optional_object("payer")),
            notification_url=wire.text("notification-url"),
            barcode_number=wire.optional_text("barcode-number"),
            digitable_line=wire.optional_text("digitable-line"),
            payment_url=wire.optional_text("payment-url"),
            payment_code=wire.optional_text("payment-code"),
            qrcode_image=wire.optional_text("qrcode-image"),
            card=PaymentCard.read(wire.optional_object("card")),
            bank_charge=BankCharge.read(wire.optional_object("bank-charge")),
            refunds=wire.elements("refunds", RefundSummary.read),
            notifications=wire.elements("notifications", PaymentNotification.read),
            disputes=wire.elements("disputes", PaymentDispute.read),
            settlements=wire.elements("settlements", PaymentSettlement.read),
        )

    @classmethod
    def read_one(cls, body: Wire) -> Payment:
        return cls.read(body.object("payment"))


@dataclass(frozen=True, kw_only=True)
class Capture:
    """The result of a capture."""

    result: str
    """`captured`, or `in-process` while the acquirer has not answered."""
    payment: PaymentSummary

    @classmethod
    def read(cls, body: Wire) -> Capture:
        return cls(
            result=body.text("capture"),
            payment=PaymentSummary.read(body.object("payment")),
        )


@dataclass(frozen=True, kw_only=True)
class Cancellation:
    """The result of a cancellation."""

    result: str
    """`cancelled`, `paid-meanwhile` if it was paid: it stays paid, or `in-process` while the acquirer has not answered."""
    payment: PaymentSummary

    @classmethod
    def read(cls, body: Wire) -> Cancellation:
        return cls(
            result=body.text("cancellation"),
            payment=PaymentSummary.read(body.object("payment")),
        )
