import { CARD_TYPE } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { claim, isElsewhere, readEach } from '@cofre/work'
import { chargedShare } from '../../model/card/charged-share.js'
import { matchRefund } from '../../model/refund/refund-identity.js'
import type { SearchQuery } from '../../model/transaction/search-query.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import {
  REFUND_PAUSE_MAX_MS,
  type Refund,
  type RefundConflict,
  type RefundFacts,
  type RefundId,
  type RefundJudge,
  type RefundNote,
  type RefundOutcome,
  type RefundParts,
  refundInProcess,
  refundPauseMs,
} from '../../model/refund/refund.js'
import { returnFromArchive } from '../archive/archive-move-sql.js'
import { archived, listAnywhere, listEverywhere } from '../database/archive.js'
import { type InLane, laneOf } from '../transaction/charge-account-sql.js'
import { type GatewayTables, storedRefund, storedTransaction } from '../database/gateway-tables.js'
import { lockedRow } from '../database/transition.js'
import { useNonce } from '../merchant/request-nonce-sql.js'
import {
  endRefund,
  insertRefund,
  refundsOfTransaction,
  refundsOfTransactions,
} from './refund-sql.js'

export function createSqlRefundStore(database: Database<GatewayTables>) {
  return {
    /**
     * Commits a PROCESSING refund, unless the transaction already has it or `judge` objects.
     * Refunds of one transaction take turns: each sees the earlier ones.
     */
    insert: (refund: NewRefund, judge: RefundJudge, more: RefundParts = {}) =>
      database.transact((trx) => insert(trx, refund, { judge, ...more })),

    /**
     * Claims PROCESSING refunds that are due, each for exactly one caller until its lease ends,
     * even under concurrent calls. Each claim makes the next pause longer.
     */
    claimProcessing: (wanted: RefundClaim) => claimProcessing(database, wanted),

    /**
     * Commits the outcome of a PROCESSING refund, the transaction's status and the notifications of
     * both; false if another process did.
     */
    finish: (id: RefundId, outcome: RefundOutcome, atMs: number) =>
      database.transact(async (trx) => {
        const code = await lockTransactionOf(trx, id)
        return (
          code !== undefined &&
          (await endRefund(trx, { code, id, from: 'PROCESSING', outcome, atMs }))
        )
      }),

    /** Postpones a refund that could not be requested; the attempt does not count. */
    putOff: (refund: Refund, untilMs: number) =>
      database.transact((trx) => putOff(trx, refund, untilMs)),

    /**
     * Records that the bank has the refund in process: it is requested again after separate pauses.
     */
    postponeInProcess: (refund: Refund, machineNowMs: number) =>
      database.transact((trx) => postponeInProcess(trx, refund, machineNowMs)),

    /** Records the earliest time at which its acquirer makes it; undefined without one. */
    setNotBefore: (refund: Refund, notBeforeMs: number | undefined) =>
      database.transact((trx) => setNotBefore(trx, refund, notBeforeMs)),

    /**
     * The refunds of several transactions, oldest first.
     * @param among - Reaches the archive if one of them may be archived.
     */
    findOf: (
      codes: readonly TransactionCode[],
      among: Pick<SearchQuery, 'reachesArchive'> = { reachesArchive: true },
    ) => findOf(database.reader, codes, among),

    /** The staff's reasons for refunds of a transaction. */
    notesOf: (code: TransactionCode) => notesOf(database.reader, code),
  }
}

async function findOf(
  reader: Connection<GatewayTables>,
  codes: readonly TransactionCode[],
  { reachesArchive }: Pick<SearchQuery, 'reachesArchive'>,
): Promise<ReadonlyMap<TransactionCode, readonly Refund[]>> {
  const [code] = codes
  if (code === undefined) return new Map()
  const list = (db: Connection<GatewayTables>) =>
    codes.length === 1 ? refundsOfTransaction(db, code) : refundsOfTransactions(db, codes)
  const refunds = reachesArchive
    ? await listEverywhere(reader, list, ({ id }) => id)
    : await list(reader)
  return Map.groupBy(refunds, ({ transactionCode }) => transactionCode)
}

/** The refunds before it determine its charged amount and its identity. */
type NewRefund = Omit<Refund, 'chargedMinor' | 'identity'>

/** A worker's claim of refunds; times are by the machine's clock. */
export interface RefundClaim {
  readonly machineNowMs: number
  readonly limit: number
  /** Accounts and stores whose provider is already waited for; their refunds are not claimed. */
  readonly busy?: readonly string[]
  /** Called for a refund that cannot be read. */
  readonly unreadable: (error: unknown, id: number) => void
}

