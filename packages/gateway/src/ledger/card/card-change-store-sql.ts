// Records an acquirer's reports on a charge: each change once, with the status that follows.
import type { CardChange, MinorUnits } from '@cofre/contracts'
import { type Connection, type Database, probeWriting } from '@cofre/sql'
import {
  type AppliedCardChange,
  type ChangeOutcome,
  isChargedBack,
} from '../../model/card/card-change.js'
import { amountShare, exceedsCharge } from '../../model/card/charged-share.js'
import { type AnsweredCard, captureOf, learntCard } from '../../model/card/learnt-card.js'
import type { Refund, RefundFacts, RefundId } from '../../model/refund/refund.js'
import { type Capture, type CaptureOutcome, isAuthorized } from '../../model/transaction/capture.js'
import {
  type StatusMove,
  type Transaction,
  type TransactionCode,
  hasBeenPaid,
  isUndecided,
  statusOfOutcome,
} from '../../model/transaction/transaction.js'
import { type CaptureEffect, endAuthorized } from '../capture/capture-end-sql.js'
import { endOrderBefore, insertCapture } from '../capture/capture-row-sql.js'
import { findToChange } from '../archive/archive-move-sql.js'
import { listAnywhere } from '../database/archive.js'
import { storedCardChange } from '../database/card-tables.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'
import { lockedRow } from '../database/transition.js'
import {
  type RefundReading,
  endRefund,
  insertProviderRefund,
  insertRefund,
  refundsOfTransaction,
} from '../refund/refund-sql.js'
import { countDecline } from '../transaction/decline-limit.js'
import { noteCard } from '../transaction/learnt-card-sql.js'
import { paymentChanged } from '../transaction/payment-changed.js'
import { changeStatus } from '../transaction/status-change.js'

type Db = Connection<GatewayTables>

export function createSqlCardChangeStore(database: Database<GatewayTables>) {
  return {
    /**
     * Commits a change, its consequences and their notification. Applied again, it changes nothing.
     */
    apply: (change: CardChange, reading: RefundReading) =>
      database.transact((trx) => apply(trx, change, reading)),

    /**
     * Commits the end of a waiting transaction, from its vault's answer; the vault reports the same
     * end as a change. A transaction that has ended does not change.
     */
    settle: (code: TransactionCode, answer: AnsweredCard, atMs: number) =>
      database.transact(async (trx) => {
        const transaction = await lockedTransaction(trx, code)
        return transaction !== undefined && (await settle(trx, transaction, { answer, atMs }))
      }),

    /** Resolves when a change can be committed. @throws the database's error */
    probe: () => probeWriting(database),

    /** A transaction's changes, in order of time. */
    of: (code: TransactionCode) => listAnywhere(database.reader, (db) => changesOf(db, code)),
  }
}

interface Applying {
  readonly transaction: Transaction
  /** When the change happened, by the machine's clock. */
  readonly atMs: number
  readonly change: CardChange['change']
  /** All changes of the transaction, including this one. */
  readonly changes: readonly AppliedCardChange[]
}

/** The result of a change. */
export interface AppliedChange {
  readonly outcome: ChangeOutcome
  /** The effect on an authorized payment; undefined without one. */
  readonly capture?: CaptureOutcome | undefined
}

async function apply(trx: Db, change: CardChange, reading: RefundReading): Promise<AppliedChange> {
  const transaction = await lockedTransaction(trx, Number(change.transactionCode))
  if (transaction === undefined) return { outcome: 'no-transaction' }
  const known = await changesOf(trx, transaction.code)
  if (known.some(({ id }) => id === change.id)) return { outcome: 'known' }
  if (isTooEarly(transaction, change.change)) return { outcome: 'too-early' }
  const applied = appliedChange(change, transaction.code)
  await trx.insertInto('card_changes').values(storedCardChange.rowOf(applied)).execute()
  const { atMs } = change
  const applying = { transaction, atMs, change: change.change, changes: [...known, applied] }
  const { isFit, outcome: capture } = await applyCardChange(trx, applying, reading)
  if (!isFit) return { outcome: 'unfit' }
  return { outcome: (await isExcess(trx, applying)) ? 'excess' : 'applied', capture }
}

/** The changes that end an authorized payment, or leave it so. */
const OF_AUTHORIZED: readonly CardChange['change']['kind'][] = [
  'settled',
  'captured',
  'still_authorized',
  'released',
]

