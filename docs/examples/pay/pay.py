# Charges by PIX, then asks how the transaction is doing. Python 3.9 or later, no packages; in the environment:
# COFRE_API (http://127.0.0.1:8081), COFRE_STORE_ID, COFRE_SECRET.
import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request

API, STORE_ID, SECRET = (os.environ[f"COFRE_{name}"] for name in ("API", "STORE_ID", "SECRET"))


def call(version, target, body=None, idempotency_key=None):
    """Signs and sends; returns the answer's JSON. A refusal ends the program, which says why."""
    message = target.encode()
    headers = {
        "Accept": f"application/vnd.cofre.{version}+json; charset=UTF-8",
        "Accept-Language": "en",  # of error messages; without it they are in Portuguese
        "Content-Type": "application/json",
    }
    if body is not None:
        message += base64.b64encode(hashlib.md5(body).hexdigest().encode())
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    signature = hmac.new(SECRET.encode(), message, hashlib.sha256).hexdigest()
    headers["Authorization"] = f"{STORE_ID}:{signature}"
    request = urllib.request.Request(API + target, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        sys.exit("\n".join(f"{error['code']} {error['message']}" for error in json.load(refusal)["errors"]))


reference = f"order-{time.time_ns()}"
with open(os.path.join(os.path.dirname(__file__), "order.json"), encoding="utf-8") as file:
    order = file.read().replace("REFERENCE", reference).encode()

transaction = call("v2", "/transactions", order, reference)["transaction"]
print(transaction["status"], transaction["code"], transaction["payment-code"])

found = call("v1", f"/transactions/{transaction['code']}")
print(found["transaction-result"]["transactions"][0]["status"])
