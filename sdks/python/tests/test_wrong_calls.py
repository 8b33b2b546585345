"""A wrong call names the wrong argument before a request is sent; a lost one names the unreachable address."""

import os
import pathlib
import re
import socket
import unittest
import warnings
from datetime import date, datetime
from decimal import Decimal
from unittest import mock
from urllib.error import URLError

import cofre_merchant as cofre
from cofre_merchant.error import read_errors

SIGNED_IN = {"base_url": "https://api.shop.example", "store_id": "store-1", "secret": "a secret"}
SIGNED = {"headers": {}, "body": b"a=1", "secret": "a secret"}
SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3F2gVXvBd1s="
PAYER = cofre.Payer(name="Maria da Silva", email="maria@example.com", document=cofre.Document("CPF", "1"))
ITEM = cofre.CartItem(description="Café", unit_price="1.00", type="digital")
ORDER = {"notification_url": "https://shop.example/", "charge": cofre.Charge.pix("1.00"), "payer": PAYER}


class NoTransport:
    def send(self, request):
        raise AssertionError("a wrong call was sent")


CONNECTION = cofre.Connection(**SIGNED_IN, transport=NoTransport(), retry_budget_seconds=0)
CLIENT = cofre.MerchantClient(CONNECTION)
SANDBOX = cofre.SandboxClient(CONNECTION)


def connect(**wrong):
    return cofre.Connection(**{**SIGNED_IN, **wrong})


def order(**wrong):
    return cofre.CreateTransaction(**{**ORDER, "cart": [ITEM], **wrong})


def link(**wrong):
    made = {"amount": "1.00", "description": "a", "methods": ["pix"], "notification_url": "https://shop.example/"}
    return cofre.CreatePaymentLink(**{**made, **wrong})


def refund_of(**wrong):
    return CLIENT.create_refund({"transaction-id": "1", **wrong})


def order_with(**wrong):
    return CLIENT.create_transaction({"transaction": {}, **wrong})


def verify(**wrong):
    return cofre.verify_notification(**{**SIGNED, **wrong})


