#!/bin/sh
# Charges by PIX, then asks how the transaction is doing. Wants curl and openssl, and in the environment:
# COFRE_API (http://127.0.0.1:8081), COFRE_STORE_ID, COFRE_SECRET.
set -eu

# sign <target> [body]: the signature of a request. (On a machine of several users, sign in a program instead: the
# secret stands on openssl's command line.)
sign() {
  digest=
  if [ -n "${2-}" ]; then
    hex=$(printf %s "$2" | openssl dgst -md5 -r | cut -d' ' -f1)
    digest=$(printf %s "$hex" | openssl base64 -A)
  fi
  printf %s "$1$digest" | openssl dgst -sha256 -hmac "$COFRE_SECRET" -r | cut -d' ' -f1
}

reference=order-$(date +%s)-$$
body=$(sed "s/REFERENCE/$reference/" "$(dirname "$0")/order.json")

created=$(curl -sS --fail-with-body "$COFRE_API/transactions" \
  -H "Authorization: $COFRE_STORE_ID:$(sign /transactions "$body")" \
  -H 'Accept: application/vnd.cofre.v2+json; charset=UTF-8' \
  -H 'Accept-Language: en' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $reference" \
  --data-binary "$body") || { echo "$created"; exit 1; }
echo "$created"

code=$(echo "$created" | sed 's/.*"code":"\([0-9]*\)".*/\1/')
target=/transactions/$code
curl -sS --fail-with-body "$COFRE_API$target" \
  -H "Authorization: $COFRE_STORE_ID:$(sign "$target")" \
  -H 'Accept: application/vnd.cofre.v1+json; charset=UTF-8' \
  -H 'Content-Type: application/json'
echo