async function insert(
  trx: Connection<GatewayTables>,
  refund: NewRefund,
  { judge, nonce, note, key }: RefundParts & { readonly judge: RefundJudge },
): Promise<'inserted' | RefundConflict> {
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  const code = refund.transactionCode
  // One refund of a transaction at a time, so that each sees the earlier ones.
  const { isArchived, ...facts } = await lockFacts(trx, code)
  const meant = matchRefund(refund, facts.refunds, key)
  if (meant.kind !== 'new') return meant
  const objection = judge(facts)
  if (objection !== undefined) return { kind: 'refused', objection }
  if (isArchived) await returnFromArchive(trx, [code])
  const { amountMinor, chargedMinor: wholeMinor, paymentType } = facts.transaction
  const isShared = paymentType === CARD_TYPE || wholeMinor !== amountMinor
  const chargedMinor = isShared ? chargedShare(refund.amountMinor, facts) : undefined
  const { identity } = meant
  if (!(await insertRefund(trx, { ...refund, chargedMinor, identity }, 0))) return 'id_taken'
  if (note !== undefined) await insertNote(trx, refund, note)
  return 'inserted'
}

interface LockedFacts extends RefundFacts {
  readonly refunds: readonly Refund[]
  /** A refused refund leaves the transaction in the archive. */
  readonly isArchived: boolean
}

async function lockFacts(
  trx: Connection<GatewayTables>,
  code: TransactionCode,
): Promise<LockedFacts> {
  const outside = await lockedRow(trx, code)
  const inside = outside === undefined ? await lockedRow(archived(trx), code) : undefined
  const row = outside ?? inside ?? (await lockedRow(trx, code))
  if (row === undefined) throw new Error('a refund has a transaction')
  const isArchived = inside !== undefined
  return {
    transaction: storedTransaction.read(row),
    refunds: await refundsOfTransaction(isArchived ? archived(trx) : trx, code),
    isArchived,
  }
}

async function insertNote(
  trx: Connection<GatewayTables>,
  { id, transactionCode, merchantId }: NewRefund,
  note: RefundNote,
): Promise<void> {
  await trx
    .insertInto('refund_notes')
    .values({
      refund_id: id,
      transaction_code: transactionCode,
      merchant_id: merchantId,
      ...note,
    })
    .execute()
}

async function notesOf(
  db: Connection<GatewayTables>,
  code: TransactionCode,
): Promise<ReadonlyMap<RefundId, RefundNote>> {
  const rows = await listAnywhere(db, (notes) =>
    notes
      .selectFrom('refund_notes')
      .select(['refund_id', 'actor', 'reason', 'note'])
      .where('transaction_code', '=', code)
      .execute(),
  )
  return new Map(rows.map(({ refund_id: id, ...note }) => [id as RefundId, note]))
}

async function claimProcessing(
  database: Database<GatewayTables>,
  { machineNowMs, limit, busy = [], unreadable }: RefundClaim,
): Promise<readonly InLane<Refund>[]> {
  const lane = laneOf('refunds')
  const rows = await claim(database, {
    table: 'refunds',
    key: ['transaction_code', 'id'],
    rows: (db) =>
      db
        .selectFrom('refunds')
        .selectAll()
        .select(lane.as('lane'))
        // Literal, so that PostgreSQL uses the partial index.
        .where('status', '=', sql.lit('PROCESSING'))
        .where(isElsewhere(lane, busy)),
    due: { at: 'next_ask_at', longestMs: REFUND_PAUSE_MAX_MS, nowMs: machineNowMs, limit },
    take: ({ asks }) => ({ asks: asks + 1, next_ask_at: machineNowMs + refundPauseMs(asks) }),
  })
  return readEach(
    rows,
    (row) => ({ ...storedRefund.read(row), lane: row.lane }),
    (error, row) => {
      unreadable(error, row.id)
    },
  )
}

async function putOff(
  trx: Connection<GatewayTables>,
  { id, transactionCode }: Refund,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('refunds')
    .set((set) => ({ next_ask_at: untilMs, asks: set('asks', '-', 1) }))
    .where('transaction_code', '=', transactionCode)
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .execute()
}

async function postponeInProcess(
  trx: Connection<GatewayTables>,
  { id, transactionCode }: Refund,
  machineNowMs: number,
): Promise<void> {
  const row = await trx
    .selectFrom('refunds')
    .select('in_process')
    .where('transaction_code', '=', transactionCode)
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  await trx
    .updateTable('refunds')
    .set(refundInProcess(row.in_process, machineNowMs))
    .where('transaction_code', '=', transactionCode)
    .where('id', '=', id)
    .execute()
}

async function setNotBefore(
  trx: Connection<GatewayTables>,
  { id, transactionCode }: Refund,
  notBeforeMs: number | undefined,
): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ not_before: notBeforeMs ?? null })
    .where('transaction_code', '=', transactionCode)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks the transaction before the refund: every unit of work that changes both keeps this order,
 * to avoid deadlocks.
 */
async function lockTransactionOf(
  trx: Connection<GatewayTables>,
  id: RefundId,
): Promise<number | undefined> {
  const locked = await trx
    .selectFrom('transactions')
    .select('code')
    .where('code', '=', (keys) =>
      keys.selectFrom('refund_keys').select('transaction_code').where('id', '=', id),
    )
    .forUpdate()
    .executeTakeFirst()
  return locked?.code
}
