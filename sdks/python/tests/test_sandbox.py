"""A shop against a running sandbox: COFRE_API, COFRE_STORE_ID and COFRE_SECRET have its address and the store."""

import base64
import contextlib
import hmac
import io
import os
import pathlib
import re
import threading
import time
import unittest
import uuid
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import cofre_merchant as cofre

SAVED_CARD = "SANDBOXSAVEDCARD0000000000000001"
# Refuses at once: a failed name lookup would delay the other notifications.
NOBODY = "http://127.0.0.1:1/"


def connection_of(**options):
    given = {
        "base_url": os.environ["COFRE_API"],
        "store_id": os.environ["COFRE_STORE_ID"],
        "secret": os.environ["COFRE_SECRET"],
    }
    return cofre.Connection(**{**given, "retry_budget_seconds": 10, **options})


def order_of(charge, **options):
    amount = charge.amount
    return cofre.CreateTransaction(
        **{
            "notification_url": NOBODY,
            "charge": charge,
            "payer": cofre.Payer(
                name="Maria da Silva",
                email="maria.python@example.com",
                document=cofre.Document("CPF", "52998224725"),
                birth_date="1990-01-31",
                phone_number="+5541988887777",
                ip="203.0.113.7",
                address=cofre.Address(
                    street="Rua XV de Novembro",
                    number="100",
                    district="Centro",
                    city="Curitiba",
                    state="PR",
                    zip_code="80020310",
                ),
            ),
            "cart": [cofre.CartItem(description="Café", unit_price=amount, type="digital")],
            **options,
        }
    )


class Receiver:
    """Accepts notifications on loopback, and responds 200."""

    def __init__(self):
        received = self.received = Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.end_headers()
                received.put((dict(self.headers), body))

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def about(self, code):
        """The next message about a payment: other tests use the same store meanwhile."""
        while True:
            headers, body = self.received.get(timeout=30)
            if code in body.decode():
                return headers, body