function isTooEarly(transaction: Transaction, { kind }: CardChange['change']): boolean {
  if (isAuthorized(transaction)) return !OF_AUTHORIZED.includes(kind)
  return isUndecided(transaction) && kind !== 'settled'
}

async function lockedTransaction(trx: Db, code: number): Promise<Transaction | undefined> {
  const row = await findToChange(trx, code, () => lockedRow(trx, code))
  return row && storedTransaction.read(row)
}

/** A refund that is made late may have been replaced by another one. */
async function isExcess(trx: Db, { transaction, change }: Applying): Promise<boolean> {
  if (change.kind !== 'refund_ended' && change.kind !== 'provider_refund') return false
  if (change.outcome !== 'PROCESSED') return false
  return exceedsCharge({ transaction, refunds: await refundsOfTransaction(trx, transaction.code) })
}

function appliedChange(
  { id, atMs, change, detail }: CardChange,
  transactionCode: TransactionCode,
): AppliedCardChange {
  const amountMinor: MinorUnits | undefined =
    'amountMinor' in change ? change.amountMinor : undefined
  return { id, transactionCode, kind: change.kind, atMs, amountMinor, detail }
}

async function applyCardChange(
  trx: Db,
  applying: Applying,
  reading: RefundReading,
): Promise<CaptureEffect> {
  const { transaction, change } = applying
  const { atMs } = reading
  switch (change.kind) {
    case 'captured': {
      const { amountMinor: chargedMinor } = change
      if (chargedMinor === 0) return { isFit: false, outcome: undefined }
      return await endAuthorized(trx, transaction, { to: 'captured', chargedMinor, atMs })
    }
    case 'still_authorized': {
      const refusal = { ...change, atMs: applying.atMs }
      const isNew = await endOrderBefore(trx, transaction.code, refusal)
      return { isFit: true, outcome: isNew ? 'refused' : undefined }
    }
    case 'released':
      return await endAuthorized(trx, transaction, { to: 'released', by: change.by, atMs })
    case 'settled':
    case 'capture_failed':
    case 'refund_ended':
    case 'provider_refund':
    case 'dispute_announced':
    case 'charged_back':
    case 'chargeback_reversed':
      return { isFit: await isFit(trx, { ...applying, change }, reading), outcome: undefined }
  }
}

type OfAuthorization = Change<'captured' | 'still_authorized' | 'released'>

interface ApplyingCharged extends Applying {
  readonly change: Exclude<Applying['change'], OfAuthorization>
}

async function isFit(trx: Db, applying: ApplyingCharged, reading: RefundReading): Promise<boolean> {
  const { transaction, change } = applying
  switch (change.kind) {
    case 'settled':
      return await settle(trx, transaction, { answer: change.answer, atMs: reading.atMs })
    case 'capture_failed':
      return await move(trx, transaction, {
        to: 'CANCELLED',
        by: 'capture_failed',
        atMs: reading.atMs,
      })
    case 'refund_ended':
      return await endStoreRefund(trx, applying, { ...change, atMs: reading.atMs })
    case 'provider_refund':
      return await recordProviderRefund(trx, applying, { ...change, reading })
    case 'dispute_announced':
      return true
    case 'charged_back':
    case 'chargeback_reversed':
      return await recordChargeback(trx, applying, reading.atMs)
  }
}

type Change<Kind extends Applying['change']['kind']> = Extract<
  Applying['change'],
  { readonly kind: Kind }
>

/** Ends a transaction that was answered as waiting; an open one is settled before. */
async function settle(
  trx: Db,
  transaction: Transaction,
  { answer, atMs }: { readonly answer: AnsweredCard; readonly atMs: number },
): Promise<boolean> {
  const { code, status } = transaction
  const to = statusOfOutcome(answer.outcome)
  await noteCard(trx, code, learntCard(answer))
  const capture = captureOf(transaction, answer, atMs)
  if (capture !== undefined) return await authorize(trx, transaction, { capture, atMs })
  const isKnown = status === to || (to === 'COMPLETE' && hasBeenPaid(transaction))
  if (isKnown) return true
  if (answer.outcome === 'declined')
    await trx.run(countDecline(transaction, { atMs, cardBin: answer.card.bin }))
  return await move(trx, transaction, { to, atMs })
}