WRONG = [
    ("base_url must be a str, not None", lambda: connect(base_url=None)),
    ("store_id must be a str, not None", lambda: connect(store_id=None)),
    ("secret must be a str, not None", lambda: connect(secret=None)),
    ("secret must be a str, not an empty str", lambda: connect(secret="")),
    ("signature must be rfc9421 or specification, not None", lambda: connect(signature=None)),
    ("signed_origin must be a str, not int", lambda: connect(signed_origin=7)),
    ("vendor must be a str", lambda: connect(vendor=None)),
    ("language must be en, pt-BR, en-US, pt-PT, es-ES or tr-TR, not int", lambda: connect(language=7)),
    ("Connection.__init__() got an unexpected keyword argument 'timeout'", lambda: connect(timeout=30)),
    ("transport must be a Transport", lambda: connect(transport="urllib")),
    ("timeout_seconds must be a number from 0, not None", lambda: connect(timeout_seconds=None)),
    ("retry_budget_seconds must be a number from 0", lambda: connect(retry_budget_seconds=float("nan"))),
    (
        "secret() must be a str, not None",
        lambda: cofre.MerchantClient(connect(secret=lambda: None)).bin_lookup("411111"),
    ),
    ("connection must be a Connection, not None", lambda: cofre.MerchantClient(None)),
    ("connection must be a Connection, not dict", lambda: cofre.SandboxClient({})),
    ("amount must be a Decimal, an int,", lambda: cofre.Charge.pix(42.5)),
    ("amount must be a Decimal, an int,", lambda: cofre.Charge.boleto(None)),
    ("wallet must be a str", lambda: cofre.Charge.wallet("1.00", None)),
    ("card must be a Card, such as Card.token(…)", lambda: cofre.Charge.card("1.00", None)),
    ("card must be a Card", lambda: cofre.Charge.card("1.00", "eyJhbGciOiJFQ0RI")),
    (
        "three_d_secure must be a ThreeDSecure",
        lambda: cofre.Charge.card("1.00", cofre.Card.saved("A"), three_d_secure="05"),
    ),
    ("token must be a str, not None", lambda: cofre.Card.token(None)),
    ("code must be a str, not None", lambda: cofre.Card.saved(None)),
    ("security_code_token must be a str, not int", lambda: cofre.Card.saved("A", security_code_token=737)),
    ("cvv must be a str, not int", lambda: cofre.Card.raw(number="4", cvv=123, expiration_date="2030-12")),
    ("source must be a mapping", lambda: cofre.Card(None)),
    ("unit_price must be a Decimal", lambda: cofre.CartItem(description="a", unit_price=1.5, type="digital")),
    ("cost must be a Decimal", lambda: cofre.Shipping(cost=None, address=None)),
    ("amount must be a Decimal", lambda: cofre.CreateRefund(transaction_id="1", notify_url="", amount=1.5)),
    # None must not mean: the whole amount, every brand, at once or forever.
    ("amount must be a Decimal, an int,", lambda: cofre.CreateRefund(transaction_id="1", amount=None)),
    ("brand must be a str, not None", lambda: cofre.ChangeInterest(usual=True, brand=None)),
    ("begins_at must be a datetime, not None", lambda: cofre.ChangeInterest(usual=True, begins_at=None)),
    ("interest_free must be an int, not None", lambda: cofre.ChangeInterest(interest_free=None)),
    ("monthly_rate_percent must be a Decimal,", lambda: cofre.ChangeInterest(monthly_rate_percent=2.49)),
    ("expires_at must be a datetime, not None", lambda: link(expires_at=None)),
    ("installments must be an int, not None", lambda: link(installments=None)),
    ("charge must be a Charge", lambda: order(charge=None)),
    ("charge must be a Charge, such as Charge.pix(…), not list", lambda: order(charge=[cofre.Charge.pix(1)])),
    ("payer must be a Payer", lambda: order(payer=None)),
    ("cart must be a list of CartItem, not CartItem", lambda: order(cart=ITEM)),
    ("cart must be a list of CartItem, not None", lambda: order(cart=[None])),
    ("shipping must be a Shipping", lambda: order(shipping="5.00")),
    ("order must be a CreateTransaction or a mapping, not None", lambda: CLIENT.create_transaction(None)),
    ('order["transaction"] must be a mapping, not None', lambda: CLIENT.create_transaction({})),
    ("idempotency_key must be a str, not int", lambda: CLIENT.create_transaction(order(), idempotency_key=7)),
    (
        "payer.birth-date must be of a type that JSON has, not date",
        lambda: CLIENT.create_transaction(
            order(payer=cofre.Payer(name="", email="", document=None, birth_date=date(1990, 1, 31)))
        ),
    ),
    # JSON can't contain this number.
    *[
        ("charge[].amount must be a finite number", lambda amount=amount: order_with(charge=[{"amount": amount}]))
        for amount in (float("nan"), float("inf"), *map(Decimal, ("NaN", "sNaN", "-Infinity", "1E+999999")))
    ],
    ('refund["amount"] must be a number above 0, not nan', lambda: refund_of(amount=Decimal("sNaN"))),
    ('refund["amount"] must be a number above 0, not inf', lambda: refund_of(amount=Decimal("Infinity"))),
    ('refund["amount"] must be a number above 0, not inf', lambda: refund_of(amount=10**400)),
    ("refund must be a CreateRefund or a mapping, not str", lambda: CLIENT.create_refund("59557135709791")),
    # Without an amount, the whole payment would be refunded.
    ('refund["amount"] must be a number above 0, not nan', lambda: refund_of(amount=float("nan"))),
    ('refund["amount"] must be a number above 0, not inf', lambda: refund_of(amount=float("inf"))),
    ('refund["amount"] must not be None: leave it out', lambda: refund_of(amount=None)),
    ('refund["notify-url"] must not be None', lambda: refund_of(**{"notify-url": None})),
    ('refund["test-mode"] must not be None', lambda: refund_of(**{"test-mode": None})),
    ('refund["amount"] must be a number above 0, not an empty str', lambda: refund_of(amount="")),
    ('refund["amount"] must be a number above 0, not bool', lambda: refund_of(amount=True)),
    ('refund["amount"] must be a number above 0, not 0 or less', lambda: refund_of(amount=0)),
    ('refund["ammount"] is not known. Known are transaction-id,', lambda: refund_of(ammount=10)),
    ('refund["reference"] must be a str, not int', lambda: refund_of(reference=7)),
    ('refund["idempotency_key"] is not known. It is the argument', lambda: refund_of(idempotency_key="key")),
    # With a new key, a retry would pay again.
    ('order["idempotency_key"] is not known. It is the argument', lambda: order_with(idempotency_key="key")),
    ('order["idempotency-key"] is not known', lambda: order_with(**{"idempotency-key": "key"})),
    (
        'order["transaction"]["idempotencyKey"] is not known. It is the argument',
        lambda: order_with(transaction={"idempotencyKey": "key"}),
    ),
    (
        'order["charge"][1]["Idempotency-Key"] is not known',
        lambda: order_with(charge=[{}, {"Idempotency-Key": "key"}]),
    ),
    (
        'order["charge"][0]["payment-info"]["idempotency_key"] is not known',
        lambda: order_with(charge=({"payment-info": {"idempotency_key": "key"}},)),
    ),
    (
        'order["charge"][0]["payment-info"]["idempotency-key"] is not known',
        lambda: CLIENT.create_transaction(
            order(charge=cofre.Charge.card("1.00", cofre.Card({"idempotency-key": "key"})))
        ),
    ),
    (
        'link["methods"][0]["IDEMPOTENCY_KEY"] is not known',
        lambda: CLIENT.create_payment_link({"methods": [{"IDEMPOTENCY_KEY": "key"}]}),
    ),
    ('order["reference"] is not known. It belongs into order["transaction"]', lambda: order_with(reference="a")),
    (
        'order["transaction"]["reference"] must be a str, not None',
        lambda: order_with(transaction={"reference": None}),
    ),
    ('refund["reference"] must not be None', lambda: refund_of(reference=None)),
    ('link["idempotencyKey"] is not known', lambda: CLIENT.create_payment_link({"idempotencyKey": "key"})),
    # Without an end, it could be paid forever.
    ('link["expires-at"] must not be None', lambda: CLIENT.create_payment_link({"expires-at": None})),
    ('link["expire-at"] is not known. Known are amount,', lambda: CLIENT.create_payment_link({"expire-at": "2027"})),
    ('link["reference"] must be a str, not int', lambda: CLIENT.create_payment_link({"reference": 7})),
    # Without a brand, all brands would get these terms.
    ('change["brand"] must not be None', lambda: CLIENT.change_interest({"brand": None, "usual": True})),
    ('change["brand"] must be a str, not int', lambda: CLIENT.change_interest({"brand": 7, "usual": True})),
    ('change["begins-at"] must not be None', lambda: CLIENT.change_interest({"usual": True, "begins-at": None})),
    ('change["from"] must not be None', lambda: CLIENT.change_interest({"usual": True, "from": None})),
    ('change["interest-free"] must not be None', lambda: CLIENT.change_interest({"interest-free": None})),
    ('change["brnad"] is not known', lambda: CLIENT.change_interest({"brnad": "visa", "usual": True})),
    ('change["idempotency_key"] is not known', lambda: CLIENT.change_interest({"idempotency_key": "key"})),
    ("change must be a ChangeInterest or a mapping, not float", lambda: CLIENT.change_interest(2.49)),
    ("code must be a str, not None", lambda: CLIENT.find_transaction(None)),
    ("reference must be a str, not an empty str", lambda: CLIENT.find_by_reference("")),
    ("query must be a SearchQuery", lambda: CLIENT.search_transactions(None)),
    # The search would be for the text "None".
    ('query["reference"] must not be None', lambda: CLIENT.search_transactions({"reference": None})),
    ('query["refernce"] is not known', lambda: CLIENT.search_transactions({"refernce": "order-1"})),
    ('query["status"] must not be None', lambda: CLIENT.list_payment_links({"status": None})),
    ('query["statsu"] is not known. Known are reference,', lambda: CLIENT.list_payment_links({"statsu": "PAID"})),
    ("query must be a SearchQuery", lambda: next(CLIENT.all_transactions({}))),
    ("link must be a CreatePaymentLink or", lambda: CLIENT.create_payment_link(None)),
    ("code must be a str", lambda: CLIENT.find_payment_link(None)),
    ("query must be a PaymentLinkQuery", lambda: CLIENT.list_payment_links("PAYABLE")),
    ("query must be a PaymentLinkQuery", lambda: next(CLIENT.all_payment_links({}))),
    ("code must be a str", lambda: CLIENT.revoke_payment_link(None)),
    ("idempotency_key must be a str", lambda: CLIENT.revoke_payment_link("A", idempotency_key="")),
    ("code must be a str, not None", lambda: CLIENT.find_payment(None)),
    ("code must be a str, not int", lambda: CLIENT.capture_payment(7)),
    # The whole payment would be captured.
    ("amount must be a Decimal", lambda: CLIENT.capture_payment("1", amount=None)),
    ("capture must be a bool, not None", lambda: cofre.Charge.card(1, cofre.Card.saved("A"), capture=None)),
    ("code must be a str, not int", lambda: CLIENT.cancel_payment(7)),
    ("idempotency_key must be a str", lambda: CLIENT.cancel_payment("1", idempotency_key="")),
    ("card must be a SaveCard or a mapping", lambda: CLIENT.save_card(None)),
    ('card["tokn"] is not known', lambda: CLIENT.save_card({"tokn": "x"})),
    ("search must be a SavedCardSearch", lambda: CLIENT.search_saved_cards(None)),
    ("payer_email must be a str", lambda: cofre.SavedCardSearch(payer_email=None)),
    ("code must be a str", lambda: CLIENT.find_saved_card(None)),
    ("code must be a str", lambda: CLIENT.delete_saved_card(None)),
    ("query must be an EventQuery", lambda: CLIENT.list_events("link.paid")),
    ('query["kind"] is not known', lambda: CLIENT.list_events({"kind": "link.paid"})),
    ("code must be a str", lambda: CLIENT.find_event("")),
    ("endpoint must be a str, not an empty str", lambda: CLIENT.send_event("evt_1_1", "")),
    ("url must be a str", lambda: cofre.CreateEventEndpoint(url="")),
    ("types must be a list of types, not None", lambda: cofre.CreateEventEndpoint(url="https://a/", types=None)),
    ("types must be a list of types, not str", lambda: cofre.ChangeEventEndpoint(types="link.paid")),
    ("enabled must be a bool, not None", lambda: cofre.ChangeEventEndpoint(enabled=None)),
    ("url must be a str, not None", lambda: cofre.ChangeEventEndpoint(url=None)),
    ('endpoint["url"] must be a str', lambda: CLIENT.create_event_endpoint({"types": ["link.paid"]})),
    ('endpoint["type"] is not known', lambda: CLIENT.create_event_endpoint({"url": "https://a/", "type": []})),
    ('change["types"] must not be None', lambda: CLIENT.change_event_endpoint("ep_1", {"types": None})),
    ("code must be a str", lambda: CLIENT.find_event_endpoint(None)),
    ("code must be a str", lambda: CLIENT.delete_event_endpoint("")),
    ("idempotency_key must be a str", lambda: CLIENT.rotate_event_endpoint_secret("ep_1", idempotency_key="")),
    ("secret must be a str", lambda: cofre.verify_event({}, b"", None)),
    ("tolerance_seconds must be", lambda: cofre.verify_event({}, b"", SECRET, tolerance_seconds=float("nan"))),
    # With a misspelt or unset filter, the list would have everything.
    ('query["statsu"] is not known. Known are status,', lambda: CLIENT.list_payments({"statsu": "COMPLETE"})),
    ('query["status"] must not be None', lambda: CLIENT.list_payments({"status": None})),
    ('query["amount"] must be a number above 0', lambda: CLIENT.list_payments({"amount": float("nan")})),
    ("amount must be a Decimal, an int,", lambda: cofre.PaymentQuery(amount=42.5)),
    ("query must be a PaymentQuery", lambda: CLIENT.list_payments("COMPLETE")),
    ("query must be a PaymentQuery", lambda: next(CLIENT.all_payments({}))),
    ("search must be a PaymentSearch, not None", lambda: CLIENT.search_payments(None)),
    ("search must be a PaymentSearch, not PaymentQuery", lambda: CLIENT.search_payments(cofre.PaymentQuery())),
    ('search["payer-email"] must not be None', lambda: CLIENT.search_payments({"payer-email": None})),
    ('search["email"] is not known', lambda: CLIENT.search_payments({"email": "maria@example.com"})),
    ("search must be a PaymentSearch", lambda: next(CLIENT.all_payments_of_payer({}))),
    ("query must be a RefundQuery", lambda: CLIENT.list_refunds(cofre.PaymentQuery())),
    ("query must be a RefundQuery", lambda: next(CLIENT.all_refunds({}))),
    ("bin must be a str, not int", lambda: CLIENT.card_lookup(411111, "1.00")),
    ("bin must be a str", lambda: CLIENT.bin_lookup(None)),
    ("brand must be a str", lambda: CLIENT.installments(None, "1.00")),
    ("seconds must be an int", lambda: SANDBOX.advance_clock("60")),
    ("transaction_code must be a str", lambda: SANDBOX.set_status(None, "COMPLETE")),
    ("status must be PENDING,", lambda: SANDBOX.set_status("1", None)),
    ("refund_id must be a str", lambda: SANDBOX.finish_refund(None, "PROCESSED")),
    ("outcome must be PROCESSED or REJECTED, not None", lambda: SANDBOX.finish_refund("1", None)),
    ("secret must be a str, not None", lambda: verify(secret=None)),
    ("headers must be a mapping or pairs, as received, not None", lambda: verify(headers=None)),
    # With a NaN, a notification of any time would be valid.
    ("tolerance_seconds must be a number", lambda: verify(tolerance_seconds=float("nan"))),
    ("now must be a number from 0, not date", lambda: verify(now=date(2026, 1, 1))),
    ("the body is not the bytes as received", lambda: cofre.parse_notification("application/json", "{}")),
]

