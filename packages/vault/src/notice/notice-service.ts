import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND_MS, type Secret, readReference } from '@cofre/contracts'
import { type AcquirerEvent, type ElsewhereItem } from '@cofre/provider-kit/card'
import {
  type CardCharge,
  type ChargeKey,
  isClosedForChanges,
} from '../authorization/card-charge.js'
import { findCharge } from '../authorization/card-charge-sql.js'
import { findReturn } from '../refund/return-sql.js'
import type { NoticeResult } from '../model/vault.js'
import { type EventDeps, applyEvents } from './event-service.js'
import { type MisdirectedDeps, applyMisdirected } from './misdirected-service.js'
import { insertCardEvent } from '../refund/event-sql.js'
import { planRead } from '../authorization/planned-read-sql.js'

export interface NoticeDeps extends EventDeps, MisdirectedDeps {
  /** The secret of an account's notice address; undefined if there is no such account. */
  readonly noticeSecretOf: (accountId: string) => Promise<Secret<string> | undefined>
}

/** True if the address at which a notice arrived is the account's own. */
export async function expectsNotice(
  { noticeSecretOf }: Pick<NoticeDeps, 'noticeSecretOf'>,
  accountId: string,
  secret: string,
): Promise<boolean> {
  // PostgreSQL takes no NUL in a text.
  const isId = /^[A-Za-z0-9-]{1,64}$/.test(accountId)
  const expected = (isId ? await noticeSecretOf(accountId) : undefined)?.reveal() ?? ''
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(secret)) && expected !== ''
}

/**
 * Processes a notice at an account's address; its sender is unknown. Items that an acquirer has
 * signed are applied once. Unsigned ones only hint at a charge to look at, and change nothing.
 */
export async function acceptNotice(
  deps: NoticeDeps,
  accountId: string,
  body: unknown,
): Promise<readonly NoticeResult[]> {
  const reading = (await deps.noticesOf(accountId)).read(body)
  switch (reading.kind) {
    case 'none':
      return ['unread']
    case 'hints':
      return await Promise.all(
        reading.paymentIds.map((paymentId) => applyHint(deps, accountId, paymentId)),
      )
    case 'events': {
      const forged = Array.from({ length: reading.refused }, () => 'forged' as const)
      const damaged = Array.from({ length: reading.damaged }, () => 'unread' as const)
      const { believed, failures } = await applyEach([
        ...reading.events.map((event) => () => applyEvent(deps, accountId, event)),
        ...reading.elsewhere.map((item) => () => forwardItem(deps, accountId, item)),
      ])
      // Then its sender repeats it.
      if (failures.length > 0) throw failures[0]
      return [...forged, ...damaged, ...believed]
    }
  }
}

/** Processes one item after another: a failed one doesn't affect the others. */
async function applyEach(takings: readonly (() => Promise<NoticeResult>)[]) {
  const believed: NoticeResult[] = []
  const failures: unknown[] = []
  for (const take of takings)
    try {
      believed.push(await take())
    } catch (error) {
      failures.push(error)
    }
  return { believed, failures }
}

function forwardItem(
  deps: NoticeDeps,
  accountId: string,
  item: ElsewhereItem,
): Promise<NoticeResult> {
  const applyThere = (other: string, event: AcquirerEvent) => applyEvent(deps, other, event)
  return applyMisdirected(deps, { accountId, item, applyEvent: applyThere })
}

/** The shortest time between looks at one charge, however many hints there are. */
const READ_PAUSE_MS = 10 * SECOND_MS

async function applyHint(
  { clock, database }: NoticeDeps,
  accountId: string,
  paymentId: string,
): Promise<NoticeResult> {
  const atMs = clock.now() + READ_PAUSE_MS
  const isKnown = await database.transact((trx) => planRead(trx, { accountId, paymentId }, atMs))
  return isKnown ? 'hint' : 'foreign'
}

async function applyEvent(
  deps: NoticeDeps,
  accountId: string,
  event: AcquirerEvent,
): Promise<NoticeResult> {
  const { log } = deps
  const charge = await chargeOf(deps, accountId, event)
  if (charge === 'unknown') {
    const { id, reference, paymentId: payment } = event
    log.error({ account: accountId, event: id, reference, payment }, UNKNOWN_CHARGE)
    return 'unknown_charge'
  }
  if (charge === undefined) return 'foreign'
  if (isClosedForChanges(charge, deps.clock.now())) {
    const { environment, transactionCode } = charge.key
    const facts = { account: accountId, event: event.id, environment, transactionCode }
    log.error(facts, CHARGE_EXPIRED)
    return 'unknown_charge'
  }
  const kept = { accountId, charge: charge.key, event, nowMs: deps.clock.now() }
  const isNew = await deps.database.transact((trx) => insertCardEvent(trx, kept))
  if (!isNew) return 'double'
  return (await applyEvents(deps, charge.key)).get(event.id) ?? 'applied'
}

const UNKNOWN_CHARGE =
  'an acquirer reports a payment that Cofre may have made and does not know: look it up there'

const CHARGE_EXPIRED = 'an acquirer reports a charge that was over long ago: look it up there'

/**
 * The charge in an event's reference, or the charge of the refund in it. Undefined if it is not
 * ours; `unknown` if it may have been, before this database was restored from an older copy.
 */
async function chargeOf(
  { database }: NoticeDeps,
  accountId: string,
  { reference, change }: AcquirerEvent,
): Promise<CardCharge | 'unknown' | undefined> {
  const named = readReference(reference)
  // The answer to a check of a card has decided it.
  if (named === undefined || named.of === 'check') return undefined
  const { environment, code, installation } = named
  const { reader } = database
  let key: ChargeKey = { environment, transactionCode: code }
  if (named.of === 'refund') {
    const refund = await findReturn(reader, { environment, name: code })
    if (refund === undefined) return 'unknown'
    key = refund
  }
  const charge = await findCharge(reader, key)
  if (charge === undefined) return 'unknown'
  if (charge.key.installation !== installation) return undefined
  // An account that was asked before another may have charged it after all.
  return charge.accountId === accountId || change === 'approved' ? charge : undefined
}
