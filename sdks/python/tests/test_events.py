"""Events and their endpoints, as defined in vectors.json for all SDKs."""

import json
import unittest
from datetime import datetime, timezone
from decimal import Decimal

import cofre_merchant as cofre
from test_vectors import VECTORS, connection_of

VECTOR = VECTORS["events"]
ENDPOINT = VECTOR["endpoint"]["event-endpoint"]
V2 = "application/vnd.cofre.v2+json; charset=UTF-8"


def client_of(*bodies):
    answers = [body if "failure" in body else {"status": 200, "body": json.dumps(body)} for body in bodies]
    connection, transport, _ = connection_of(answers)
    return cofre.MerchantClient(connection), transport


def sent_by(transport):
    return [
        (
            request.method,
            request.uri.removeprefix("https://api.shop.example"),
            None if request.body is None else json.loads(request.body),
        )
        for request in transport.requests
    ]


class Events(unittest.TestCase):
    maxDiff = None

    def test_are_listed_page_by_page_with_the_data_of_their_types(self):
        client, transport = client_of(*VECTOR["pages"], VECTOR["pages"][1])
        query = cofre.EventQuery(
            type="link.paid",
            transaction_code="1",
            created_from=datetime(2026, 11, 1, 12, tzinfo=timezone.utc),
            limit=2,
        )
        events = list(client.all_events(query))
        linked, deleted, refunded, cancelled, paid = events
        self.assertEqual([event.code for event in events], VECTOR["codes"])
        self.assertEqual((linked.data.payment_link, linked.data.payment.amount), ("A1b2C3d4", Decimal("42.5")))
        self.assertEqual((deleted.data.saved_card, deleted.data.payment), ("Zk3vT8QwLr5yXn2bJc7dHf9gKm4pRs6t", None))
        self.assertNotIn(deleted.data.saved_card, repr(deleted.data))
        self.assertEqual((refunded.data.refund.id, refunded.data.refund.metadata), ("7", {}))
        self.assertEqual((cancelled.data.reason, cancelled.data.decline_reason), ("declined", "expired_card"))
        self.assertEqual((paid.data.payment.installments, paid.data.payment.method_name), (3, "visa"))
        self.assertEqual({event.deliveries == [] for event in events}, {True})
        self.assertIsNone(client.list_events({"limit": 2}).next_cursor)
        first = (
            "/events?type=link.paid&transaction-code=1&created-from=2026-11-01T12%3A00%3A00.000%2B00%3A00&limit=2"
        )
        targets = [first, f"{first}&cursor={VECTOR['cursor']}", "/events?limit=2"]
        self.assertEqual(sent_by(transport), [("GET", target, None) for target in targets])
        self.assertEqual({request.headers["Accept"] for request in transport.requests}, {V2})

    def test_are_found_with_their_deliveries_and_sent_again(self):
        client, transport = client_of(VECTOR["found"], {"failure": "time-out"}, VECTOR["found"], VECTOR["found"])
        code = VECTOR["found"]["event"]["code"]
        waiting, delivered = client.find_event(code).deliveries
        self.assertEqual((waiting.state, waiting.status_code, waiting.attempts), ("waiting", 500, 1))
        self.assertEqual((delivered.next_attempt, delivered.endpoint), (None, "ep_aaaaaaaaaaaaaaaaaaaaaaaa"))
        self.assertEqual(client.send_event(code).code, code)
        client.send_event(code, ENDPOINT["code"])
        place = f"/events/{code}"
        again = ("POST", f"{place}/deliveries", {})
        one = ("POST", f"{place}/deliveries", {"endpoint": ENDPOINT["code"]})
        self.assertEqual(sent_by(transport), [("GET", place, None), again, again, one])

    def test_have_endpoints_that_are_created_listed_changed_rotated_and_deleted(self):
        found = VECTOR["endpoint"]
        client, transport = client_of(
            {"failure": "time-out"}, VECTOR["repeated"], VECTOR["made"], VECTOR["endpoints"], *[found] * 2, VECTOR["made"], found
        )
        asked = VECTOR["request"]
        made = client.create_event_endpoint(cofre.CreateEventEndpoint(**asked), idempotency_key="endpoint-1")
        self.assertEqual((made.endpoint.url, made.secret), (asked["url"], None))
        made = client.create_event_endpoint({"url": asked["url"]})
        self.assertEqual(made.secret, VECTOR["made"]["secret"])
        self.assertNotIn(made.secret, repr(made))
        one, other = client.list_event_endpoints()
        self.assertEqual((one.types, other.types, other.enabled), (asked["types"], None, False))
        self.assertIsNotNone(other.failing_since)
        code = ENDPOINT["code"]
        self.assertEqual(client.find_event_endpoint(code), one)
        self.assertEqual(client.change_event_endpoint(code, cofre.ChangeEventEndpoint(enabled=False)), one)
        self.assertEqual(client.rotate_event_endpoint_secret(code).secret, VECTOR["made"]["secret"])
        self.assertEqual(client.delete_event_endpoint(code), one)
        place = f"/event-endpoints/{code}"
        self.assertEqual(
            sent_by(transport),
            [
                *[("POST", "/event-endpoints", asked)] * 2,
                ("POST", "/event-endpoints", {"url": asked["url"]}),
                ("GET", "/event-endpoints", None),
                ("GET", place, None),
                ("POST", f"{place}/changes", {"enabled": False}),
                ("POST", f"{place}/secret-rotations", {}),
                ("POST", f"{place}/deletion", {}),
            ],
        )
        keys = [request.headers["Idempotency-Key"] for request in transport.requests if request.body is not None]
        self.assertEqual((keys[:2], len(set(keys))), (["endpoint-1"] * 2, 5))

    def test_are_verified(self):
        for vector in VECTOR["signed"]:
            with self.subTest(vector["name"]):
                options = {"now": vector["now"], "tolerance_seconds": vector.get("toleranceSeconds", 300)}
                headers = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in vector["headers"].items()}
                for given in (vector["headers"], headers):
                    event = cofre.verify_event(given, vector["body"].encode(), vector["secret"], **options)
                    self.assertEqual(event and self.summary_of(event), vector["event"])

    @staticmethod
    def summary_of(event):
        return {
            "code": event.code,
            "type": event.type,
            "timestamp": event.timestamp.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "environment": event.environment,
            "link": event.data.payment_link,
            "payment": event.data.payment.code,
            "amount": float(event.data.payment.amount),
        }

    def test_are_not_verified_with_what_is_no_secret_of_an_endpoint(self):
        for secret in VECTOR["refusedSecrets"]:
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "whsec_"):
                cofre.verify_event({}, b"", secret)
        with self.assertRaisesRegex(TypeError, "as received"):
            cofre.verify_event({}, {"type": "link.paid"}, VECTOR["made"]["secret"])


if __name__ == "__main__":
    unittest.main()
