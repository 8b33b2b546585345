// Whether a database still has every payment that shops got an answer for: what each of its commits
// wrote, read straight from the tables of gateway and vault.
import { askPostgres } from './log-bytes.mjs'

/** What the answer to `POST /transactions` stands for in the gateway and in the vault. */
const STORED = {
  PAID: { status: 'COMPLETE', outcome: 'approved' },
  REJECTED: { status: 'CANCELLED', outcome: 'declined' },
  // The gateway did not hear of an outcome, so nobody has promised one.
  PENDING: { status: 'UNDER-REVIEW' },
}

/** What is to be found of each payment: the status or outcome it says, and when it was written. */
const PARTS = [
  {
    name: 'status',
    says: 'status',
    // A payment under review may have changed since. The notification shares the status's commit:
    // its time is checked instead.
    query: `select code, created_at as at_ms,
        case when first_status in (status, 'UNDER-REVIEW') then first_status end as said
      from cofre.transactions`,
  },
  {
    name: 'notification',
    says: 'status',
    query: `select transaction_code as code, created_at as at_ms, status as said
      from cofre.notifications where position = 1`,
  },
  {
    name: 'authorization',
    says: 'outcome',
    query: `select transaction_code as code, ended_at_ms as at_ms, outcome as said
      from cofre_vault.authorizations
      join cofre_vault.card_charges using (transaction_code, environment)
      where environment = 'production' and outcome = state and sealed_card is null`,
  },
  {
    name: 'audit entry',
    says: 'outcome',
    query: `select record as code, at_ms, outcome as said
      from cofre_vault.audit_log where environment = 'production' and action = 'card.authorized'`,
  },
]

/**
 * Looks for every part of payments.
 * @param answered - The code and status of each answer, and when it came as `answeredAtMs`.
 * @returns of each part how many were looked for, and how many of them are lost
 */
export async function findParts(url, answered) {
  const found = []
  for (const { name, says, query } of PARTS) {
    const stored = new Map((await askPostgres(url, query)).map((row) => [row.code, row]))
    const promised = answered.filter(({ status }) => STORED[status][says] !== undefined)
    // What was written after the answer had been lost: a worker wrote it again.
    const lost = promised.filter(({ code, status, answeredAtMs }) => {
      const { said, at_ms: atMs } = stored.get(code) ?? {}
      return said !== STORED[status][says] || Number(atMs) > answeredAtMs
    })
    found.push({ name, checked: promised.length, lost: lost.length })
  }
  return found
}
