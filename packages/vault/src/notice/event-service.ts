// Applies the reports of acquirers, each event once, in whatever order they come.
import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import type { AcquirerNotices } from '@cofre/provider-kit/card'
import { nameOf } from '../authorization/acquirer-call.js'
import { isBeingCancelled } from '../authorization/card-cancel-sql.js'
import { type ChargeKey, isLeased } from '../authorization/card-charge.js'
import { findCharge } from '../authorization/card-charge-sql.js'
import { endCharge } from '../authorization/charge-end-service.js'
import { endAuthorization, refuseOpen } from '../capture/capture-end-sql.js'
import { findCapture } from '../capture/capture-sql.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { NoticeResult } from '../model/vault.js'
import { announce, announceSettled } from '../outbox/change-sql.js'
import { addProviderReturn, endAsReported } from '../refund/found-returns-sql.js'
import { returnsOfCharge } from '../refund/return-sql.js'
import { lockCharge, namePayment } from '../refund/turn-sql.js'
import { endCancel } from './cancel-end-sql.js'
import { type EventEffect, type KnownCharge, effectOf, comparedPayment } from './event-effect.js'
import {
  type KeptEvent,
  chargesWithDueEvents,
  eventsOfCharge,
  markApplied,
  postponeEvent,
  EVENT_PAUSE_MAX_MS,
} from '../refund/event-sql.js'

export interface EventDeps extends SealingDeps {
  readonly clock: Clock
  readonly log: Log
  /** The connector that reads an account's notices. */
  readonly noticesOf: (accountId: string) => Promise<AcquirerNotices>
}

type EventResult = Extract<
  NoticeResult,
  'applied' | 'early' | 'contradicting' | 'foreign' | 'unknown_charge'
>

const EARLY_PAUSE_MS = 5 * SECOND_MS
const CHARGES_AT_ONCE = 20

/** Applies the events that wait for an answer. May run in many processes at once. */
export async function applyDueEvents(deps: EventDeps): Promise<void> {
  const { clock, database, log } = deps
  const due = await chargesWithDueEvents(database.reader, clock.now(), CHARGES_AT_ONCE)
  for (const charge of due) {
    try {
      await applyEvents(deps, charge)
    } catch (error) {
      log.error(
        { ...charge, error: nameOf(error) },
        'what an acquirer reported could not be applied',
      )
      await database.transact((trx) => postponeEvent(trx, charge, clock.now() + EVENT_PAUSE_MAX_MS))
    }
  }
}

/** Applies the events of a charge that fit now. Returns the fate of each, by id. */
export async function applyEvents(
  deps: EventDeps,
  key: ChargeKey,
): Promise<ReadonlyMap<string, EventResult>> {
  const fates = new Map<string, EventResult>()
  const charge = await findCharge(deps.database.reader, key)
  if (charge === undefined) {
    // The charge was removed because it was not made: its events would always come before all
    // others.
    await deps.database.transact((trx) => postponeEvent(trx, key, null))
    return fates
  }
  const notices = await deps.noticesOf(charge.accountId)
  for (;;) {
    const end = await applyFitting(deps, { key, notices }, fates)
    if (end === undefined) return fates
    await endOrder(deps, key, end)
    fates.set(end.event.id, 'applied')
  }
}

interface Fitting {
  readonly event: KeptEvent
  readonly effect: Exclude<EventEffect, { kind: 'contradiction' }>
}

/** An event that ends an order needs its own unit of work. */
interface OrderEnd {
  readonly event: KeptEvent
  readonly effect: Extract<EventEffect, { kind: 'approved' | 'declined' }>
}

/**
 * Applies events until one ends the order, or none that is left fits. One event's change may
 * explain others that came before it.
 */
async function applyFitting(
  { clock, database, log }: EventDeps,
  { key, notices }: { readonly key: ChargeKey; readonly notices: AcquirerNotices },
  fates: Map<string, EventResult>,
): Promise<OrderEnd | undefined> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    for (;;) {
      const known = await lockKnown(trx, key)
      if (known === undefined) return undefined
      const waiting = await dismissForeign(trx, { known, nowMs, log }, fates)
      const isAsked = isLeased(known.charge.leaseUntilMs, nowMs)
      // Don't report a charge as paid while it is being cancelled.
      const isDoomed = known.charge.state === 'ending' && (await isBeingCancelled(trx, key, nowMs))
      const timely = waiting.filter(
        ({ accountId, change }) =>
          accountId === known.charge.accountId && !(isDoomed && change === 'approved'),
      )
      const fitting = isAsked ? undefined : firstFitting(known, notices, timely)
      const isEarly = isAsked || timely.length < waiting.length
      if (fitting === undefined) {
        await postponeEvent(trx, key, isEarly ? nowMs + EARLY_PAUSE_MS : null)
        for (const event of waiting) {
          fates.set(event.id, isEarly ? 'early' : 'contradicting')
          if (!isEarly) log.warn(factsOf(known, event), 'an acquirer contradicts what is known')
        }
        return undefined
      }
      const { event, effect } = fitting
      if (effect.kind === 'approved' || effect.kind === 'declined') return { event, effect }
      await applyEffect(trx, { known, event, effect, nowMs })
      await markApplied(trx, event, nowMs)
      fates.set(event.id, 'applied')
    }
  })
}

