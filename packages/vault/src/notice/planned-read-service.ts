// Finds charges at acquirers that can be read: those that a hint names, and pending ones.
import { type Log, MINUTE_MS, SECOND_MS, isLimited, paymentReference } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import {
  type Acquirer,
  type FindRequest,
  type FoundDispute,
  type FoundPayment,
} from '@cofre/provider-kit/card'
import { insertCancel } from '../authorization/card-cancel-sql.js'
import type { AtAccount } from '../authorization/account-lanes-sql.js'
import { workAtAccounts } from '../authorization/account-lanes.js'
import { type ChargeKey, isLeased, isClosedForChanges } from '../authorization/card-charge.js'
import { type OrderedCharge, findCharge } from '../authorization/card-charge-sql.js'
import { endByFind, findPayment, pauseAfter } from '../authorization/found-charge-service.js'
import { endInRecords } from '../capture/card-capture.js'
import { endAuthorization } from '../capture/capture-end-sql.js'
import { findCapture } from '../capture/capture-sql.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { announce } from '../outbox/change-sql.js'
import { recordFoundIds } from '../saved-card/saved-card-sql.js'
import { recordReturned } from '../refund/found-returns-sql.js'
import { SUM_UNCLEAR } from '../refund/refund-service.js'
import { endTurn, leaseTurn, lockCharge } from '../refund/turn-sql.js'
import { changesDispute, isWithdrawn, disputeStateOf } from '../refund/dispute.js'
import { eventsOfCharge, insertCardEvent } from '../refund/event-sql.js'
import {
  type PlannedRead,
  type PendingCharge,
  dueReads,
  duePending,
  removeRead,
  postponeRead,
  postponePending,
} from '../authorization/planned-read-sql.js'

export interface ReadDeps extends SealingDeps {
  readonly log: Log
  /** The acquirer of a known account, also of a disabled one. */
  readonly acquirerOf: (accountId: string) => Promise<Acquirer>
  readonly acquirerTimeoutMs?: number | undefined
}

const READS_AT_ONCE = 20
/** By then a look has ended, or its process has. */
const READ_MS = MINUTE_MS
/** The pause after another process worked on the charge. */
const LEASED_AGAIN_MS = 5 * SECOND_MS
/** The pause after an acquirer that did not answer. */
const REREAD_MS = 5 * MINUTE_MS
const PENDING_AGAIN_MS = 15 * MINUTE_MS

/** Makes the looks that are due. May run in many processes at once. */
export async function performReads(deps: ReadDeps, lanes: Lanes): Promise<void> {
  const { clock, database } = deps
  const nowMs = clock.now()
  await Promise.all([
    workAtAccounts<PlannedRead & AtAccount>(deps, lanes, {
      list: (list) => dueReads(database.reader, list),
      work: (read) => performRead(deps, read),
      putOff: (read) => database.transact((trx) => postponeRead(trx, read, nowMs + REREAD_MS)),
      ...READ_LOG,
    }),
    workAtAccounts<PendingCharge>(deps, lanes, {
      list: (list) => duePending(database.reader, list),
      work: ({ key }) => readPending(deps, key),
      putOff: ({ key }) =>
        database.transact((trx) => postponePending(trx, key, nowMs + PENDING_AGAIN_MS)),
      ...READ_LOG,
    }),
  ])
}

const READ_LOG = {
  limit: READS_AT_ONCE,
  factsOf: ({ key }: { readonly key: ChargeKey }) => ({ ...key }),
  failure: 'a charge could not be looked at',
}

