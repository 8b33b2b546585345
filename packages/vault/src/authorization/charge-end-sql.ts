import { type Database, columnsOf, prepare, valuesOf } from '@cofre/sql'
import type { AcquirerPayment } from '@cofre/provider-kit/card'
import type { AuditRow } from '../audit/audit-entry.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { AuthorizationKey, KnownOutcome } from './authorization.js'
import { type EntryOfOrder, type Key, keyOf } from './authorization-sql.js'
import { type CancelsOfPayment, cancelsToDrop } from './card-cancel-sql.js'
import { paymentColumns } from './card-charge.js'
import { type AcquirerReport, reportColumns } from './card-charge-sql.js'

type ChargeRow = VaultTables['card_charges']

/** The charge of an order, while its outcome is unknown. The last statement ends it. */
function unended(db: VaultConnection, { environment, transaction_code }: Key) {
  return db
    .selectFrom('card_charges')
    .where('card_charges.environment', '=', environment)
    .where('card_charges.transaction_code', '=', transaction_code)
    .where('card_charges.ended_at_ms', 'is', null)
}

/**
 * Locks the charge: another process that ends it at the same moment waits, and then changes
 * nothing.
 */
const insertEntryIfUnended = prepare(
  (db: VaultConnection, { order_environment, order_code, ...entry }: EntryOfOrder) =>
    db
      .insertInto('audit_log')
      .columns(columnsOf(entry))
      .expression(
        unended(db, { environment: order_environment, transaction_code: order_code })
          .select(valuesOf(entry))
          .forUpdate(),
      ),
)

type EndColumns = Omit<
  ChargeRow,
  | 'installation'
  | 'first_attempt_at_ms'
  | 'sent_eci'
  | 'charged_card_code'
  | 'is_unlinked'
  | 'capture_days'
  | 'captured_minor'
  | 'capture_ended_at_ms'
>

/** For an approved charge, which must no longer be cancelled. */
const dropCancelsIfUnended = prepare((db: VaultConnection, cancels: CancelsOfPayment) =>
  cancelsToDrop(db, cancels).where((row) => row.exists(unended(db, cancels).select('state'))),
)

const recordOutcomeIfUnended = prepare(
  (db: VaultConnection, { outcome, ...key }: Key & { readonly outcome: KnownOutcome }) =>
    db
      .updateTable('authorizations')
      .set({ outcome, decline: null, sealed_card: null })
      .where((row) => row.and(key))
      .where((row) => row.exists(unended(db, key).select('state'))),
)

const endIfUnended = prepare(
  (db: VaultConnection, { environment, transaction_code, ...columns }: EndColumns) =>
    db
      .updateTable('card_charges')
      .set(columns)
      .where('environment', '=', environment)
      .where('transaction_code', '=', transaction_code)
      .where('ended_at_ms', 'is', null),
)

/** An end that leaves nothing else to do, with its entry in the audit log. */
export interface PlainEnd extends AcquirerReport {
  readonly outcome: KnownOutcome
  readonly payment: AcquirerPayment
  readonly entry: AuditRow
}

/**
 * Writes the acquirer's report and the order's outcome, erases the card, and drops cancels of the
 * payment. False, with nothing changed, if the outcome was known before.
 */
export async function endPlainly(
  database: Database<VaultTables>,
  authorization: AuthorizationKey,
  { outcome, entry, ...report }: PlainEnd,
): Promise<boolean> {
  const key = keyOf(authorization)
  const { payment, state, atMs } = report
  const { environment: order_environment, transaction_code: order_code } = key
  const { ended } = await database.commit({
    logged: insertEntryIfUnended({ ...entry, order_environment, order_code }),
    ...(state === 'approved' && {
      dropped: dropCancelsIfUnended({ ...key, payment_id: payment.paymentId, ended_at_ms: atMs }),
    }),
    recorded: recordOutcomeIfUnended({ ...key, outcome }),
    ended: endIfUnended({ ...key, ...reportColumns(report), ...paymentColumns(payment) }),
  })
  return ended.written === 1
}
