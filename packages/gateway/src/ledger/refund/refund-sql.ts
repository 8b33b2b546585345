// Statements that write refunds, in units of work that have locked their transaction.
import { NEXT_REFUND_STATUSES } from '@cofre/contracts'
import { type Connection, prepare } from '@cofre/sql'
import {
  type Refund,
  type RefundId,
  type RefundOutcome,
  refundPauseMs,
} from '../../model/refund/refund.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { type GatewayTables, storedRefund } from '../database/gateway-tables.js'
import { enqueueNotification } from '../database/outbox.js'
import type { ErasesPayer } from '../transaction/erases-payer.js'
import { paymentChanged } from '../transaction/payment-changed.js'
import { changeStatus } from '../transaction/status-change.js'

type Db = Connection<GatewayTables>

const refundsOf = prepare((db: Db, { code }: { readonly code: number }) =>
  oldestFirst(db).where('transaction_code', '=', code),
)

/** Oldest first. */
export async function refundsOfTransaction(
  db: Db,
  code: TransactionCode,
): Promise<readonly Refund[]> {
  return (await db.run(refundsOf({ code }))).rows.map(storedRefund.read)
}

/** Oldest first. */
export async function refundsOfTransactions(
  db: Db,
  codes: readonly TransactionCode[],
): Promise<readonly Refund[]> {
  const rows = await oldestFirst(db).where('transaction_code', 'in', codes).execute()
  return rows.map(storedRefund.read)
}

function oldestFirst(db: Db) {
  return db.selectFrom('refunds').select(storedRefund.columns).orderBy('requested_at').orderBy('id')
}

/** False if its id is taken. */
export async function insertRefund(trx: Db, refund: Refund, nextAskAtMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('refund_keys')
    .values({ id: refund.id, transaction_code: refund.transactionCode })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await trx
    .insertInto('refunds')
    .values({ ...storedRefund.rowOf(refund), next_ask_at: nextAskAtMs, asks: 0, in_process: 0 })
    .execute()
  return true
}

/** The time of a provider's report on refunds, and what recording it needs. */
export interface RefundReading {
  readonly atMs: number
  readonly machineNowMs: number
  readonly newRefundId: () => RefundId
}

type ProviderRefund = Pick<Refund, 'transactionCode' | 'merchantId' | 'amountMinor'> & {
  readonly chargedMinor?: Refund['chargedMinor']
  readonly providerRefundId: string
  readonly nature?: Refund['nature']
}

/** Inserts as PROCESSING a refund that people started at the provider. */
export async function insertProviderRefund(
  trx: Db,
  refund: ProviderRefund,
  { atMs, machineNowMs, newRefundId }: RefundReading,
): Promise<RefundId> {
  for (;;) {
    const id = newRefundId()
    const inserted: Refund = {
      chargedMinor: undefined,
      nature: undefined,
      ...refund,
      id,
      status: 'PROCESSING',
      reference: undefined,
      notifyUrl: '',
      requestedAtMs: atMs,
      processedAtMs: undefined,
      notBeforeMs: undefined,
      identity: undefined,
      metadata: undefined,
    }
    if (await insertRefund(trx, inserted, machineNowMs + refundPauseMs(0))) return id
  }
}

interface EndedRefund {
  readonly code: number
  readonly id: RefundId
  /** Its status, as far as the caller knows. */
  readonly from: Refund['status']
  readonly outcome: RefundOutcome
  readonly atMs: number
}

/**
 * Writes the end of a refund, the transaction's status and the notifications of both; false if the
 * refund's status is not `from`. A transaction stays REFUNDED if its refund is rejected later: with
 * COMPLETE, the shop would deliver goods that were returned.
 */
export async function endRefund(
  trx: Db,
  { code, id, from, outcome, atMs }: EndedRefund,
): Promise<boolean> {
  if (!NEXT_REFUND_STATUSES[from].includes(outcome)) return false
  const row = await trx
    .updateTable('refunds')
    .set({ status: outcome, processed_at: atMs })
    .where('transaction_code', '=', code)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return false
  const refund = storedRefund.read(row)
  const { merchantId, notifyUrl, nature } = refund
  const isUnaddressed = notifyUrl === ''
  // Without an address for the refund, only the transaction's status notifies the shop.
  if (outcome === 'PROCESSED' || (isUnaddressed && from === 'PROCESSED'))
    await changeStatus(trx, code, {
      to: 'REFUNDED',
      atMs,
      refundNature: outcome === 'PROCESSED' ? nature : undefined,
    })
  const news = { kind: 'refund-ended', refund, dueAtMs: atMs } as const
  await paymentChanged(trx, { code, isFoundAnyway: true, news })
  if (isUnaddressed) return true
  const { status } = await trx
    .selectFrom('transactions')
    .select('status')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await enqueueNotification(trx, {
    transaction_code: code,
    merchant_id: merchantId,
    refund_id: id,
    refund_nature: null,
    status,
    url: notifyUrl,
    created_at: atMs,
    next_attempt_at: atMs,
  })
  return true
}

/** Notes and metadata of refunds may contain payers' data. */
export const eraseRefundTexts: ErasesPayer = async (trx, codes) => {
  await trx
    .updateTable('refund_notes')
    .set({ note: '' })
    .where('transaction_code', 'in', codes)
    .execute()
  await trx
    .updateTable('refunds')
    .set({ metadata: null })
    .where('transaction_code', 'in', codes)
    .where('metadata', 'is not', null)
    .execute()
}
