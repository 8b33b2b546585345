// Acquirers' reports about charges: each event is stored once, and applied once.
import { type Environment, declineSchema, minorUnits, MINUTE_MS } from '@cofre/contracts'
import { dueFirst } from '@cofre/work'
import type { AcquirerEvent } from '@cofre/provider-kit/card'
import type { ChargeKey } from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'

type Row = VaultTables['card_events']

/** An event of one of our charges. */
export interface KeptEvent extends AcquirerEvent {
  readonly accountId: string
  readonly appliedAtMs: number | undefined
}

export interface NewCardEvent {
  readonly accountId: string
  readonly charge: ChargeKey
  readonly event: AcquirerEvent
  readonly nowMs: number
  /** True if its effect is part of the same unit of work. */
  readonly isApplied?: boolean
}

/** Stores an event; false if its account has reported it before. */
export async function insertCardEvent(
  trx: VaultConnection,
  { accountId, charge, event, nowMs, isApplied = false }: NewCardEvent,
): Promise<boolean> {
  const row: Row = {
    account_id: accountId,
    id: event.id,
    environment: charge.environment,
    transaction_code: Number(charge.transactionCode),
    change: event.change,
    reference: event.reference,
    payment_id: event.paymentId ?? null,
    return_id: event.returnId ?? null,
    amount_minor: event.amountMinor,
    at_ms: event.atMs,
    detail: event.detail ?? null,
    decline: event.decline === undefined ? null : JSON.stringify(event.decline),
    received_at_ms: nowMs,
    try_at_ms: isApplied ? null : nowMs,
    applied_at_ms: isApplied ? nowMs : null,
  }
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('card_events')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** All reports about a charge, in the order of their events. */
export async function eventsOfCharge(
  db: VaultConnection,
  { environment, transactionCode }: ChargeKey,
): Promise<readonly KeptEvent[]> {
  const rows = await db
    .selectFrom('card_events')
    .selectAll()
    .where((of) => of.and({ transaction_code: Number(transactionCode), environment }))
    .orderBy('at_ms')
    .orderBy('received_at_ms')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    change: row.change,
    reference: row.reference,
    paymentId: row.payment_id ?? undefined,
    returnId: row.return_id ?? undefined,
    amountMinor: minorUnits(row.amount_minor),
    atMs: row.at_ms,
    detail: row.detail ?? undefined,
    decline: row.decline === null ? undefined : declineSchema.parse(JSON.parse(row.decline)),
    appliedAtMs: row.applied_at_ms ?? undefined,
  }))
}

type EventName = Pick<KeptEvent, 'accountId' | 'id'>

export async function markApplied(
  trx: VaultConnection,
  { accountId, id }: EventName,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('card_events')
    .set({ applied_at_ms: nowMs, try_at_ms: null })
    .where((of) => of.and({ account_id: accountId, id }))
    .where('applied_at_ms', 'is', null)
    .execute()
}

/**
 * The longest pause before an event that does not fit yet, or could not be applied, is tried again.
 */
export const EVENT_PAUSE_MAX_MS: number = MINUTE_MS

/** Sets when the unapplied events of a charge are tried again; null: with its next one. */
export async function postponeEvent(
  trx: VaultConnection,
  { environment, transactionCode }: ChargeKey,
  atMs: number | null,
): Promise<void> {
  await trx
    .updateTable('card_events')
    .set({ try_at_ms: atMs })
    .where((of) => of.and({ transaction_code: Number(transactionCode), environment }))
    .where('applied_at_ms', 'is', null)
    .execute()
}

/** Charges with events that are due. */
export async function chargesWithDueEvents(
  reader: VaultConnection,
  nowMs: number,
  limit: number,
): Promise<readonly ChargeKey[]> {
  const waiting = reader
    .selectFrom('card_events')
    .select(['transaction_code', 'environment'])
    // Repeats the condition of the partial index, so that it is used.
    .where('try_at_ms', 'is not', null)
  const due = { at: 'try_at_ms', longestMs: EVENT_PAUSE_MAX_MS, nowMs, limit } as const
  const rows = await dueFirst(waiting, due).execute()
  const charges = new Map(
    rows.map(({ environment, transaction_code }) => [
      `${environment} ${transaction_code}`,
      { environment, transactionCode: String(transaction_code) },
    ]),
  )
  return [...charges.values()]
}

/** Makes events that contradict their charge due at once. Returns their number. */
export async function tryContradicting(
  trx: VaultConnection,
  environment: Environment,
  nowMs: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('card_events')
    .set({ try_at_ms: nowMs })
    .where('environment', '=', environment)
    .where('applied_at_ms', 'is', null)
    .where('try_at_ms', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const LISTED_MAX = 1000

/** Events that contradict what is known, and wait for the next of their charge; oldest first. */
export async function contradictingEvents(reader: VaultConnection) {
  const rows = await reader
    .selectFrom('card_events')
    .select(['environment', 'transaction_code', 'change', 'received_at_ms'])
    .where('applied_at_ms', 'is', null)
    .where('try_at_ms', 'is', null)
    .orderBy('received_at_ms')
    .limit(LISTED_MAX)
    .execute()
  return rows.map(({ environment, transaction_code, change, received_at_ms: sinceMs }) => ({
    environment,
    transactionCode: String(transaction_code),
    change,
    sinceMs,
  }))
}