async function performRead(deps: ReadDeps, read: PlannedRead): Promise<void> {
  const { clock, database } = deps
  const { key } = read
  const known = await findCharge(database.reader, key)
  const acquirer = known && (await deps.acquirerOf(known.accountId))
  const mayChange = known && known.state !== 'declined' && !isClosedForChanges(known, clock.now())
  if (acquirer?.find === undefined || mayChange !== true) {
    await database.transact((trx) => removeRead(trx, read))
    return
  }
  const turn = await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    if (charge === undefined || isLeased(charge.leaseUntilMs, nowMs)) {
      // An item that stays due would come before all others.
      await postponeRead(trx, read, nowMs + LEASED_AGAIN_MS)
      return undefined
    }
    const leased = await leaseTurn(trx, charge, nowMs)
    return { charge: leased, read: await postponeRead(trx, read, nowMs + READ_MS) }
  })
  if (turn === undefined) return
  if (turn.charge.endedAtMs === undefined) {
    const isRead = await endByFind(deps, turn.charge, acquirer)
    await database.transact(async (trx) => {
      const isApproved = (await findCharge(trx, key))?.state === 'approved'
      const nowMs = clock.now()
      if (!isRead) await postponeRead(trx, turn.read, nowMs + REREAD_MS)
      // Earlier refunds are read once the charge counts as made.
      else if (isApproved) await postponeRead(trx, turn.read, nowMs)
      else await removeRead(trx, turn.read)
    })
    return
  }
  const reading = {
    charge: turn.charge,
    acquirer,
    urgency: read.isLater ? 'later' : undefined,
  } as const
  await readInTurn(deps, reading, async (trx, end) => {
    if (end.kind === 'read') await removeRead(trx, turn.read)
    else await postponeRead(trx, turn.read, clock.now() + end.pauseMs)
  })
}

/** The end of a reading of an approved charge. */
export type ReadEnd =
  | { readonly kind: 'read' }
  | {
      readonly kind: 'again'
      readonly pauseMs: number
      /** True if the acquirer was not asked, because of the account's limit of calls. */
      readonly wasNotRequested: boolean
    }

const LEASED: ReadEnd = { kind: 'again', pauseMs: LEASED_AGAIN_MS, wasNotRequested: true }

interface ReadingOf {
  readonly acquirer: Acquirer
  readonly urgency: FindRequest['urgency']
}

/** Reads an approved charge at its acquirer, and commits the result. */
export async function readApproved(
  deps: ReadDeps,
  { key, acquirer, urgency }: ReadingOf & { readonly key: ChargeKey },
): Promise<ReadEnd> {
  const { clock, database } = deps
  const charge = await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, key)
    const isFree = held !== undefined && !isLeased(held.leaseUntilMs, nowMs)
    return isFree ? await leaseTurn(trx, held, nowMs) : undefined
  })
  if (charge === undefined) return LEASED
  return await readInTurn(deps, { charge, acquirer, urgency }, () => Promise.resolve())
}

/** @param also - Further writes in the same unit of work. */
async function readInTurn(
  deps: ReadDeps,
  { charge: leased, acquirer, urgency }: ReadingOf & { readonly charge: OrderedCharge },
  also: (trx: VaultConnection, end: ReadEnd) => Promise<void>,
): Promise<ReadEnd> {
  const answer = await findPayment(deps, { ...leased, urgency }, acquirer)
  return await deps.database.transact(async (trx) => {
    const charge = await lockCharge(trx, leased.key)
    if (charge?.leaseUntilMs !== leased.leaseUntilMs) return LEASED
    const found = answer.kind === 'done' ? answer.value : undefined
    const isAbsent = answer.kind === 'absent'
    const isSeen = found !== undefined && (await recordFound(deps, trx, { charge, found }))
    if (found !== undefined || isAbsent) {
      const ids = found?.payment
      await recordFoundIds(trx, charge, { ids, nowMs: deps.clock.now() })
    }
    const wasNotRequested = isLimited(answer)
    const pauseMs = pauseAfter(answer, wasNotRequested ? 0 : REREAD_MS)
    const end: ReadEnd =
      isSeen || isAbsent ? { kind: 'read' } : { kind: 'again', pauseMs, wasNotRequested }
    await also(trx, end)
    await endTurn(trx, charge)
    return end
  })
}

interface Found {
  readonly charge: OrderedCharge
  readonly found: FoundPayment
}