# The type is right, but the value is not allowed or can't be in a header.
WRONG_VALUES = [
    ("payer.name must have whole characters", lambda: order_with(payer={"name": "\udc00"})),
    ("amount must be written 42.50", lambda: cofre.Charge.pix(Decimal("sNaN"))),
    ("amount must be written 42.50", lambda: cofre.Charge.pix(Decimal("1E+999999999"))),
    ("amount must be written 42.50", lambda: cofre.Charge.pix(Decimal("1E-999999999"))),
    ("store_id must be visible ASCII characters without spaces", lambda: connect(store_id="store-1\n")),
    ("store_id must be visible ASCII", lambda: connect(store_id="loja-é")),
    ("vendor must be visible ASCII", lambda: connect(vendor="cofre\r\nX: 1")),
    (
        "idempotency_key must be visible ASCII",
        lambda: CLIENT.create_transaction(order(), idempotency_key="key\n"),
    ),
    ("idempotency_key must be visible ASCII", lambda: CLIENT.create_refund({}, idempotency_key="заказ")),
    ("idempotency_key must be visible ASCII", lambda: CLIENT.create_payment_link(link(), idempotency_key="a b")),
    ("idempotency_key must be visible ASCII", lambda: CLIENT.change_interest({}, idempotency_key="key\r")),
    ("idempotency_key must be visible ASCII", lambda: CLIENT.revoke_payment_link("A", idempotency_key="\0")),
    ("signature must be rfc9421 or specification", lambda: connect(signature="hmac")),
    ("language must be en, pt-BR, en-US, pt-PT, es-ES or tr-TR", lambda: connect(language="fr")),
    ("language must be pt-BR, en-US, es-ES, pt-PT or tr-TR", lambda: order(language="en")),
    ("type must be CPF or CNPJ", lambda: cofre.Document("RG", "1")),
    ("type must be digital, physical,", lambda: cofre.CartItem(description="a", unit_price=1, type="book")),
    ("test_mode must be 0 or 1", lambda: cofre.CreateRefund(transaction_id="1", notify_url="", test_mode=2)),
    ("status must be PENDING,", lambda: cofre.SearchQuery(status="PAID")),
    ("status must be PAYABLE, PAID,", lambda: cofre.PaymentLinkQuery(status="COMPLETE")),
    ("status must be PENDING,", lambda: cofre.PaymentSearch(status="PAID")),
    ("method must be credit-card, pix,", lambda: cofre.PaymentQuery(method="card")),
    ("status must be PROCESSING,", lambda: cofre.RefundQuery(status="COMPLETE")),
    ("type must be payment.under-review,", lambda: cofre.EventQuery(type="payment.paid")),
    ("types must be payment.under-review,", lambda: cofre.ChangeEventEndpoint(types=["payment.paid"])),
    ("a date must have a time zone", lambda: CLIENT.list_refunds(cofre.RefundQuery(created_from=datetime(2026, 8, 1)))),
    (
        "a date must have a time zone",
        lambda: CLIENT.search_payments(cofre.PaymentSearch(created_until=datetime(2026, 8, 1))),
    ),
    ("usage must be once or many", lambda: link(usage="twice")),
    ("language must be pt-BR,", lambda: link(language="fr")),
    ("status must be PENDING,", lambda: SANDBOX.set_status("1", "PAID")),
    ("outcome must be PROCESSED or REJECTED", lambda: SANDBOX.finish_refund("1", "DONE")),
]