/** It keeps its status: the specification has none for it. */
async function authorize(
  trx: Db,
  transaction: Transaction,
  { capture, atMs }: { readonly capture: Capture; readonly atMs: number },
): Promise<boolean> {
  if (transaction.capture !== undefined) return true
  if (!isUndecided(transaction)) return false
  const { code } = transaction
  await insertCapture(trx, transaction, capture)
  await trx
    .updateTable('transactions')
    .set(storedTransaction.partOf({ capture }))
    .where('code', '=', code)
    .execute()
  const authorized = { ...transaction, capture }
  const news = { kind: 'authorized', transaction: authorized, dueAtMs: atMs } as const
  await paymentChanged(trx, { code, isFoundAnyway: false, news: { ...news, isIfOpen: false } })
  return true
}

async function move(trx: Db, { code }: Transaction, to: StatusMove): Promise<boolean> {
  return (await changeStatus(trx, code, to)) !== undefined
}

type StoreRefundEnd = Change<'refund_ended'> & { readonly atMs: number }

async function endStoreRefund(
  trx: Db,
  { transaction }: Applying,
  end: StoreRefundEnd,
): Promise<boolean> {
  const { code } = transaction
  const refunds = await refundsOfTransaction(trx, code)
  const refund = refunds.find(({ id }) => String(id) === end.refundId)
  if (refund === undefined) return await recordForgottenRefund(trx, { transaction, refunds }, end)
  const { id, status: from } = refund
  const { outcome, atMs } = end
  return from === outcome || (await endRefund(trx, { code, id, from, outcome, atMs }))
}

/** A refund that the store requested after the backup from which this database was restored. */
async function recordForgottenRefund(
  trx: Db,
  facts: RefundFacts,
  { refundId, amountMinor: chargedMinor, reference, identity, outcome, atMs }: StoreRefundEnd,
): Promise<boolean> {
  const { code, merchantId } = facts.transaction
  const forgotten: Refund = {
    id: Number(refundId) as RefundId,
    transactionCode: code,
    merchantId,
    status: outcome,
    amountMinor: amountShare(chargedMinor, facts),
    chargedMinor,
    reference,
    notifyUrl: '',
    requestedAtMs: atMs,
    processedAtMs: atMs,
    notBeforeMs: undefined,
    providerRefundId: undefined,
    nature: undefined,
    identity,
    metadata: undefined,
  }
  if (!(await insertRefund(trx, forgotten, 0))) return false
  if (outcome === 'PROCESSED') await changeStatus(trx, code, { to: 'REFUNDED', atMs })
  const news = { kind: 'refund-ended', refund: forgotten, dueAtMs: atMs } as const
  await paymentChanged(trx, { code, isFoundAnyway: true, news })
  return true
}

async function recordProviderRefund(
  trx: Db,
  { transaction }: Applying,
  change: Change<'provider_refund'> & { readonly reading: RefundReading },
): Promise<boolean> {
  const { providerRefundId, amountMinor: chargedMinor, outcome, reading } = change
  const { code, merchantId } = transaction
  const refunds = await refundsOfTransaction(trx, code)
  const known = refunds.find((refund) => refund.providerRefundId === providerRefundId)
  // No money was returned, and no refund was promised.
  if (known === undefined && outcome === 'REJECTED') return true
  if (known?.status === outcome) return true
  const amountMinor = amountShare(chargedMinor, { transaction, refunds })
  const refund = { transactionCode: code, merchantId, amountMinor, chargedMinor, providerRefundId }
  const id = known?.id ?? (await insertProviderRefund(trx, refund, reading))
  const from = known?.status ?? 'PROCESSING'
  return await endRefund(trx, { code, id, from, outcome, atMs: reading.atMs })
}

/** A chargeback in force changes the status; its reports may arrive in any order. */
async function recordChargeback(
  trx: Db,
  { transaction, changes }: Applying,
  atMs: number,
): Promise<boolean> {
  const isNow = transaction.status === 'CHARGEBACK'
  const isToBe = isChargedBack(changes)
  if (isNow === isToBe) return hasBeenPaid(transaction)
  if (isToBe) return await move(trx, transaction, { to: 'CHARGEBACK', atMs })
  const refunds = await refundsOfTransaction(trx, transaction.code)
  const to = refunds.some(({ status }) => status === 'PROCESSED') ? 'REFUNDED' : 'COMPLETE'
  return await move(trx, transaction, { to, by: 'chargeback_reversed', atMs })
}

async function changesOf(db: Db, code: TransactionCode): Promise<readonly AppliedCardChange[]> {
  const rows = await db
    .selectFrom('card_changes')
    .select(storedCardChange.columns)
    .where('transaction_code', '=', code)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(storedCardChange.read)
}
