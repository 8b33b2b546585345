import {
  ApiError,
  type Deadline,
  type MinorUnits,
  type TransactionRequest,
  errorCatalogue,
  CARD_TYPE,
} from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import type { Merchant } from '../model/merchant/merchant.js'
import type { CardPlaces } from '../model/payment-link/card-pause.js'
import { type LinkTry, isFormId } from '../model/payment-link/link-try.js'
import { type PaymentLink, drawLinkId, isLinkId } from '../model/payment-link/payment-link.js'
import type { PayResult, PaymentOrder } from '../model/payment-link/payment-page.js'
import { countedAddress } from '../model/purchase/decline-limits.js'
import { OPEN_INTENT_PATIENCE_MS } from '../model/transaction/transaction.js'
import { cardPlacesOf, isKnownPayer } from './card-pause-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { readOrder } from './link-order-service.js'
import { endOpenTry } from './link-try-service.js'
import { createTransaction } from './transaction-service.js'

/** More than a payer can change the method while one order is read. */
const OPENINGS_MAX = 5

/**
 * Pays a link: commits a try, then creates its transaction, once for each form. Of a link that is
 * used once, the try that waits for its payer is cancelled before.
 */
export async function payLink(
  deps: GatewayDeps,
  linkId: string,
  order: PaymentOrder,
): Promise<PayResult> {
  const deadline = beginDeadline()
  const found = isLinkId(linkId)
    ? await deps.paymentLinks.find(linkId, deps.clock.now())
    : undefined
  if (found === undefined) return { kind: 'not-found' }
  const { link } = found
  const merchant = await deps.merchants.find(link.storeId)
  if (merchant === undefined) return { kind: 'not-found' }
  const earlier = isFormId(order.formId)
    ? await deps.linkTries.findByForm(linkId, order.formId)
    : undefined
  if (earlier !== undefined) return { kind: 'try', tryId: earlier.linkTry.id }
  if (!merchant.enabled) return { kind: 'not-payable', state: 'revoked' }
  if (found.state !== 'payable') return { kind: 'not-payable', state: found.state }
  const tryId = drawLinkId(deps.randomBelow)
  const request = readOrderOf(deps, link, { merchant, order, tryId })
  if ('kind' in request) return request
  const isCard = order.method === CARD_TYPE
  const places = isCard ? await cardPlacesOf(deps, link, request.payer) : []
  if (places === 'paused') return { kind: 'cards-paused' }
  const opened = await openTry(deps, link, { request, order, tryId, places })
  if ('kind' in opened) return opened
  const shownMinor = order.card?.shownMinor
  return await askFor(deps, merchant, { request, linkTry: opened, shownMinor, deadline })
}

interface NewOrder {
  readonly order: PaymentOrder
  readonly tryId: string
}

function readOrderOf(
  deps: GatewayDeps,
  link: PaymentLink,
  order: NewOrder & { readonly merchant: Merchant },
): TransactionRequest | PayResult {
  try {
    return readOrder(deps, link, order)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalOf(deps, error)
  }
}

interface JudgedOrder extends NewOrder {
  readonly request: TransactionRequest
  readonly places: readonly CardPlaces[]
}

/** A try that is committed; else what stands in its way. */
async function openTry(
  deps: GatewayDeps,
  link: PaymentLink,
  judged: JudgedOrder,
): Promise<LinkTry | PayResult> {
  const { clock, linkTries, machineClock } = deps
  const { order, tryId } = judged
  let { places } = judged
  for (let opening = 1; opening <= OPENINGS_MAX; opening++) {
    const newTry = {
      id: tryId,
      linkId: link.id,
      formId: order.formId,
      method: order.method,
      address: countedAddress(order.address),
      createdAtMs: clock.now(),
      lookAtMs: machineClock.now() + OPEN_INTENT_PATIENCE_MS,
    }
    const opened = await linkTries.open(newTry, places)
    if (opened.kind === 'opened') return opened.linkTry
    if (opened.kind === 'same-form') return { kind: 'try', tryId: opened.tryId }
    if (opened.kind === 'too-many-cards') {
      const { payer } = judged.request
      const isKnown = await isKnownPayer(deps, link, { payer, testedFromMs: clock.now() })
      if (!isKnown) return { kind: 'cards-wait' }
      places = []
      continue
    }
    if (opened.kind !== 'held') return opened
    const obstacle = await endOpenTry(deps, opened.by)
    if (obstacle !== undefined) return obstacle
  }
  return { kind: 'busy' }
}

interface OpenedOrder {
  readonly request: TransactionRequest
  readonly linkTry: LinkTry
  readonly shownMinor: MinorUnits | undefined
  readonly deadline: Deadline
}

/** Creates the transaction of a try. One that nobody answered for is the payer's to look at. */
async function askFor(
  deps: GatewayDeps,
  merchant: Merchant,
  { request, linkTry: { id, linkId, reference }, shownMinor, deadline }: OpenedOrder,
): Promise<PayResult> {
  const ofTry = { ...request, transaction: { ...request.transaction, reference } }
  try {
    await createTransaction(deps, merchant, {
      request: ofTry,
      isRetry: false,
      deadline,
      parts: [deps.linkTries.intentPart(id)],
      isFromLink: true,
      shownMinor,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await deps.linkTries.close(id)
    const after = await deps.linkTries.find(linkId, id)
    if (after?.transaction === undefined) return refusalOf(deps, error)
  }
  return { kind: 'try', tryId: id }
}

const BUSINESS_RULE = 422
/** What the payer has typed, or chosen, on the page. */
const OF_PAYER = /^(?:payer|charge\[0\]\.payment-|form)/

function refusalOf({ log }: GatewayDeps, error: ApiError): PayResult {
  const { failures } = error
  const [first] = failures
  const ofPayer = failures.filter(({ property = '' }) => OF_PAYER.test(property))
  if (ofPayer.length > 0) return { kind: 'invalid', failures: ofPayer }
  if (errorCatalogue[first.name].status === BUSINESS_RULE)
    return { kind: 'refused', name: first.name }
  log.warn({ error }, 'a try at a link could not be asked for')
  return { kind: 'unavailable' }
}
