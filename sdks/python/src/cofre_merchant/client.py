"""The service's API; requests have a store's signature."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote

from ._arguments import (
    number_of,
    refuse_key_in,
    require,
    require_amount,
    require_choice,
    require_header_text,
    require_known,
    require_text,
)
from ._query import filters_of, pages_of, query_text, target_of, text_of
from .connection import Connection
from .error import MerchantError, read_errors
from .event_calls import EventCalls
from .payment import Cancellation, Capture, Payment, PaymentPage, PaymentSummary, RefundPage, RefundSummary
from .payment_query import PaymentQuery, PaymentSearch, RefundQuery
from .request import (
    _OMITTED,
    Amount,
    ChangeInterest,
    CreatePaymentLink,
    CreateRefund,
    CreateTransaction,
    PaymentLinkQuery,
    SearchQuery,
    Status,
    _Omitted,
    names_of,
    wire_of,
)
from .response import (
    Bin,
    CardLookup,
    CreatedTransaction,
    FoundTransaction,
    Installment,
    Interest,
    PaymentLink,
    PaymentLinkPage,
    SandboxTime,
    SearchPage,
)
from .saved_card import CheckedCard, SaveCard, SavedCard, SavedCardPage, SavedCardSearch

RefundOutcome = Literal["PROCESSED", "REJECTED"]

_NOT_FOUND = 404
# The service's own refusal of such a number.
_NOT_FOUND_ERRORS = {"errors": [{"code": 20614, "description": "transaction_not_found"}]}


class MerchantClient(EventCalls):
    """Retries requests if that is safe: a creation always has a reference and an idempotency key.

    Every method raises `MerchantError`; a creation with an unknown outcome raises `OutcomeUnknown`.
    """

    def __init__(self, connection: Connection) -> None:
        require("connection", connection, "a Connection", Connection)
        self._connection = connection

    def create_transaction(
        self, order: CreateTransaction | Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> CreatedTransaction:
        """Creates a transaction from a `CreateTransaction`, or a mapping in the API's form: `{"transaction": …}`.

        A repeated request with the same key within 24 hours returns the first response. None makes
        a key.
        """
        require("order", order, "a CreateTransaction or a mapping", CreateTransaction, Mapping)
        body = order.to_wire() if isinstance(order, CreateTransaction) else dict(wire_of(order))
        require('order["transaction"]', body.get("transaction"), "a mapping", Mapping)
        refuse_key_in("order", body)
        if "reference" in body:
            raise TypeError('order["reference"] is not known. It belongs into order["transaction"]')
        key, named = self._named('order["transaction"]', body["transaction"], idempotency_key)
        return self._connection.create(
            "/transactions",
            {**body, "transaction": named},
            CreatedTransaction.read,
            reference=named["reference"],
            key=key,
        )

    def find_transaction(self, code: str) -> FoundTransaction:
        """Raises `MerchantError` with status 404 and code 20614 if the transaction does not exist."""
        require_text("code", code)
        found = self._connection.get(f"/transactions/{quote(code, safe='')}", SearchPage.read)
        if not found.transactions:
            raise MerchantError("refused", _NOT_FOUND, read_errors(_NOT_FOUND_ERRORS))
        return found.transactions[0]

    def find_by_reference(self, reference: str) -> FoundTransaction | None:
        """Finds an order by the shop's reference."""
        require_text("reference", reference)
        found = self.search_transactions(SearchQuery(reference=reference)).transactions
        return found[0] if found else None

    def all_transactions(self, query: SearchQuery) -> Iterator[FoundTransaction]:
        """All results, page after page; each page is requested when needed.

        A transaction that changes meanwhile may move to another page: to follow changes, let your
        searches overlap.
        """
        require("query", query, "a SearchQuery", SearchQuery)
        page = query.page or 1
        while True:
            read = self.search_transactions(replace(query, page=page))
            yield from read.transactions
            page += 1
            if page > read.total_pages or not read.transactions:
                return

    def search_transactions(self, query: SearchQuery) -> SearchPage:
        """One page of a search."""
        require("query", query, "a SearchQuery", SearchQuery, Mapping)
        parameters = wire_of(query)
        require_known("query", names_of(SearchQuery), parameters)
        return self._connection.get(f"/transactions?{query_text(parameters)}", SearchPage.read)

    def create_refund(self, refund: CreateRefund | Mapping[str, Any], *, idempotency_key: str | None = None) -> str:
        """Starts a refund and returns its id; its outcome comes by notification."""
        require("refund", refund, "a CreateRefund or a mapping", CreateRefund, Mapping)
        body = wire_of(refund)
        refuse_key_in("refund", body)
        # A misspelt or unset amount would refund the whole payment.
        require_known("refund", names_of(CreateRefund), body)
        if "amount" in body:
            require_amount('refund["amount"]', body["amount"])
        key, named = self._named("refund", body, idempotency_key)
        return self._connection.create(
            "/refunds", named, lambda wire: wire.identifier("refund-id"), reference=named["reference"], key=key
        )

    def create_payment_link(
        self, link: CreatePaymentLink | Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> PaymentLink:
        """Creates a link whose `url` shoppers open to pay."""
        require("link", link, "a CreatePaymentLink or a mapping", CreatePaymentLink, Mapping)
        body = wire_of(link)
        refuse_key_in("link", body)
        # A link with a misspelt or unset end could be paid forever.
        require_known("link", names_of(CreatePaymentLink), body)
        if isinstance(body.get("expires-at"), datetime):
            body = {**body, "expires-at": text_of(body["expires-at"])}
        key, named = self._named("link", body, idempotency_key)
        return self._connection.create(
            "/payment-links", named, PaymentLink.read_one, reference=named["reference"], key=key
        )

    def find_payment_link(self, code: str) -> PaymentLink:
        """Finds a link with its tries. Raises `MerchantError` with status 404 if it does not exist."""
        require_text("code", code)
        return self._connection.get(f"/payment-links/{quote(code, safe='')}", PaymentLink.read_one)

    def list_payment_links(self, query: PaymentLinkQuery | None = None) -> PaymentLinkPage:
        """One page of the links, newest first."""
        asked = PaymentLinkQuery() if query is None else query
        require("query", asked, "a PaymentLinkQuery", PaymentLinkQuery, Mapping)
        parameters = wire_of(asked)
        require_known("query", names_of(PaymentLinkQuery), parameters)
        return self._connection.get(target_of("/payment-links", parameters), PaymentLinkPage.read)

    def all_payment_links(self, query: PaymentLinkQuery | None = None) -> Iterator[PaymentLink]:
        """All links, page after page; each page is requested when needed."""
        asked = PaymentLinkQuery() if query is None else query
        require("query", asked, "a PaymentLinkQuery", PaymentLinkQuery)
        page = asked.page or 1
        while True:
            read = self.list_payment_links(replace(asked, page=page))
            yield from read.payment_links
            page += 1
            if page > read.total_pages or not read.payment_links:
                return

    def revoke_payment_link(self, code: str, *, idempotency_key: str | None = None) -> PaymentLink:
        """Revokes a link permanently; a revoked link stays unchanged."""
        require_text("code", code)
        key = self._connection.key_of(idempotency_key)
        target = f"/payment-links/{quote(code, safe='')}/revocations"
        return self._connection.create(target, {}, PaymentLink.read_one, reference=code, key=key)

    def find_payment(self, code: str) -> Payment:
        """Finds a payment with its charge, refunds, notifications, disputes and settlement lines.

        Raises `MerchantError` with status 404 and code 20614 if it does not exist.
        """
        require_text("code", code)
        return self._connection.get(f"/payments/{quote(code, safe='')}", Payment.read_one, "v2")

    def list_payments(self, query: PaymentQuery | None = None) -> PaymentPage:
        """One page of the payments, newest first."""
        asked = PaymentQuery() if query is None else query
        target = target_of("/payments", filters_of("query", asked, PaymentQuery))
        return self._connection.get(target, PaymentPage.read, "v2")

    def all_payments(self, query: PaymentQuery | None = None) -> Iterator[PaymentSummary]:
        """All payments, page after page; each page is requested when needed."""
        asked = PaymentQuery() if query is None else query
        require("query", asked, "a PaymentQuery", PaymentQuery)
        for page in pages_of(asked, self.list_payments):
            yield from page.payments

    def search_payments(self, search: PaymentSearch) -> PaymentPage:
        """One page of a payer's payments. The payer is in the body: logs contain addresses."""
        filters = filters_of("search", search, PaymentSearch)
        body = {name: text_of(value) if isinstance(value, datetime) else value for name, value in filters.items()}
        return self._connection.search("/payments/searches", body, PaymentPage.read)

    def all_payments_of_payer(self, search: PaymentSearch) -> Iterator[PaymentSummary]:
        """All payments of a payer, page after page; each page is requested when needed."""
        require("search", search, "a PaymentSearch", PaymentSearch)
        for page in pages_of(search, self.search_payments):
            yield from page.payments

    def capture_payment(
        self, code: str, *, amount: Amount | _Omitted = _OMITTED, idempotency_key: str | None = None
    ) -> Capture:
        """Captures an AUTHORIZED payment once: all of it, or an amount without interest; the rest is released.

        Another call for the same amount returns the same. Raises `MerchantError` with code 90632 if it is not
        AUTHORIZED, 90633 if another capture or a cancellation came first, 90634 if the amount is too high, 90635 if its
        acquirer refuses. An amount of None is a TypeError: it would capture the whole payment.
        """
        require_text("code", code)
        body = {} if amount is _OMITTED else {"amount": number_of(amount)}
        key = self._connection.key_of(idempotency_key)
        target = f"/payments/{quote(code, safe='')}/capture"
        return self._connection.create(target, body, Capture.read, reference=code, key=key)

    def cancel_payment(self, code: str, *, idempotency_key: str | None = None) -> Cancellation:
        """Ends a payment that waits for its payer, at its bank first, or an AUTHORIZED one, at its acquirer.

        A paid one stays paid. Another call returns the same. Raises `MerchantError` with code 90601 if it ended unpaid,
        90006 if its bank has not answered, 90633 if a capture is in process, 90636 if its acquirer refuses.
        """
        require_text("code", code)
        key = self._connection.key_of(idempotency_key)
        target = f"/payments/{quote(code, safe='')}/cancellation"
        return self._connection.create(target, {}, Cancellation.read, reference=code, key=key)

    def save_card(self, card: SaveCard | Mapping[str, Any], *, idempotency_key: str | None = None) -> CheckedCard:
        """Saves a card without a charge, once its acquirer has approved it; the same token gets the same answer.

        Raises `MerchantError` with code 90606 if the store may not, 90607 after too many cards of the payer, 90608 if no
        acquirer can, 90609 if it gave no answer: then nothing is saved.
        """
        require("card", card, "a SaveCard or a mapping", SaveCard, Mapping)
        body = wire_of(card)
        require_known("card", names_of(SaveCard), body)
        key = self._connection.key_of(idempotency_key)
        return self._connection.create("/saved-cards", body, CheckedCard.read, reference="saved-card", key=key)

    def search_saved_cards(self, search: SavedCardSearch | Mapping[str, Any]) -> SavedCardPage:
        """One page of a payer's saved cards, newest first. The payer is in the body: logs contain addresses."""
        body = filters_of("search", search, SavedCardSearch)
        return self._connection.search("/saved-cards/searches", body, SavedCardPage.read)

    def all_saved_cards_of_payer(self, search: SavedCardSearch) -> Iterator[SavedCard]:
        """All saved cards of a payer, page after page; each page is requested when needed."""
        require("search", search, "a SavedCardSearch", SavedCardSearch)
        for page in pages_of(search, self.search_saved_cards):
            yield from page.saved_cards

    def find_saved_card(self, code: str) -> SavedCard:
        """Finds a saved card. Raises `MerchantError` with status 404 and code 90604 if it does not exist."""
        require_text("code", code)
        return self._connection.get(f"/saved-cards/{quote(code, safe='')}", SavedCard.read_one, "v2")

    def delete_saved_card(self, code: str) -> SavedCard:
        """Deletes a card for good, and returns it as it was.

        Raises `MerchantError` with status 404 and code 90604 if it does not exist, also if an earlier attempt deleted it
        whose answer was lost.
        """
        require_text("code", code)
        return self._connection.search(f"/saved-cards/{quote(code, safe='')}/deletion", {}, SavedCard.read_one)

    def list_refunds(self, query: RefundQuery | None = None) -> RefundPage:
        """One page of the refunds, newest first."""
        asked = RefundQuery() if query is None else query
        target = target_of("/refunds", filters_of("query", asked, RefundQuery))
        return self._connection.get(target, RefundPage.read, "v2")

    def all_refunds(self, query: RefundQuery | None = None) -> Iterator[RefundSummary]:
        """All refunds, page after page; each page is requested when needed."""
        asked = RefundQuery() if query is None else query
        require("query", asked, "a RefundQuery", RefundQuery)
        for page in pages_of(asked, self.list_refunds):
            yield from page.refunds

    def card_lookup(self, bin: str, amount: Amount) -> CardLookup:
        """Brand and installments of a card, by its first six to twelve digits."""
        return self._connection.get(f"/card?{_priced('bin', bin, amount)}", CardLookup.read)

    def bin_lookup(self, bin: str) -> Bin:
        """Brand and facts of a card, by its first six to twelve digits."""
        require_text("bin", bin)
        return self._connection.get(f"/card/bin/{quote(bin, safe='')}", Bin.read)

    def installments(self, brand: str, amount: Amount) -> list[Installment]:
        """Installments of an amount, by the brand that the bin lookup returns."""
        target = f"/card/installments?{_priced('brand', brand, amount)}"
        return self._connection.get(target, lambda wire: wire.elements("installments", Installment.read))

    def find_interest(self) -> Interest:
        """The price of the store's installments: the usual terms, and its own changes in order."""
        return self._connection.get("/interest", Interest.read_one)

    def change_interest(
        self, change: ChangeInterest | Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> Interest:
        """Takes effect at once, or at a given time; a price already shown stays valid for an hour."""
        require("change", change, "a ChangeInterest or a mapping", ChangeInterest, Mapping)
        body = wire_of(change)
        refuse_key_in("change", body)
        # With a misspelt or unset brand, the terms would apply to all brands; with such a time, at once.
        require_known("change", [*names_of(ChangeInterest), "from"], body)
        if "brand" in body:
            require_text('change["brand"]', body["brand"])
        if "begins-at" in body:
            body["from"] = text_of(body.pop("begins-at"))
        key = self._connection.key_of(idempotency_key)
        return self._connection.create(
            "/interest/changes", body, Interest.read_one, reference="interest", key=key
        )

    def _named(
        self, name: str, body: Mapping[str, Any], idempotency_key: str | None
    ) -> tuple[str, dict[str, Any]]:
        """The key, and the body with a reference; a missing reference is derived from the key."""
        key = self._connection.key_of(idempotency_key)
        if "reference" in body:
            require_text(f'{name}["reference"]', body["reference"])
        return key, {**body, "reference": body.get("reference", _reference_of_key(key))}


class SandboxClient:
    """Controls the sandbox in a shop's own tests. Every method raises `MerchantError`."""

    def __init__(self, connection: Connection) -> None:
        require("connection", connection, "a Connection", Connection)
        self._connection = connection

    def clock(self) -> SandboxTime:
        return self._connection.get("/sandbox/clock", SandboxTime.read)

    def advance_clock(self, seconds: int) -> SandboxTime:
        """Advances the whole sandbox's clock; everything due in between happens now."""
        require("seconds", seconds, "an int", int)
        return self._connection.control("/sandbox/clock/advance", {"seconds": seconds}, SandboxTime.read)

    def set_status(self, transaction_code: str, status: Status) -> str:
        """Reports a status of a transaction as the bank would, and notifies; the current status notifies again.

        Error 90202 if the transaction can't get this status next.
        """
        require_text("transaction_code", transaction_code)
        require_choice("status", Status, status)
        return self._report("transactions", transaction_code, status)

    def finish_refund(self, refund_id: str, outcome: RefundOutcome) -> str:
        """Ends a refund that is PROCESSING, and notifies."""
        require_text("refund_id", refund_id)
        require_choice("outcome", RefundOutcome, outcome)
        return self._report("refunds", refund_id, outcome)

    def _report(self, what: str, identifier: str, status: str) -> str:
        target = f"/sandbox/{what}/{quote(identifier, safe='')}/status"
        return self._connection.control(target, {"status": status}, lambda wire: wire.text("status"))


def _reference_of_key(idempotency_key: str) -> str:
    return hashlib.sha256(idempotency_key.encode()).hexdigest()[:32]


def _priced(name: str, value: str, amount: Amount) -> str:
    require_text(name, value)
    return query_text({name: value, "country": "BR", "amount": f"{number_of(amount):f}", "currency": "BRL"})