const PAYMENT_TOO_MANY =
  'an account that did not charge an order reports a payment of it: look it up there'

interface Dismissing {
  readonly known: KnownCharge
  readonly nowMs: number
  readonly log: Log
}

/** Ends the events that change nothing here. Returns those that wait. */
async function dismissForeign(
  trx: VaultConnection,
  { known, nowMs, log }: Dismissing,
  fates: Map<string, EventResult>,
): Promise<readonly KeptEvent[]> {
  const waiting: KeptEvent[] = []
  for (const event of known.events.filter(({ appliedAtMs }) => appliedAtMs === undefined)) {
    const fate = resultForOtherAccount(known, event)
    if (fate === undefined) {
      waiting.push(event)
      continue
    }
    if (fate === 'unknown_charge') log.error(factsOf(known, event), PAYMENT_TOO_MANY)
    await markApplied(trx, event, nowMs)
    fates.set(event.id, fate)
  }
  return waiting
}

/**
 * The fate of an event from an account that was asked before the charge's own. Undefined for the
 * charge's own account, and until the charge has ended. Two accounts may report the same payment.
 */
function resultForOtherAccount(
  { charge }: KnownCharge,
  { accountId, change, paymentId }: KeptEvent,
): 'foreign' | 'unknown_charge' | undefined {
  if (accountId === charge.accountId) return undefined
  if (change !== 'approved') return 'foreign'
  if (charge.endedAtMs === undefined) return undefined
  return paymentId === charge.payment?.paymentId ? 'foreign' : 'unknown_charge'
}

function factsOf({ charge }: KnownCharge, event: KeptEvent) {
  const { environment, transactionCode: transaction } = charge.key
  const { accountId: account, id, change, paymentId: payment, detail } = event
  return { environment, transaction, account, event: id, change, payment, detail }
}

async function lockKnown(trx: VaultConnection, key: ChargeKey): Promise<KnownCharge | undefined> {
  const charge = await lockCharge(trx, key)
  if (charge === undefined) return undefined
  const returns = await returnsOfCharge(trx, key)
  const capture = charge.captureDays === undefined ? undefined : await findCapture(trx, key)
  return { charge, returns, events: await eventsOfCharge(trx, key), capture }
}

function firstFitting(
  known: KnownCharge,
  notices: AcquirerNotices,
  waiting: readonly KeptEvent[],
): Fitting | undefined {
  const held = comparedPayment(known)
  for (const event of waiting) {
    const effect = effectOf(event, known, notices.fit(event, held))
    if (effect.kind !== 'contradiction') return { event, effect }
  }
  return undefined
}

interface Applying extends Omit<Fitting, 'effect'> {
  readonly known: KnownCharge
  readonly effect: Exclude<Fitting['effect'], OrderEnd['effect']>
  readonly nowMs: number
}

async function applyEffect(
  trx: VaultConnection,
  { known: { charge }, event, effect, nowMs }: Applying,
): Promise<void> {
  const { atMs, detail, paymentId } = event
  switch (effect.kind) {
    case 'nothing':
      return
    case 'named':
      await namePayment(trx, charge.key, effect.paymentId)
      return
    case 'told': {
      const { environment, transactionCode } = charge.key
      const { change } = effect
      await announce(trx, { environment, transactionCode, atMs, change, detail }, nowMs)
      return
    }
    case 'authorization_ended':
      await endAuthorization(trx, charge.key, { end: effect.end, detail, atMs, nowMs })
      return
    case 'capture_refused':
      await refuseOpen(trx, charge, { capture: effect.capture, detail, nowMs })
      return
    case 'refund_ended': {
      const { outcome } = effect
      const refund = { ...effect.refund, returnId: effect.refund.returnId ?? event.returnId }
      await endAsReported(trx, { refund, outcome, detail, atMs, nowMs })
      return
    }
    case 'provider_refund':
      await addProviderReturn(trx, charge, { ...effect, atMs, nowMs })
      return
    case 'cancel_ended':
      await endCancel(trx, charge, { end: effect.cancels, paymentId, nowMs })
      return
  }
}

async function endOrder(
  deps: EventDeps,
  key: ChargeKey,
  { event, effect }: OrderEnd,
): Promise<void> {
  const { clock, database } = deps
  const nowMs = clock.now()
  const { atMs, accountId, paymentId } = event
  const finish = async (trx: VaultConnection): Promise<void> => {
    if (effect.kind === 'declined' && effect.cancels !== undefined)
      await endCancel(trx, { key, accountId }, { end: effect.cancels, paymentId, nowMs })
    await markApplied(trx, event, nowMs)
  }
  const end =
    effect.kind === 'approved'
      ? ({ outcome: 'approved', payment: effect.payment, decline: undefined } as const)
      : ({ outcome: 'declined', payment: undefined, decline: effect.decline } as const)
  const answer = await endCharge(deps, key, {
    ...end,
    surplus: [],
    also: async (trx, settled) => {
      await announceSettled(trx, { ...key, answer: settled }, { atMs, nowMs })
      await finish(trx)
    },
  })
  // The order had ended before.
  if (answer === undefined) await database.transact(finish)
}