/** Commits an acquirer's record of an approved charge; false if it has to be read again. */
async function recordFound(
  { clock, log }: ReadDeps,
  trx: VaultConnection,
  { charge, found }: Found,
): Promise<boolean> {
  const nowMs = clock.now()
  const { key, accountId } = charge
  for (const paymentId of found.surplus)
    await insertCancel(trx, { ...pick(key), paymentId }, { accountId, nowMs })
  for (const dispute of found.disputes) await recordDispute(trx, { charge, dispute, nowMs })
  // Nothing was captured, so nothing can go back.
  if (!(await isFoundCaptured(trx, { charge, found }, nowMs))) return true
  if (found.state === 'declined') await recordRefusal(trx, charge, nowMs)
  const { returnedMinor: returned } = found
  const sum = await recordReturned(trx, charge, { returned, nowMs })
  const facts = { transaction: key.transactionCode, account: accountId, returned }
  if (sum === 'unclear') log.warn(facts, SUM_UNCLEAR)
  return sum !== 'lagging'
}

const pick = ({ environment, transactionCode }: ChargeKey): ChargeKey => ({
  environment,
  transactionCode,
})

/** Commits the end of an authorization; true if the charge is captured, as most are at once. */
async function isFoundCaptured(
  trx: VaultConnection,
  { charge, found }: Found,
  nowMs: number,
): Promise<boolean> {
  const { captureDays, capturedMinor = 0, key } = charge
  if (captureDays === undefined || capturedMinor > 0) return true
  const end = endInRecords(found, charge, { capture: await findCapture(trx, key), nowMs })
  if (end !== undefined) await endAuthorization(trx, key, { end, atMs: nowMs, nowMs })
  return end?.kind === 'captured'
}

/** Reports once that an approved charge was refused after all: its money does not come. */
async function recordRefusal(
  trx: VaultConnection,
  charge: OrderedCharge,
  nowMs: number,
): Promise<void> {
  const { key, accountId, payment, amountMinor } = charge
  const wasReported = isWithdrawn(charge, await eventsOfCharge(trx, key))
  const event = {
    id: `capture_failed:${payment?.paymentId ?? key.transactionCode}`,
    change: 'capture_failed',
    reference: paymentReference(key),
    paymentId: payment?.paymentId,
    returnId: undefined,
    amountMinor,
    atMs: nowMs,
    detail: undefined,
  } as const
  const isNew = await insertCardEvent(trx, {
    accountId,
    charge: key,
    event,
    nowMs,
    isApplied: true,
  })
  const change = { kind: 'capture_failed' } as const
  if (isNew && !wasReported) await announce(trx, { ...pick(key), atMs: nowMs, change }, nowMs)
}

interface Disputed {
  readonly charge: OrderedCharge
  readonly dispute: FoundDispute
  readonly nowMs: number
}

/**
 * Reports a dispute, once for each of its two ends. A dispute that is already won when first seen
 * is not reported.
 */
async function recordDispute(
  trx: VaultConnection,
  { charge, dispute, nowMs }: Disputed,
): Promise<void> {
  const { key, accountId, payment } = charge
  const { amountMinor, disputeId, isReversed, reason } = dispute
  const kind = isReversed ? 'chargeback_reversed' : 'charged_back'
  const event = {
    id: `${kind}:${payment?.paymentId ?? ''}:${disputeId}`,
    change: kind,
    reference: paymentReference(key),
    paymentId: payment?.paymentId,
    returnId: disputeId,
    amountMinor,
    atMs: nowMs,
    detail: reason,
  } as const
  const standing = disputeStateOf(disputeId, await eventsOfCharge(trx, key))
  if (!(await insertCardEvent(trx, { accountId, charge: key, event, nowMs, isApplied: true })))
    return
  if (!changesDispute(kind, standing)) return
  const news = { ...pick(key), atMs: nowMs, change: { kind, amountMinor } as const }
  await announce(trx, { ...news, ...(reason !== undefined && { detail: reason }) }, nowMs)
}

/**
 * Asks for the outcome of a pending charge. If it cannot be read, its notices report the outcome.
 */
async function readPending(deps: ReadDeps, key: ChargeKey): Promise<void> {
  const { clock, database } = deps
  const turn = await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    const isOurs = charge?.state === 'pending' && !isLeased(charge.leaseUntilMs, nowMs)
    if (isOurs) return await leaseTurn(trx, charge, nowMs)
    await postponePending(trx, key, nowMs + LEASED_AGAIN_MS)
    return undefined
  })
  if (turn === undefined) return
  await endByFind(deps, turn, await deps.acquirerOf(turn.accountId))
}