@unittest.skipUnless("COFRE_API" in os.environ, "no sandbox runs")
class Sandbox(unittest.TestCase):
    def setUp(self):
        connection = connection_of()
        self.cofre = cofre.MerchantClient(connection)
        self.sandbox = cofre.SandboxClient(connection)

    def test_an_order_is_paid_found_and_refunded(self):
        begun = datetime.now(timezone.utc) - timedelta(minutes=1)
        created = self.cofre.create_transaction(order_of(cofre.Charge.pix("42.50")))
        self.assertEqual((created.status, created.amount), ("PENDING", Decimal("42.5")))
        self.assertIn("br.gov.bcb.pix", created.payment_code)
        self.sandbox.set_status(created.code, "COMPLETE")
        found = self.cofre.find_transaction(created.code)
        self.assertEqual((found.status, found.amount, found.refundable), ("COMPLETE", Decimal("42.50"), True))
        refund_id = self.cofre.create_refund(
            cofre.CreateRefund(
                transaction_id=created.code,
                notify_url=NOBODY,
                amount="10.10",
                reference="return-slow",
            )
        )
        self.assertEqual(self.sandbox.finish_refund(refund_id, "PROCESSED"), "PROCESSED")
        other = self.cofre.create_transaction(order_of(cofre.Charge.boleto("10.00")))
        query = cofre.SearchQuery(initial_order_date=begun, max_page_results=1)
        orders = {order.code: order for order in self.cofre.all_transactions(query)}
        self.assertEqual(orders[other.code].reference, other.reference)
        [refund] = orders[created.code].refunds
        self.assertEqual((refund.id, refund.amount, refund.status), (refund_id, Decimal("10.10"), "PROCESSED"))

    def test_payments_are_read_whole_listed_searched_and_cancelled(self):
        email = f"python.{uuid.uuid4().hex}@example.com"
        payer = replace(order_of(cofre.Charge.pix("1.00")).payer, email=email)
        begun = datetime.now(timezone.utc) - timedelta(minutes=1)
        paid = self.cofre.create_transaction(order_of(cofre.Charge.pix("42.50"), payer=payer))
        self.sandbox.set_status(paid.code, "COMPLETE")
        refund_id = self.cofre.create_refund(
            cofre.CreateRefund(transaction_id=paid.code, notify_url=NOBODY, amount="10.10", reference="return-slow")
        )
        self.sandbox.finish_refund(refund_id, "PROCESSED")
        by_card = self.cofre.create_transaction(
            order_of(cofre.Charge.card("20.00", cofre.Card.saved(SAVED_CARD), installments=2), payer=payer)
        )
        waiting = self.cofre.create_transaction(order_of(cofre.Charge.boleto("10.00"), payer=payer))

        found = self.cofre.find_payment(paid.code)
        self.assertEqual((found.status, found.method, found.refunded_amount), ("REFUNDED", "pix", Decimal("10.10")))
        self.assertEqual((found.payer.email, found.payment_code), (email, paid.payment_code))
        self.assertEqual([refund.id for refund in found.refunds], [refund_id])
        card = self.cofre.find_payment(by_card.code).card
        self.assertEqual((card.brand, card.decline), ("visa", None))
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.find_payment("1")
        self.assertEqual((raised.exception.status, raised.exception.code), (404, 20614))

        query = cofre.PaymentQuery(created_from=begun, limit=1)
        codes = [payment.code for payment in self.cofre.all_payments(query)]
        own = [code for code in codes if code in (paid.code, by_card.code, waiting.code)]
        self.assertEqual(own, [waiting.code, by_card.code, paid.code])
        [named] = self.cofre.list_payments(cofre.PaymentQuery(reference=waiting.reference)).payments
        self.assertEqual((named.code, named.status), (waiting.code, "PENDING"))
        refunds = self.cofre.all_refunds(cofre.RefundQuery(transaction_code=paid.code, limit=1))
        self.assertEqual([(refund.id, refund.amount) for refund in refunds], [(refund_id, Decimal("10.10"))])

        search = cofre.PaymentSearch(payer_email=email, payer_document="52998224725", limit=1)
        # The index follows payments within seconds.
        deadline = time.monotonic() + 30
        of_payer = []
        while len(of_payer) < 3 and time.monotonic() < deadline:
            of_payer = [payment.code for payment in self.cofre.all_payments_of_payer(search)]
            time.sleep(0.1)
        self.assertEqual(of_payer, [waiting.code, by_card.code, paid.code])

        cancelled = self.cofre.cancel_payment(waiting.code)
        self.assertEqual((cancelled.result, cancelled.payment.status), ("cancelled", "CANCELLED"))
        self.assertEqual(self.cofre.cancel_payment(waiting.code).payment, cancelled.payment)
        self.assertEqual(self.cofre.cancel_payment(paid.code).result, "paid-meanwhile")
        expired = self.cofre.create_transaction(order_of(cofre.Charge.pix("1.00"), payer=payer))
        self.sandbox.set_status(expired.code, "EXPIRED")
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.cancel_payment(expired.code)
        self.assertEqual((raised.exception.status, raised.exception.code), (409, 90601))

    def test_an_authorized_card_is_captured_in_part_or_cancelled(self):
        charge = cofre.Charge.card("20.00", cofre.Card.saved(SAVED_CARD), capture=False)
        first, second = (self.cofre.create_transaction(order_of(charge)) for _ in range(2))
        self.assertEqual(first.status, "PENDING")
        listed = self.cofre.list_payments(cofre.PaymentQuery(reference=first.reference, status="AUTHORIZED"))
        self.assertEqual([payment.capture_before for payment in listed.payments], [first.capture_before])
        captured = self.cofre.capture_payment(first.code, amount="15.10")
        self.assertEqual((captured.result, captured.payment.captured_amount), ("captured", Decimal("15.1")))
        self.assertEqual(self.cofre.capture_payment(first.code, amount="15.10").payment, captured.payment)
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.capture_payment(first.code)
        self.assertEqual((raised.exception.status, raised.exception.code), (409, 90633))
        self.assertEqual(self.cofre.cancel_payment(second.code).payment.status, "CANCELLED")

    def test_a_saved_card_pays_in_installments(self):
        lookup = self.cofre.card_lookup("411111", "20.00")
        self.assertEqual(
            (lookup.bin, lookup.installments),
            (
                self.cofre.bin_lookup("411111"),
                self.cofre.installments("visa", 20),
            ),
        )
        charge = cofre.Charge.card("20.00", cofre.Card.saved(SAVED_CARD), installments=2)
        self.assertEqual(self.cofre.create_transaction(order_of(charge)).status, "PAID")
        plain = cofre.Card.saved(SAVED_CARD, security_code_token="737")
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.create_transaction(order_of(cofre.Charge.card("20.00", plain)))
        self.assertEqual(raised.exception.code, 90402)

    def test_the_same_order_again_is_the_first_one(self):
        order = order_of(cofre.Charge.pix("1.00"), reference=f"python-{os.getpid()}")
        first = self.cofre.create_transaction(order, idempotency_key=order.reference)
        again = self.cofre.create_transaction(order, idempotency_key=order.reference)
        self.assertEqual(again, first)
        self.assertEqual(self.cofre.find_by_reference(first.reference).code, first.code)
        self.assertIsNone(self.cofre.find_by_reference("nothing-is-called-so"))
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.create_transaction(order)
        self.assertEqual((raised.exception.status, raised.exception.code), (409, 210104))

    def test_a_refusal_names_code_property_and_cure(self):
        wrong = cofre.Payer(name="Maria da Silva", email="a@example.com", document=cofre.Document("CPF", "1"), ip="::1")
        with self.assertRaises(cofre.MerchantError) as raised:
            self.cofre.create_transaction(order_of(cofre.Charge.pix("1.00"), payer=wrong))
        self.assertEqual((raised.exception.code, raised.exception.property), (210318, "payer.document.number"))
        self.assertIn("CPF", raised.exception.errors[0].message)
        self.assertTrue(raised.exception.doc_url.endswith("/docs/errors#210318"))

    def test_a_wrong_secret_is_refused(self):
        stranger = cofre.MerchantClient(connection_of(secret="another secret"))
        with self.assertRaises(cofre.MerchantError) as raised:
            stranger.create_transaction(order_of(cofre.Charge.pix("1.00")))
        self.assertEqual((type(raised.exception), raised.exception.code), (cofre.MerchantError, 10003))

    def test_the_clock_says_what_time_it_is(self):
        self.assertGreaterEqual(self.sandbox.clock().now.timestamp(), datetime.now().timestamp() - 60)

    def test_a_gateway_that_is_not_there_leaves_the_outcome_unknown(self):
        nobody = connection_of(base_url="http://127.0.0.1:1", retry_budget_seconds=0)
        with self.assertRaises(cofre.OutcomeUnknown) as raised:
            cofre.MerchantClient(nobody).create_transaction(order_of(cofre.Charge.pix("1.00")))
        self.assertEqual(raised.exception.reason, "network")

    def test_a_notification_of_the_sandbox_is_verified(self):
        receiver = Receiver()
        order = order_of(cofre.Charge.pix("1.00"), notification_url=receiver.url)
        created = self.cofre.create_transaction(order)
        self.sandbox.set_status(created.code, "COMPLETE")
        headers, body = receiver.received.get(timeout=30)
        secret = os.environ["COFRE_SECRET"]
        verified = cofre.verify_notification(headers, body, secret)
        self.assertEqual(verified, cofre.Notification(transaction_code=created.code))
        self.assertIsNone(cofre.verify_notification(headers, body + b"&x=1", secret))

    def test_an_event_of_the_sandbox_is_verified_found_and_sent_again(self):
        receiver = Receiver()
        endpoint = cofre.CreateEventEndpoint(url=receiver.url, types=["payment.completed"])
        made = self.cofre.create_event_endpoint(endpoint)
        self.addCleanup(self.cofre.delete_event_endpoint, made.endpoint.code)
        created = self.cofre.create_transaction(order_of(cofre.Charge.pix("1.00")))
        self.sandbox.set_status(created.code, "COMPLETE")
        event = cofre.verify_event(*receiver.about(created.code), made.secret)
        self.assertEqual((event.type, event.data.payment.code), ("payment.completed", created.code))
        [listed] = self.cofre.all_events(cofre.EventQuery(transaction_code=created.code, type=event.type))
        self.assertEqual((listed.code, listed.data), (event.code, event.data))
        rotated = self.cofre.rotate_event_endpoint_secret(made.endpoint.code)
        self.assertIsNotNone(rotated.endpoint.previous_secret_until)
        self.cofre.send_event(event.code, made.endpoint.code)
        headers, body = receiver.about(created.code)
        for secret in (made.secret, rotated.secret):
            self.assertEqual(cofre.verify_event(headers, body, secret).code, event.code)
        [delivery] = self.cofre.find_event(event.code).deliveries
        self.assertEqual(delivery.endpoint, made.endpoint.code)
        changed = self.cofre.change_event_endpoint(made.endpoint.code, cofre.ChangeEventEndpoint(enabled=False))
        self.assertIn(changed, self.cofre.list_event_endpoints())
        self.assertEqual(self.cofre.find_event_endpoint(changed.code).enabled, False)

    def test_the_signature_of_the_specification_is_accepted_too(self):
        client = cofre.MerchantClient(connection_of(signature="specification"))
        created = client.create_transaction(order_of(cofre.Charge.boleto("10.00")))
        self.assertEqual(client.find_transaction(created.code).status, "PENDING")

    def test_the_blocks_of_the_readme_are_a_program_that_runs(self):
        page = pathlib.Path(__file__).parent.parent / "README.md"
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        given = {}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n".join(blocks), str(page), "exec"), given)
        self.assertRegex(printed.getvalue(), r"^PENDING .*br\.gov\.bcb\.pix")
        # A notification of another environment's transaction must not end the server.
        for code in (given["created"].code, "12345678901234"):
            body = f"transaction-code={code}&notification-type=transaction".encode()
            time = str(int(datetime.now().timestamp()))
            mac = hmac.digest(os.environ["COFRE_SECRET"].encode(), f"1.{time}.".encode() + body, "sha256")
            signature = f"v1,{base64.b64encode(mac).decode()}"
            headers = {"webhook-id": "1", "webhook-timestamp": time, "webhook-signature": signature}
            self.assertEqual(given["receive"](headers, body), 200)
            self.assertEqual(given["receive"](headers, body + b"&x=1"), 400)
        self.assertEqual(given["receive_event"]({}, b"{}", "whsec_AAAA"), 400)
        if "COFRE_DIRECT_TOKEN" in os.environ:
            saved_code = given["pay_by_card"](os.environ["COFRE_DIRECT_TOKEN"])
            self.assertIn(saved_code, (SAVED_CARD, None))


if __name__ == "__main__":
    unittest.main()
