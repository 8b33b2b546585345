# Charges by PIX, then asks for the transaction's status. In the environment: COFRE_API (http://127.0.0.1:8081),
# COFRE_STORE_ID, COFRE_SECRET.
import os
import uuid

import cofre_merchant

connection = cofre_merchant.Connection(
    base_url=os.environ["COFRE_API"],
    store_id=os.environ["COFRE_STORE_ID"],
    secret=os.environ["COFRE_SECRET"],
    language="en",  # language of the error messages; default: Portuguese
)
cofre = cofre_merchant.MerchantClient(connection)

order = cofre_merchant.CreateTransaction(
    reference=f"order-{uuid.uuid4()}",
    notification_url="https://shop.example/notifications",
    charge=cofre_merchant.Charge.pix("42.50"),
    payer=cofre_merchant.Payer(
        name="Maria da Silva",
        email="maria@example.com",
        document=cofre_merchant.Document("CPF", "52998224725"),
        birth_date="1990-01-31",
        phone_number="+5541988887777",
        ip="203.0.113.7",
    ),
    cart=[cofre_merchant.CartItem(description="Café", unit_price="42.50", type="digital")],
)
try:
    created = cofre.create_transaction(order)
except cofre_merchant.OutcomeUnknown as unknown:
    # It may exist: never start over under a new reference. Ask again with the same key, now or later.
    created = cofre.create_transaction(order, idempotency_key=unknown.idempotency_key)
print(created.status, created.payment_code)
print(cofre.find_transaction(created.code).status)
