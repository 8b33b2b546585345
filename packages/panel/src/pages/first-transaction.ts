import request from './first-transaction.json' with { type: 'json' }

/** What the commands for a first transaction need to know. */
export interface FirstTransaction {
  readonly sandboxUrl: string
  readonly mediaVendor: string
  readonly storeId: string
  /** What stands in for the secret key, which the panel does not show. */
  readonly secretHint: string
  readonly notificationUrl: string
}

/**
 * Shell commands that create a PIX, signed as docs/signing.md says. The reference gets the time, so
 * that they can be used again.
 */
export function firstTransactionCommands(first: FirstTransaction): string {
  const transaction = { ...request.transaction, 'notification-url': first.notificationUrl }
  const body = JSON.stringify({ ...request, transaction }).replace('REFERENCE', `'$(date +%s)'`)
  return `STORE=${quoted(first.storeId)}
SECRET=${quoted(first.secretHint)}
BODY='${body}'
DIGEST=$(printf %s "$BODY" | openssl md5 -r | cut -c1-32 | tr -d '\\n' | openssl base64 -A)
HMAC=$(printf %s "/transactions$DIGEST" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-64)
curl ${quoted(`${first.sandboxUrl}/transactions`)} \\
  -H "Authorization: $STORE:$HMAC" \\
  -H 'Accept: application/vnd.${first.mediaVendor}.v2+json; charset=UTF-8' \\
  -H 'Content-Type: application/json' \\
  -d "$BODY"`
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
