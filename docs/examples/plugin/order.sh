#!/bin/sh
# An order as a plugin of another vendor sends it: its media type, the digest as plain hexadecimal text, a coupon, a document
# with punctuation. Wants curl and openssl, and in the environment: COFRE_API, COFRE_STORE_ID, COFRE_SECRET, MEDIA_VENDOR.
set -eu

body='{
  "transaction": { "reference": "plugin-'$(date +%s)-$$'", "country": "BR", "currency": "BRL", "checkout-type": "direct",
    "notification-url": "https://shop.example/notifications", "language": "pt-BR" },
  "charge": [{ "amount": 90, "payment-method": { "type": "eft", "sub-type": "pix" } }],
  "payer": { "name": "Maria  da Silva", "email": "maria@example.com", "ip": "203.0.113.7",
    "document": { "type": "CPF", "number": "529.982.247-25" } },
  "cart": [{ "quantity": "2.0000", "description": "Café", "unit-price": 50, "type": "digital" }]
}'

digest=$(printf %s "$body" | openssl dgst -md5 -r | cut -d' ' -f1)
signature=$(printf %s "/transactions$digest" | openssl dgst -sha256 -hmac "$COFRE_SECRET" -r | cut -d' ' -f1)
curl -sS --fail-with-body "$COFRE_API/transactions" \
  -H "Authorization: $COFRE_STORE_ID:$signature" \
  -H "Accept: application/vnd.$MEDIA_VENDOR.v2+json; charset=UTF-8" \
  -H 'Content-Type: application/json; charset=UTF-8' \
  --data-binary "$body"
echo