class WrongCalls(unittest.TestCase):
    def test_name_what_an_argument_allows(self):
        for begins, call in WRONG_VALUES:
            with self.subTest(begins):
                with self.assertRaises(ValueError) as raised:
                    call()
                self.assertEqual(str(raised.exception)[: len(begins)], begins)

    def test_name_the_argument(self):
        for begins, call in WRONG:
            with self.subTest(begins):
                with self.assertRaises(TypeError) as raised:
                    call()
                self.assertEqual(str(raised.exception)[: len(begins)], begins)

    def test_an_amount_in_another_form_is_named(self):
        with self.assertRaisesRegex(ValueError, "unit_price must be written 42.50"):
            cofre.CartItem(description="a", unit_price="42,50", type="digital")
        self.assertEqual(cofre.Charge.pix(Decimal("42.50")).amount, Decimal("42.50"))


class Refusals(unittest.TestCase):
    FIRST = {"code": 1, "description": "key", "message": "Not this. Send that."}

    def test_one_sentence_follows_another_with_its_own_full_stop(self):
        errors = read_errors({"errors": [self.FIRST, {"code": 2, "description": "key"}]})
        refused = cofre.MerchantError("refused", 400, errors)
        self.assertEqual(str(refused), "the service answered 400, 1 key: Not this. Send that. 2 key")

    def test_the_outcome_is_said_first_to_be_unknown(self):
        unknown = cofre.OutcomeUnknown("order-1", "key", cofre.MerchantError("refused", 500, read_errors({"errors": [self.FIRST]})))
        self.assertEqual(
            str(unknown), "the service answered 500: the outcome is unknown, 1 key: Not this. Send that."
        )


