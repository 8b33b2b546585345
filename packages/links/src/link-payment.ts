import {
  ApiError,
  type Clock,
  type Deadline,
  type Log,
  type MinorUnits,
  type TransactionRequest,
  errorCatalogue,
} from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import type { Merchant, RoomPayments } from '@cofre/gateway/room'
import { type LinkTry, isFormId } from './model/link-try.js'
import { type PaymentLink, isLinkId } from './model/payment-link.js'
import type { PayResult, PaymentOrder } from './model/payment-page.js'
import type { GivenOrder, LinkOrderReader, ReadOrder } from './link-order.js'
import type { LinkTryStore, PaymentLinkStore } from './model/stores.js'
import type { OpenTry } from './try-opening.js'

export interface LinkPaymentDeps {
  readonly clock: Clock
  readonly log: Log
  readonly paymentLinks: PaymentLinkStore
  readonly linkTries: LinkTryStore
  readonly payments: RoomPayments
  readonly openTry: OpenTry
  readonly readOrder: LinkOrderReader
}

/**
 * Pays a link: commits a try, then creates its transaction, once for each form. At a link for one
 * payment, the try that waits for its payer is cancelled before.
 */
export async function payLink(
  deps: LinkPaymentDeps,
  linkId: string,
  order: PaymentOrder,
): Promise<PayResult> {
  const deadline = beginDeadline()
  const found = isLinkId(linkId)
    ? await deps.paymentLinks.find(linkId, deps.clock.now())
    : undefined
  if (found === undefined) return { kind: 'not-found' }
  const { link } = found
  const merchant = await deps.payments.findStore(link.storeId)
  if (merchant === undefined) return { kind: 'not-found' }
  const earlier = isFormId(order.formId)
    ? await deps.linkTries.findByForm(linkId, order.formId)
    : undefined
  if (earlier !== undefined) return { kind: 'try', tryId: earlier.linkTry.id }
  if (!merchant.enabled) return { kind: 'not-payable', state: 'revoked' }
  if (found.state !== 'payable') return { kind: 'not-payable', state: found.state }
  const read = readOrderOf(deps, link, { merchant, order })
  if ('kind' in read) return read
  const opened = await deps.openTry(link, { ...read, order })
  if ('kind' in opened) return opened
  const { request } = read
  const shownMinor = order.card?.shownMinor
  return await createTryPayment(deps, merchant, { request, linkTry: opened, shownMinor, deadline })
}

function readOrderOf(
  deps: LinkPaymentDeps,
  link: PaymentLink,
  order: GivenOrder,
): ReadOrder | PayResult {
  try {
    return deps.readOrder(link, order)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalOf(deps, error)
  }
}

interface OpenedOrder {
  readonly request: TransactionRequest
  readonly linkTry: LinkTry
  readonly shownMinor: MinorUnits | undefined
  readonly deadline: Deadline
}

/**
 * Creates the transaction of a try. If its outcome is unknown, the payer follows the try's page.
 */
async function createTryPayment(
  deps: LinkPaymentDeps,
  merchant: Merchant,
  { request, linkTry: { id, linkId, reference }, shownMinor, deadline }: OpenedOrder,
): Promise<PayResult> {
  const ofTry = { ...request, transaction: { ...request.transaction, reference } }
  try {
    await deps.payments.create(merchant, {
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
/** The fields that the payer fills in on the page. */
const OF_PAYER = /^(?:payer|charge\[0\]\.payment-|form)/

function refusalOf({ log }: LinkPaymentDeps, error: ApiError): PayResult {
  const { failures } = error
  const [first] = failures
  const ofPayer = failures.filter(({ property = '' }) => OF_PAYER.test(property))
  if (ofPayer.length > 0) return { kind: 'invalid', failures: ofPayer }
  if (errorCatalogue[first.name].status === BUSINESS_RULE)
    return { kind: 'refused', name: first.name }
  log.warn({ error }, 'a try at a link could not be requested')
  return { kind: 'unavailable' }
}
