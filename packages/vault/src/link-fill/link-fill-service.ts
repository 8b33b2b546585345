// Fills saved cards with the ids that their brands want, from payments that can be read. This only
// plans the readings. A running vault makes them, within the account's limit of calls.
import { brandOf, pages } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import { planLaterRead } from '../authorization/planned-read-sql.js'
import { lacksLink } from '../saved-card/card-links.js'
import { cardsAfter, isPaidTooEarly, laterReads, newestPaymentOf } from './link-fill-sql.js'
import type { SavedCard } from '../saved-card/saved-card.js'
import { openWith } from '../saved-card/saved-card-service.js'

const CARDS_AT_ONCE = 100
/** For one account: the number of calls that a minute leaves for readings. */
const WAITING_MAX = 20

export interface LinkFillStep {
  /** The start of the next step; undefined once all cards were seen. */
  readonly after: string | undefined
  readonly planned: number
  /** Cards that lack an id, and have no payment that can be read. */
  readonly unreadable: number
  /** Cards with a payment at an account that isn't yet known to be readable or not. */
  readonly early: number
  /** Payments that wait to be read, including those of earlier steps. */
  readonly waiting: number
}

/**
 * Plans to read the newest payments of some cards that lack an id, except cards that were read for
 * it before. May be stopped at any moment and begin again: planned readings stay planned.
 */
export async function planLinkFill(deps: SealingDeps, after = ''): Promise<LinkFillStep> {
  const { database, clock } = deps
  const { reader } = database
  const waiting = new Map(await laterReads(reader))
  const cards = await cardsAfter(reader, after, CARDS_AT_ONCE)
  const step = { planned: 0, unreadable: 0, early: 0 }
  let seen = after
  for (const card of cards) {
    if (card.links_asked_at_ms === null && (await isLacking(deps, card))) {
      const nowMs = clock.now()
      const payment = await newestPaymentOf(reader, card, nowMs)
      if (payment === undefined) {
        if (await isPaidTooEarly(reader, card, nowMs)) step.early += 1
        else step.unreadable += 1
      } else {
        const { key, accountId } = payment
        const before = waiting.get(accountId) ?? 0
        if (before >= WAITING_MAX) return { ...step, after: seen, waiting: sumOf(waiting) }
        await database.transact((trx) => planLaterRead(trx, key, nowMs))
        waiting.set(accountId, before + 1)
        step.planned += 1
      }
    }
    seen = card.code
  }
  const isLast = cards.length < CARDS_AT_ONCE
  return { ...step, after: isLast ? undefined : seen, waiting: sumOf(waiting) }
}

function sumOf(waiting: ReadonlyMap<string, number>): number {
  return [...waiting.values()].reduce((sum, count) => sum + count, 0)
}

async function isLacking({ dataKeys }: SealingDeps, saved: SavedCard): Promise<boolean> {
  const { card, links } = openWith(await dataKeys.thatSealed(saved.sealed_card), saved)
  return lacksLink(brandOf(card.reveal().number)?.name ?? '', links.first)
}

export interface LinkCount {
  readonly cards: number
  /** Cards without an id that their brand wants. */
  readonly lacking: number
}

/** The number of saved cards, and of those that lack an id. */
export async function countLinks(deps: SealingDeps): Promise<LinkCount> {
  const count = { cards: 0, lacking: 0 }
  const all = pages(async (after: string | undefined) => {
    const items = await cardsAfter(deps.database.reader, after ?? '', CARDS_AT_ONCE)
    return { items, next: items.length < CARDS_AT_ONCE ? undefined : items.at(-1)?.code }
  })
  for await (const card of all) {
    count.cards += 1
    if (await isLacking(deps, card)) count.lacking += 1
  }
  return count
}
