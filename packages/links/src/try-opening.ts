import { CARD_TYPE, type Clock } from '@cofre/contracts'
import { countedAddress, OPEN_INTENT_CHECK_AFTER_MS } from '@cofre/gateway/room'
import type { LinkTry } from './model/link-try.js'
import type { PayResult, PaymentOrder } from './model/payment-page.js'
import type { PaymentLink } from './model/payment-link.js'
import type { CardGate } from './card-pauses.js'
import type { ReadOrder } from './link-order.js'
import type { EndOpenTry } from './open-tries.js'
import type { LinkTryStore } from './model/stores.js'

/** More often than a payer can change the method while one order is read. */
const OPENINGS_MAX = 5

/** A valid order with its request. */
export interface JudgedOrder extends ReadOrder {
  readonly order: PaymentOrder
}

/** The committed try, or what prevents it. */
export type OpenTry = (link: PaymentLink, judged: JudgedOrder) => Promise<LinkTry | PayResult>

export interface TryOpeningDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly linkTries: LinkTryStore
  readonly cardGate: CardGate
  readonly endOpenTry: EndOpenTry
}

/** See {@link OpenTry}. */
export async function openTry(
  deps: TryOpeningDeps,
  link: PaymentLink,
  judged: JudgedOrder,
): Promise<LinkTry | PayResult> {
  const { cardGate, clock, endOpenTry, linkTries, machineClock } = deps
  const { order, request, tryId } = judged
  const isCard = order.method === CARD_TYPE
  let places = isCard ? await cardGate.capacitiesOf(link, request.payer) : []
  if (places === 'paused') return { kind: 'cards-paused' }
  for (let opening = 1; opening <= OPENINGS_MAX; opening++) {
    const newTry = {
      id: tryId,
      linkId: link.id,
      formId: order.formId,
      method: order.method,
      address: countedAddress(order.address),
      createdAtMs: clock.now(),
      pollAtMs: machineClock.now() + OPEN_INTENT_CHECK_AFTER_MS,
    }
    const opened = await linkTries.open(newTry, places)
    if (opened.kind === 'opened') return opened.linkTry
    if (opened.kind === 'same-form') return { kind: 'try', tryId: opened.tryId }
    if (opened.kind === 'too-many-cards') {
      const { payer } = request
      const isKnown = await cardGate.isKnown(link, { payer, testedFromMs: clock.now() })
      if (!isKnown) return { kind: 'cards-wait' }
      places = []
      continue
    }
    if (opened.kind !== 'held') return opened
    const obstacle = await endOpenTry(opened.by)
    if (obstacle !== undefined) return obstacle
  }
  return { kind: 'busy' }
}
