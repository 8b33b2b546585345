/** The form of an encrypted security code. */
const TOKEN = `eyJhbGciOiJFQ0RILUVTIn0..${'i'.repeat(16)}.${'c'.repeat(64)}.${'t'.repeat(22)}`

/** Further fields of a transaction: values that are accepted, and others. */
export const OPTIONAL_ROWS = [
  {
    path: 'transaction.gifting',
    name: 'transaction_invalid',
    accepts: [true, false],
    refuses: ['true', 1, {}],
    optional: true,
  },
  {
    path: 'transaction.metadata',
    name: 'transaction_invalid',
    accepts: [{ channel: 'app' }, {}],
    refuses: ['channel=app', 1, [], [{}], { channel: 1 }, { 'sales channel': 'app' }],
    optional: true,
  },
  {
    path: 'charge[0].payment-info.capture',
    name: 'charge_#_payment_info_capture_invalid',
    accepts: [true, false],
    refuses: ['false', 0, {}],
    optional: true,
  },
  {
    path: 'charge[0].payment-info.security-code-token',
    name: 'charge_#_payment_info_security_code_token_invalid',
    accepts: [TOKEN],
    refuses: ['737', '7373', 737, 'token', `${TOKEN}.a`, TOKEN.repeat(20), {}],
    in: 'code',
    optional: true,
  },
] as const
