/** What the commands for a first transaction need to know. */
export interface FirstTransaction {
  readonly sandboxUrl: string
  readonly mediaVendor: string
  readonly storeId: string
  /** What stands in for the secret key, which the panel does not show. */
  readonly secretHint: string
  readonly notificationUrl: string
}

const AMOUNT = 100

/** Shell commands that create a PIX, signed as docs/signing.md says. */
export function firstTransactionCommands(first: FirstTransaction): string {
  return `STORE=${quoted(first.storeId)}
SECRET=${quoted(first.secretHint)}
BODY='${bodyOf(first)}'
DIGEST=$(printf %s "$BODY" | openssl md5 -r | cut -c1-32 | tr -d '\\n' | openssl base64 -A)
HMAC=$(printf %s "/transactions$DIGEST" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-64)
curl ${quoted(`${first.sandboxUrl}/transactions`)} \\
  -H "Authorization: $STORE:$HMAC" \\
  -H 'Accept: application/vnd.${first.mediaVendor}.v2+json; charset=UTF-8' \\
  -H 'Content-Type: application/json' \\
  -d "$BODY"`
}

/** The reference gets the time, so that the commands can be used again. */
function bodyOf({ notificationUrl }: FirstTransaction): string {
  const body = {
    transaction: {
      reference: 'first-REFERENCE',
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': notificationUrl,
      language: 'pt-BR',
    },
    charge: [{ amount: AMOUNT, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      ip: '203.0.113.9',
      document: { type: 'CPF', number: '52998224725' },
    },
    cart: [{ quantity: 1, description: 'Cafe', 'unit-price': AMOUNT, type: 'digital' }],
  }
  return JSON.stringify(body).replace('REFERENCE', `'$(date +%s)'`)
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