class Answers(unittest.TestCase):
    @staticmethod
    def answering(**answer):
        class Answering:
            def send(self, request):
                return cofre.HttpResponse(**{"status": 200, "headers": {}, "body": b"{}", **answer})

        connection = cofre.Connection(**SIGNED_IN, transport=Answering(), retry_budget_seconds=0)
        return cofre.MerchantClient(connection)

    def test_what_is_no_answer_of_the_api_names_the_address(self):
        with self.assertRaises(cofre.MerchantError) as raised:
            self.answering(status=421, body=b"Misdirected").find_transaction("1")
        self.assertEqual(
            str(raised.exception),
            "https://api.shop.example answered 421, and that is no answer of Cofre's API: is the address right?",
        )

    def test_an_answer_that_cannot_be_read_names_the_address_whatever_its_status(self):
        for body in (b"<!doctype html>", b'{"name":"another service"}'):
            with self.subTest(body), self.assertRaises(cofre.MerchantError) as raised:
                self.answering(body=body).find_transaction("1")
            self.assertEqual(
                str(raised.exception),
                "https://api.shop.example answered 200, and that is no answer of Cofre's API: is the address right?",
            )
            self.assertEqual(raised.exception.reason, "broken-answer")

    def test_a_creation_in_doubt_names_the_address_too(self):
        with self.assertRaises(cofre.OutcomeUnknown) as raised:
            self.answering(status=201).create_transaction(order())
        self.assertRegex(str(raised.exception), r"^https://api\.shop\.example answered 201, .*: the outcome is unknown$")
        with self.assertRaises(cofre.OutcomeUnknown) as raised:
            self.answering(status=502).create_transaction(order())
        self.assertRegex(str(raised.exception), r"^https://api\.shop\.example answered 502, .*: the outcome is unknown$")

    def test_the_readme_ends_the_notification_of_another_environment_and_no_other(self):
        page = (pathlib.Path(__file__).parent.parent / "README.md").read_text("utf-8")
        [receive] = re.findall(r"^```python\n(import logging\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
        unknown = b'{"errors":[{"code":20614,"description":"transaction_not_found"}]}'
        none = b'{"metadata":{"found":0,"current-page":1,"total-pages":0},"transaction-result":{"transactions":[]}}'
        answers = (
            ({"status": 404, "body": unknown}, 200),
            ({"status": 200, "body": none}, 200),
            # Another server's response: the URL is wrong, and no notification may be lost.
            ({"status": 404, "body": b"Not Found"}, 500),
        )
        for answer, expected in answers:
            given = {"os": os, "cofre": self.answering(**answer)}
            exec(receive, given)
            notified = mock.Mock(transaction_code="1")
            given["verify_notification"] = lambda *_: notified
            with self.subTest(answer), mock.patch.dict(os.environ, COFRE_SECRET="s"), mock.patch("logging.error"):
                self.assertEqual(given["receive"]({}, b""), expected)

    def test_a_warning_that_is_raised_loses_no_answer(self):
        answer = self.answering(status=201, headers={"cofre-unknown-fields": "foo"}, body=b'{"refund-id":"7"}')
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(answer.create_refund(cofre.CreateRefund(transaction_id="1")), "7")

    def test_unknown_fields_are_warned_of(self):
        headers = {"cofre-unknown-fields": "transaction.foo, charge[0].description"}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with self.assertRaises(cofre.MerchantError):
                self.answering(headers=headers).find_payment_link("1")
        self.assertEqual(
            [str(warning.message) for warning in caught],
            [f"the service does not know the field {name}" for name in ("transaction.foo", "charge[0].description")],
        )
        self.assertEqual([warning.filename for warning in caught], [__file__, __file__])


class LostCalls(unittest.TestCase):
    def setUp(self):
        connection = cofre.Connection(**{**SIGNED_IN, "base_url": "http://127.0.0.1:1"}, retry_budget_seconds=0)
        self.cofre = cofre.MerchantClient(connection)

    def test_a_lookup_names_origin_and_cause(self):
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.find_transaction("1")
        self.assertEqual(str(raised.exception), "no answer from http://127.0.0.1:1 (network, ECONNREFUSED)")

    def test_a_creation_says_that_its_outcome_is_unknown(self):
        with self.assertRaises(cofre.OutcomeUnknown) as raised:
            self.cofre.create_transaction(order())
        self.assertEqual(
            str(raised.exception),
            "no answer from http://127.0.0.1:1 (network, ECONNREFUSED): the outcome is unknown",
        )

    def test_a_host_that_is_not_found_is_called_so(self):
        class NoNames:
            def send(self, request):
                raise cofre.TransportFailure() from URLError(socket.gaierror(-2, "Name or service not known"))

        connection = cofre.Connection(**SIGNED_IN, transport=NoNames(), retry_budget_seconds=0)
        with self.assertRaisesRegex(cofre.MerchantError, r"https://api\.shop\.example \(network, ENOTFOUND\)"):
            cofre.MerchantClient(connection).find_transaction("1")


if __name__ == "__main__":
    unittest.main()
