// What a stored payment leaves in each table that grows with payments: a copy of a real row, but
// for these columns. `payment` is the payment to store: its `n`, when it was made (`ms`), its code
// and its store.
const DIGEST = 'x'.repeat(43)

const PAYMENT_KEYS = {
  transaction_code: 'payment.code',
  merchant_id: 'payment.store',
  reference: "'stored-' || payment.n",
  public_id: "'stored' || payment.n",
}

const PAYMENT = {
  code: 'payment.code',
  merchant_id: PAYMENT_KEYS.merchant_id,
  reference: PAYMENT_KEYS.reference,
  public_id: PAYMENT_KEYS.public_id,
  payer_document: "'stored' || (payment.n % 100000)",
  created_at: 'payment.ms',
  paid_at: 'payment.ms + 40',
  next_ask_at: 'payment.ms + 120000',
  status_changed_at: 'payment.ms + 40',
}

const NOTIFICATION = {
  transaction_code: 'payment.code',
  merchant_id: 'payment.store',
  created_at: 'payment.ms + 40',
  next_attempt_at: 'payment.ms + 600000',
  acknowledged_at: 'payment.ms + 60',
  searched_at: 'payment.ms + 100',
  // The shop has searched after it: it has come to rest.
  done_at: 'payment.ms + 100',
}

const AUTHORIZATION = {
  transaction_code: 'payment.code',
  merchant_id: 'payment.store',
  created_at_ms: 'payment.ms + 30',
}

/** In place in the chain, so that nothing is left to do with it; before the real ones. */
function auditEntry(action, record) {
  return {
    id: `'00' || payment.ms || '-' || payment.code || '${action}'`,
    at_ms: 'payment.ms',
    record,
    position: '-1 - payment.n',
    mac: `'${DIGEST}'`,
  }
}

/** By database: each table, the row that is copied, and what differs in the copy. */
export const STORED_ROWS = {
  gateway: [
    { table: 'transaction_keys', like: '', overrides: PAYMENT_KEYS },
    { table: 'transactions', like: 'order by code desc', overrides: PAYMENT },
    { table: 'notifications', like: 'where attempts = 1', overrides: NOTIFICATION },
    {
      table: 'notification_attempts',
      like: 'where status_code = 200',
      overrides: { transaction_code: 'payment.code', at: 'payment.ms + 60' },
    },
  ],
  vault: [
    { table: 'authorizations', like: '', overrides: AUTHORIZATION },
    {
      table: 'audit_log',
      like: "where action = 'direct_token.deposited'",
      overrides: auditEntry('d', `'${DIGEST}'`),
    },
    {
      table: 'audit_log',
      like: "where action = 'card.authorized'",
      overrides: {
        ...auditEntry('a', 'cast(payment.code as text)'),
        merchant_id: 'payment.store',
        actor: "'store:' || payment.store",
      },
    },
  ],
}
