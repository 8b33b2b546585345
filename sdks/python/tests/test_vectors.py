"""Tests the common behaviour of all SDKs, defined in vectors.json."""

import json
import os
import pickle
import unittest
from dataclasses import asdict
from datetime import date, datetime, timezone
from decimal import Decimal

import cofre_merchant as cofre
from cofre_merchant.error import read_errors
from cofre_merchant.signature import SignedParts, authorization, message_signature

_FOLDER = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_FOLDER, "..", "..", "vectors.json"), encoding="utf-8") as file:
    VECTORS = json.load(file)

SECRET = "segredo-çã-0123"


class ScriptedTransport:
    """Returns a script's responses, and records the requests."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.requests = []

    def send(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if answer.get("failure") == "own":
            raise LookupError("of its own")
        if "failure" in answer:
            raise cofre.TransportFailure(is_time_out=answer["failure"] == "time-out")
        return cofre.HttpResponse(
            status=answer["status"], headers=answer.get("headers", {}), body=answer["body"].encode()
        )


class ScriptedMachine(cofre.Machine):
    """Sleeping advances its clock; its random number is 0, its nonces are counted."""

    def __init__(self):
        self.waits = []
        self.drawn = 0

    def now(self):
        return 1790000000.5

    def elapsed_seconds(self):
        return sum(self.waits)

    def sleep(self, seconds):
        self.waits.append(seconds)

    def random_bytes(self, count):
        self.drawn += 1
        return bytes(1) if count == 1 else self.drawn.to_bytes(count, "big")


def connection_of(answers, **options):
    transport, machine = ScriptedTransport(answers), ScriptedMachine()
    given = {"base_url": "https://api.shop.example", "store_id": "store-1", "secret": SECRET}
    connection = cofre.Connection(**{**given, "transport": transport, "machine": machine, **options})
    return connection, transport, machine


def outcome_of(client, order):
    try:
        return {"created": client.create_transaction(order).code}
    except cofre.OutcomeUnknown as unknown:
        assert unknown.reference == "order-1"
        cause = {"cause": unknown.__cause__.args[0]} if isinstance(unknown.__cause__, LookupError) else {}
        return {"unknown": {"reason": unknown.reason, "status": unknown.status, **cause}}
    except cofre.MerchantError as error:
        return {"refused": {"status": error.status, "code": error.code}}
    except LookupError as thrown:
        return {"thrown": str(thrown.args[0])}


def lower(headers):
    return {name.lower(): value for name, value in headers.items()}


class Vectors(unittest.TestCase):
    maxDiff = None

    def test_base_urls_are_origins(self):
        for given, origin in VECTORS["origins"]["accepted"]:
            connection, transport, _ = connection_of([{"status": 404, "body": ""}], base_url=given)
            with self.subTest(given), self.assertRaises(cofre.MerchantError):
                cofre.MerchantClient(connection).find_transaction("1")
            self.assertEqual(transport.requests[0].uri, f"{origin}/transactions/1")
        for given in VECTORS["origins"]["refused"]:
            with self.subTest(given), self.assertRaises(ValueError):
                connection_of([], base_url=given)

    def test_requests_are_signed_by_the_specification(self):
        for vector in VECTORS["requestSignatures"]:
            with self.subTest(vector["name"]):
                body = None if vector["body"] is None else vector["body"].encode()
                signed = authorization(vector["storeId"], vector["secret"], vector["target"], body)
                self.assertEqual(signed, vector["authorization"])

    def test_requests_are_signed_by_rfc_9421(self):
        for vector in VECTORS["messageSignatures"]:
            with self.subTest(vector["name"]):
                parts = SignedParts(
                    method=vector["method"],
                    uri=vector["uri"],
                    body=None if vector["body"] is None else vector["body"].encode(),
                    idempotency_key=vector["idempotencyKey"],
                    created=vector["created"],
                    nonce=vector["nonce"],
                )
                headers = message_signature(vector["storeId"], vector["secret"], parts)
                self.assertEqual(lower(headers), vector["headers"])

    def test_notifications_are_verified(self):
        for vector in VECTORS["notifications"]:
            with self.subTest(vector["name"]):
                options = {"now": vector["now"]}
                if "toleranceSeconds" in vector:
                    options["tolerance_seconds"] = vector["toleranceSeconds"]
                body = vector["body"].encode()
                expected = vector["notification"] and cofre.Notification(
                    transaction_code=vector["notification"]["transactionCode"],
                    refund_id=vector["notification"].get("refundId"),
                    refund_nature=vector["notification"].get("refundNature"),
                )
                title = {name.title(): value for name, value in vector["headers"].items()}
                wsgi = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in vector["headers"].items()}
                lists = {name: [value] for name, value in title.items()}
                asgi = [(name.encode(), value.encode()) for name, value in vector["headers"].items()]
                for headers in (vector["headers"], title, wsgi, lists, asgi):
                    self.assertEqual(cofre.verify_notification(headers, body, vector["secret"], **options), expected)

    def test_a_stranger_s_headers_raise_nothing(self):
        now, half = 1_790_000_000, "\udc80"
        signed = {"webhook-id": "1", "webhook-timestamp": str(now), "webhook-signature": "v1,x"}
        for name in signed:
            headers = {**signed, name: signed[name] + half}
            self.assertIsNone(cofre.verify_notification(headers, b"", "a secret", now=now))
        for headers in ({1: 2}, {"webhook-id": b"\xff"}, [("webhook-id", None)]):
            self.assertIsNone(cofre.verify_notification(headers, b"", "a secret", now=now))

    def test_an_empty_secret_verifies_nothing(self):
        with self.assertRaises(ValueError):
            cofre.verify_notification({}, b"", "")

    def test_a_parsed_body_is_an_error_and_not_forged(self):
        for body in ({"transaction-code": "1"}, "transaction-code=1", None):
            with self.subTest(body=body), self.assertRaisesRegex(TypeError, "as received"):
                cofre.verify_notification({}, body, "a secret")

    def test_errors_of_any_shape_are_read(self):
        for vector in VECTORS["errors"]:
            with self.subTest(vector["name"]):
                answer = {"status": vector["status"], "body": vector["body"]}
                connection, _, _ = connection_of([answer], retry_budget_seconds=0)
                with self.assertRaises(cofre.MerchantError) as raised:
                    cofre.MerchantClient(connection).find_transaction("1")
                error = raised.exception
                self.assertEqual(error.status, vector["status"])
                read = [
                    {name: value for name, value in asdict(detail).items() if value not in (None, [])}
                    for detail in error.errors
                ]
                self.assertEqual(json.loads(json.dumps(read, default=float)), vector["errors"])
                first = vector["errors"][0] if vector["errors"] else {}
                self.assertEqual((error.code, error.property), (first.get("code"), first.get("property")))

    def test_creations_are_repeated_until_their_outcome_is_known(self):
        for vector in VECTORS["exchanges"]:
            with self.subTest(vector["name"]):
                budget = vector["retryBudgetSeconds"]

                def secret():
                    if transport.answers[0].get("failure") == "secret":
                        raise LookupError("no secret")
                    return SECRET

                connection, transport, machine = connection_of(
                    vector["answers"], retry_budget_seconds=budget, secret=secret
                )
                client = cofre.MerchantClient(connection)
                self.assertEqual(outcome_of(client, VECTORS["order"]), vector["outcome"])
                self.assertEqual(machine.waits, vector["waits"])
                sent = [lower(request.headers) for request in transport.requests]
                answered = [answer for answer in vector["answers"] if answer.get("failure") != "secret"]
                self.assertEqual(len(sent), len(answered))
                self.assertEqual(len({headers["idempotency-key"] for headers in sent}), min(1, len(sent)))
                self.assertEqual(len({request.body for request in transport.requests}), min(1, len(sent)))
                self.assertEqual(len({headers["signature-input"] for headers in sent}), len(sent))

    def test_a_search_yields_page_after_page(self):
        for vector in VECTORS["pages"]:
            with self.subTest(vector["name"]):
                answers = [{"status": 200, "body": json.dumps(body)} for body in vector["bodies"]]
                connection, transport, _ = connection_of(answers)
                found = list(cofre.MerchantClient(connection).all_transactions(cofre.SearchQuery(status="COMPLETE")))
                self.assertEqual([transaction.code for transaction in found], vector["codes"])
                self.assertEqual([transaction.digitable_line for transaction in found], vector["lines"])
                pages = [f"page={page + 1}" for page in range(len(answers))]
                for request, page in zip(transport.requests, pages, strict=True):
                    self.assertIn(page, request.uri.split("?")[1].split("&"))


class PaymentLinks(unittest.TestCase):
    def setUp(self):
        self.vector = VECTORS["paymentLinks"]

    def client_of(self, *bodies):
        connection, transport, _ = connection_of([{"status": 200, "body": json.dumps(body)} for body in bodies])
        return cofre.MerchantClient(connection), transport

    def test_are_made_with_what_the_api_wants(self):
        client, transport = self.client_of(self.vector["found"])
        made = client.create_payment_link(
            cofre.CreatePaymentLink(
                reference="link-1",
                amount="42.50",
                description="Café",
                methods=["credit-card"],
                capture=False,
                usage="once",
                installments=3,
                expires_at=datetime(2026, 12, 1, 12, tzinfo=timezone.utc),
                success_url="https://shop.example/thanks",
                notification_url="https://shop.example/notifications",
                metadata={"campaign": "november", "7": "x"},
            )
        )
        self.assertEqual(json.loads(transport.requests[0].body), self.vector["request"])
        self.assertEqual(made.url, self.vector["found"]["payment-link"]["url"])
        self.assertEqual((made.amount, made.capture), (Decimal("42.5"), False))

    def test_have_the_reference_of_their_key_where_the_shop_has_named_none(self):
        client, transport = self.client_of(self.vector["found"])
        body = {name: value for name, value in self.vector["request"].items() if name != "reference"}
        named = VECTORS["references"][0]
        client.create_payment_link(body, idempotency_key=named["idempotencyKey"])
        self.assertEqual(json.loads(transport.requests[0].body)["reference"], named["reference"])

    def test_are_found_with_their_tries_listed_page_by_page_and_revoked(self):
        vector = self.vector
        code = vector["codes"][0]
        client, transport = self.client_of(vector["found"], *vector["pages"], vector["pages"][0], vector["revoked"])
        found = client.find_payment_link(code)
        self.assertEqual([each.status for each in found.tries], ["COMPLETE"])
        listed = client.all_payment_links(cofre.PaymentLinkQuery(status="PAYABLE"))
        self.assertEqual([link.code for link in listed], vector["codes"])
        self.assertEqual(client.list_payment_links().found, 3)
        revoked = client.revoke_payment_link(code)
        self.assertEqual((revoked.status, revoked.capture), ("REVOKED", None))
        self.assertEqual(
            [request.uri.removeprefix("https://api.shop.example") for request in transport.requests],
            [
                f"/payment-links/{code}",
                "/payment-links?status=PAYABLE&page=1",
                "/payment-links?status=PAYABLE&page=2",
                "/payment-links",
                f"/payment-links/{code}/revocations",
            ],
        )


class Payments(unittest.TestCase):
    V2 = "application/vnd.cofre.v2+json; charset=UTF-8"

    def setUp(self):
        self.vector = VECTORS["payments"]
        self.code = self.vector["codes"][0]

    def client_of(self, *bodies):
        answers = [body if "failure" in body else {"status": 200, "body": json.dumps(body)} for body in bodies]
        connection, transport, _ = connection_of(answers)
        return cofre.MerchantClient(connection), transport

    def targets_of(self, transport):
        return [request.uri.removeprefix("https://api.shop.example") for request in transport.requests]

    def test_of_a_card_are_found_whole(self):
        client, transport = self.client_of(self.vector["card"])
        found = client.find_payment(self.code)
        self.assertEqual((found.method, found.charged_amount), ("credit-card", Decimal("45.48")))
        self.assertEqual((found.payer.document, found.card.bin, found.card.eci), ("52998224725", "41111111", "05"))
        self.assertEqual((found.card.liability_shift, found.card.has_network_ids), (True, False))
        self.assertEqual((found.card.acquirer.nsu, found.card.acquirer.account.id), ("674532", "cielo-1"))
        self.assertEqual((found.card.interest_amount, found.card.decline), (Decimal("2.98"), None))
        [refund] = found.refunds
        self.assertEqual((refund.id, refund.amount, refund.charged_amount), ("7", Decimal("10.1"), Decimal("10.81")))
        self.assertEqual([each.refund_id for each in found.notifications], [None, "7"])
        self.assertEqual([each.amount for each in found.disputes], [None, Decimal("42.5")])
        [line] = found.settlements
        self.assertEqual((line.fee, line.date_paid_out), (Decimal("-0.45"), date(2026, 12, 21)))
        self.assertNotIn(found.card.saved_card, repr(found))
        self.assertEqual((found.bank_charge, found.payment_code), (None, None))
        self.assertEqual(self.targets_of(transport), [f"/payments/{self.code}"])
        self.assertEqual(transport.requests[0].headers["Accept"], self.V2)

    def test_of_a_boleto_are_found_whole_also_of_an_erased_payer(self):
        client, _ = self.client_of(self.vector["boleto"])
        found = client.find_payment(self.code)
        self.assertEqual((found.payer, found.payer_email, found.card, found.date_paid), (None, None, None, None))
        self.assertEqual(found.digitable_line, self.vector["boleto"]["payment"]["digitable-line"])
        charge = found.bank_charge
        self.assertEqual((charge.account.name, charge.due_date), ("Inter", date(2026, 11, 24)))
        self.assertEqual([each.surplus_status for each in charge.payments], ["KEPT", None])

    def test_are_listed_page_by_page_beyond_an_empty_page(self):
        pages = self.vector["pages"]
        client, transport = self.client_of(*pages, pages[0])
        query = cofre.PaymentQuery(
            status="COMPLETE", amount=Decimal("1E+1"), created_from=datetime(2026, 11, 1, 12, tzinfo=timezone.utc)
        )
        self.assertEqual([payment.code for payment in client.all_payments(query)], self.vector["codes"])
        self.assertEqual(client.list_payments().next_cursor, self.vector["cursors"][0])
        first = "/payments?status=COMPLETE&amount=10&created-from=2026-11-01T12%3A00%3A00.000%2B00%3A00"
        following = [f"{first}&cursor={cursor}" for cursor in self.vector["cursors"]]
        self.assertEqual(self.targets_of(transport), [first, *following, "/payments"])
        self.assertEqual({request.headers["Accept"] for request in transport.requests}, {self.V2})

    def test_of_a_payer_are_searched_by_a_body_which_is_sent_again_after_a_lost_answer(self):
        client, transport = self.client_of({"failure": "time-out"}, *self.vector["pages"], self.vector["pages"][1])
        search = cofre.PaymentSearch(
            payer_email="maria@example.com",
            payer_document="52998224725",
            status="COMPLETE",
            method="pix",
            amount="42.50",
            created_from=datetime(2026, 11, 1, 12, tzinfo=timezone.utc),
            limit=2,
        )
        self.assertEqual([payment.code for payment in client.all_payments_of_payer(search)], self.vector["codes"])
        asked = self.vector["search"]
        self.assertEqual(client.search_payments(dict(asked)).payments, [])
        following = [{**asked, "cursor": cursor} for cursor in self.vector["cursors"]]
        sent = [json.loads(request.body) for request in transport.requests]
        self.assertEqual(sent, [asked, asked, *following, asked])
        self.assertEqual(set(self.targets_of(transport)), {"/payments/searches"})
        self.assertNotIn("Idempotency-Key", transport.requests[0].headers)

    def test_are_authorized_and_listed_until_their_capture(self):
        vector = self.vector["authorized"]
        client, transport = self.client_of(vector["created"], vector["page"])
        charge = cofre.Charge.card("42.50", cofre.Card.token("a.b.c.d.e"), capture=False)
        created = client.create_transaction({**VECTORS["order"], "charge": [charge.to_wire()]})
        [listed] = client.list_payments(cofre.PaymentQuery(status="AUTHORIZED")).payments
        self.assertEqual((created.status, listed.status, listed.captured_amount), ("PENDING", "AUTHORIZED", None))
        before = datetime(2026, 11, 27, 12, tzinfo=timezone.utc)
        self.assertEqual((created.capture_before, listed.capture_before), (before, before))
        self.assertEqual(json.loads(transport.requests[0].body)["charge"], [vector["charge"]])
        self.assertEqual(self.targets_of(transport), ["/transactions", "/payments?status=AUTHORIZED"])
        at_once = cofre.Charge.card("42.50", cofre.Card.token("a.b.c.d.e"), capture=True)
        self.assertNotIn("capture", at_once.to_wire()["payment-info"])

    def test_are_captured_under_the_same_key_again(self):
        vector = self.vector["authorized"]["captured"]
        for amount, body in (({}, {}), ({"amount": "40.10"}, {"amount": 40.1})):
            client, transport = self.client_of({"failure": "time-out"}, vector)
            captured = client.capture_payment(self.code, **amount, idempotency_key="end-1")
            self.assertEqual((captured.result, captured.payment.status), ("captured", "COMPLETE"))
            self.assertEqual((captured.payment.captured_amount, captured.payment.capture_before), (Decimal("40.1"), None))
            self.assertEqual(self.targets_of(transport), [f"/payments/{self.code}/capture"] * 2)
            sent = [(json.loads(request.body), request.headers["Idempotency-Key"]) for request in transport.requests]
            self.assertEqual(sent, [(body, "end-1")] * 2)

    def test_are_cancelled_under_the_same_key_again(self):
        client, transport = self.client_of({"failure": "time-out"}, self.vector["cancelled"])
        cancelled = client.cancel_payment(self.code, idempotency_key="end-1")
        self.assertEqual((cancelled.result, cancelled.payment.status), ("cancelled", "CANCELLED"))
        self.assertEqual(self.targets_of(transport), [f"/payments/{self.code}/cancellation"] * 2)
        sent = [(request.body, request.headers["Idempotency-Key"]) for request in transport.requests]
        self.assertEqual(sent, [(b"{}", "end-1")] * 2)

    def test_saved_cards_are_saved_found_and_deleted(self):
        vector = VECTORS["savedCards"]
        answers = [{"failure": "time-out"}, vector["saved"], vector["declined"], *vector["pages"]]
        client, transport = self.client_of(*answers, vector["found"], vector["found"])
        asked = vector["request"]
        payer = asked["payer"]
        card = cofre.SaveCard(
            token=asked["token"],
            payer=cofre.CardOwner(
                name=payer["name"],
                document=cofre.Document(**payer["document"]),
                email=payer["email"],
                ip=payer["ip"],
            ),
        )
        self.assertNotIn(asked["token"], repr(card))
        saved = client.save_card(card, idempotency_key="save-1")
        self.assertEqual((saved.saved_card.brand, saved.saved_card.chargeable, saved.decline), ("visa", True, None))
        declined = client.save_card(dict(asked))
        self.assertEqual((declined.saved_card, declined.decline.reason), (None, "expired_card"))
        found = list(client.all_saved_cards_of_payer(cofre.SavedCardSearch(payer_email=payer["email"], limit=1)))
        self.assertEqual([each.chargeable for each in found], [True, False])
        code = found[0].code
        self.assertEqual(client.find_saved_card(code), found[1])
        self.assertEqual(client.delete_saved_card(code), found[1])
        self.assertEqual(
            self.targets_of(transport),
            [*["/saved-cards"] * 3, *["/saved-cards/searches"] * 2, f"/saved-cards/{code}", f"/saved-cards/{code}/deletion"],
        )
        searched = {"payer-email": payer["email"], "limit": 1}
        following = {**searched, "cursor": vector["pages"][0]["next-cursor"]}
        sent = [json.loads(request.body) for request in transport.requests[:5]]
        self.assertEqual(sent, [*[asked] * 3, searched, following])
        self.assertEqual([request.headers["Idempotency-Key"] for request in transport.requests[:2]], ["save-1"] * 2)

    def test_have_refunds_that_are_listed_page_by_page(self):
        pages = self.vector["refundPages"]
        client, transport = self.client_of(*pages, pages[1])
        refunds = list(client.all_refunds(cofre.RefundQuery(transaction_code=self.code)))
        self.assertEqual([refund.id for refund in refunds], self.vector["refundIds"])
        self.assertEqual([refund.nature for refund in refunds], ["MED_FRAUDE", None])
        self.assertIsNone(client.list_refunds(cofre.RefundQuery(status="PROCESSED")).next_cursor)
        first = f"/refunds?transaction-code={self.code}"
        self.assertEqual(
            self.targets_of(transport), [first, f"{first}&cursor=1795350000000-8", "/refunds?status=PROCESSED"]
        )
        self.assertEqual({request.headers["Accept"] for request in transport.requests}, {self.V2})

    def test_whose_page_has_no_cursor_not_even_null_are_refused(self):
        for page in ({"payments": []}, {"refunds": []}):
            connection, _, _ = connection_of([{"status": 200, "body": json.dumps(page)}], retry_budget_seconds=0)
            client = cofre.MerchantClient(connection)
            with self.assertRaises(cofre.MerchantError) as raised:
                client.list_payments() if "payments" in page else client.list_refunds()
            self.assertEqual(raised.exception.reason, "broken-answer")


class InterestOfAStore(unittest.TestCase):
    def test_is_read_and_changed_from_a_time_on(self):
        vector = VECTORS["interest"]
        connection, transport, _ = connection_of([{"status": 200, "body": json.dumps(vector["found"])}] * 2)
        client = cofre.MerchantClient(connection)
        self.assertEqual(client.find_interest().usual.monthly_rate_percent, Decimal("2.99"))
        change = cofre.ChangeInterest(
            brand="visa",
            monthly_rate_percent="2.49",
            interest_free=3,
            begins_at=datetime(2026, 12, 1, 12, tzinfo=timezone.utc),
        )
        of_brand, usual = client.change_interest(change).changes
        self.assertEqual((of_brand.brand, of_brand.terms.interest_free), ("visa", 3))
        self.assertEqual((usual.brand, usual.terms), (None, None))
        self.assertEqual(json.loads(transport.requests[1].body), vector["request"])


class Client(unittest.TestCase):
    def test_a_typed_order_is_the_one_of_the_api(self):
        order = cofre.CreateTransaction(
            reference="order-1",
            notification_url="https://shop.example/notifications",
            charge=cofre.Charge.pix("42.50"),
            payer=cofre.Payer(
                name="Maria José da Conceição",
                email="maria@example.com",
                document=cofre.Document("CPF", "52998224725"),
                birth_date="1990-01-31",
                phone_number="+5541988887777",
                ip="203.0.113.7",
            ),
            cart=[cofre.CartItem(description="Café", unit_price=Decimal("42.90"), type="digital")],
        )
        created = next(vector for vector in VECTORS["exchanges"] if "created" in vector["outcome"])
        connection, transport, _ = connection_of(created["answers"])
        cofre.MerchantClient(connection).create_transaction(order)
        self.assertEqual(json.loads(transport.requests[0].body), VECTORS["order"])

    def test_what_has_no_reference_is_named_by_its_key(self):
        transaction = {name: value for name, value in VECTORS["order"]["transaction"].items() if name != "reference"}
        unnamed = {**VECTORS["order"], "transaction": transaction}
        refund = cofre.CreateRefund(transaction_id="1", notify_url="https://shop.example/notifications")
        for vector in VECTORS["references"]:
            key, reference = vector["idempotencyKey"], vector["reference"]
            connection, transport, _ = connection_of([{"failure": "network"}] * 2, retry_budget_seconds=0)
            client = cofre.MerchantClient(connection)
            for create, body in ((client.create_transaction, unnamed), (client.create_refund, refund)):
                with self.subTest(key), self.assertRaises(cofre.OutcomeUnknown) as raised:
                    create(body, idempotency_key=key)
                unknown = raised.exception
                self.assertEqual((unknown.reference, unknown.idempotency_key), (reference, key))
            order, sent_refund = (json.loads(request.body) for request in transport.requests)
            self.assertEqual((order["transaction"]["reference"], sent_refund["reference"]), (reference, reference))

    def test_two_refunds_of_one_reference_are_two_requests_each_with_its_key(self):
        parts = VECTORS["refundParts"]
        answer = {"status": 201, "body": json.dumps({"refund-id": "1"})}
        connection, transport, _ = connection_of([answer] * 2)
        refund = cofre.CreateRefund(
            transaction_id="1", notify_url="https://shop.example/notifications", reference=parts["reference"]
        )
        for key in parts["idempotencyKeys"]:
            cofre.MerchantClient(connection).create_refund(refund, idempotency_key=key)
        sent = [{name.lower(): value for name, value in request.headers.items()} for request in transport.requests]
        self.assertEqual([headers["idempotency-key"] for headers in sent], parts["idempotencyKeys"])
        first, second = transport.requests
        self.assertEqual(second.body, first.body)

    def test_a_creation_without_a_reference_is_the_same_again_with_the_key_of_its_error(self):
        connection, transport, _ = connection_of([{"failure": "network"}] * 2, retry_budget_seconds=0)
        refund = cofre.CreateRefund(transaction_id="1", notify_url="https://shop.example/notifications")
        key = None
        for _ in range(2):
            with self.assertRaises(cofre.OutcomeUnknown) as raised:
                cofre.MerchantClient(connection).create_refund(refund, idempotency_key=key)
            key = raised.exception.idempotency_key
        first, again = transport.requests
        self.assertEqual(again.body, first.body)

    def test_an_error_says_what_to_do(self):
        vector = VECTORS["errors"][0]
        connection, _, _ = connection_of([{"status": 400, "body": vector["body"]}])
        with self.assertRaises(cofre.MerchantError) as raised:
            cofre.MerchantClient(connection).bin_lookup("411111")
        first = vector["errors"][0]
        self.assertIn(f"210318 {first['description']}: {first['message']}", str(raised.exception))
        self.assertEqual(raised.exception.doc_url, first["doc_url"])

    def test_the_origin_that_is_signed_may_be_another(self):
        answers = [{"status": 404, "body": ""}] * 2
        inside = connection_of(answers, base_url="http://cofre:8080", signed_origin="https://api.shop.example")
        outside = connection_of(answers)
        for connection, _, _ in (inside, outside):
            with self.assertRaises(cofre.MerchantError):
                cofre.MerchantClient(connection).find_transaction("1")
        [there], [here] = inside[1].requests, outside[1].requests
        self.assertEqual(there.uri, "http://cofre:8080/transactions/1")
        self.assertEqual(there.headers["Signature"], here.headers["Signature"])

    def test_a_control_of_the_sandbox_is_never_sent_twice(self):
        connection, transport, _ = connection_of([{"failure": "time-out"}])
        with self.assertRaises(cofre.MerchantError) as raised:
            cofre.SandboxClient(connection).advance_clock(60)
        self.assertNotIsInstance(raised.exception, cofre.OutcomeUnknown)
        self.assertEqual(len(transport.requests), 1)

    def test_a_lookup_that_is_lost_has_no_unknown_outcome(self):
        connection, transport, _ = connection_of([{"failure": "network"}] * 2, retry_budget_seconds=0.5)
        with self.assertRaises(cofre.MerchantError) as raised:
            cofre.MerchantClient(connection).bin_lookup("411111")
        self.assertEqual((type(raised.exception), len(transport.requests)), (cofre.MerchantError, 2))

    def test_a_rotated_secret_counts_at_once(self):
        secrets = iter(["before", "after"])
        answers = [{"status": 404, "body": ""}] * 2
        connection, transport, _ = connection_of(answers, secret=lambda: next(secrets), signature="specification")
        for secret in ("before", "after"):
            with self.assertRaises(cofre.MerchantError):
                cofre.MerchantClient(connection).find_transaction("1")
            signed = lower(transport.requests[-1].headers)["authorization"]
            self.assertEqual(signed, authorization("store-1", secret, "/transactions/1", None))

    def test_no_secret_and_no_card_is_printed(self):
        connection, _, _ = connection_of([])
        token = "eyJhbGciOiJFQ0RILUVTIn0..segredo.do.cliente"
        card = cofre.Card.token(token)
        self.assertNotIn(SECRET, repr(connection))
        self.assertNotIn("segredo", repr([card, cofre.Charge.card("1.00", card)]))
        with self.assertRaises(TypeError):
            pickle.dumps(connection)
        details = read_errors({"errors": [{"code": 1, "description": f"bad {token}"}]})
        error = cofre.MerchantError("refused", 400, details)
        self.assertNotIn("segredo", str(error))

    def test_an_amount_is_a_number_of_reais(self):
        for text, number in VECTORS["amounts"]["accepted"]:
            for amount in (text, Decimal(text)):
                with self.subTest(text):
                    connection, transport, _ = connection_of([{"failure": "network"}], retry_budget_seconds=0)
                    refund = cofre.CreateRefund(transaction_id="1", notify_url="https://a.example/", amount=amount)
                    with self.assertRaises(cofre.OutcomeUnknown):
                        cofre.MerchantClient(connection).create_refund(refund)
                    self.assertIn(f'"amount":{number},', transport.requests[0].body.decode())
        for text in VECTORS["amounts"]["refused"]:
            with self.subTest(text), self.assertRaises(ValueError):
                cofre.Charge.pix(text)
        for amount in (Decimal("-1"), Decimal("NaN"), Decimal("0.1234567"), True):
            with self.subTest(amount), self.assertRaises(ValueError):
                cofre.Charge.pix(amount)
        with self.assertRaises(TypeError):
            cofre.Charge.pix(42.5)

    def test_a_date_of_a_search_has_a_time_zone(self):
        with self.assertRaises(ValueError):
            connection, _, _ = connection_of([])
            cofre.MerchantClient(connection).search_transactions(
                cofre.SearchQuery(initial_order_date=datetime(2026, 8, 1))
            )


if __name__ == "__main__":
    unittest.main()
