import { CARD_TYPE, type Clock } from '@cofre/contracts'
import {
  type Merchant,
  type RoomPayments,
  capturedSums,
  shownInstallments,
} from '@cofre/gateway/room'
import type { LinkRules } from './model/link-rules.js'
import { type FoundTry, hasEnded, tryStateOf } from './model/link-try.js'
import { type PaymentLink, isLinkId } from './model/payment-link.js'
import type { PaymentPage, ShownLink, ShownTry } from './model/payment-page.js'
import type { LinkTryStore, PaymentLinkStore } from './model/stores.js'

export interface PaymentPageDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly rules: LinkRules
  readonly payments: RoomPayments
  readonly paymentLinks: PaymentLinkStore
  readonly linkTries: LinkTryStore
  readonly pay: PaymentPage['pay']
}

export function createPaymentPage(deps: PaymentPageDeps): PaymentPage {
  return {
    find: (linkId) => showLink(deps, linkId),
    findTry: (linkId, tryId) => showTry(deps, linkId, tryId),
    pay: deps.pay,
  }
}

async function showLink(deps: PaymentPageDeps, linkId: string): Promise<ShownLink | undefined> {
  const found = isLinkId(linkId)
    ? await deps.paymentLinks.find(linkId, deps.clock.now())
    : undefined
  if (found === undefined) return undefined
  const { link } = found
  const merchant = await deps.payments.findStore(link.storeId)
  const isPayable = merchant?.enabled === true
  const isUsedOnce = link.usage === 'once'
  return {
    id: link.id,
    storeId: link.storeId,
    storeName: merchant?.name ?? link.storeId,
    description: link.description,
    amountMinor: link.amountMinor,
    methods: link.methods,
    isCapturedLater: link.isCapturedLater,
    installments: installmentsOf(deps, link, merchant),
    // A store that is not allowed to sell has nothing to pay.
    state: found.state === 'payable' && !isPayable ? 'revoked' : found.state,
    expiresAtMs: link.expiresAtMs,
    language: link.language,
    successUrl: link.successUrl,
    isUsedOnce,
    openTry: isUsedOnce ? openTryOf(await deps.linkTries.findHolding(linkId)) : undefined,
  }
}

/** The installments of a link's amount for a card; empty if cards cannot pay it. */
function installmentsOf(
  deps: PaymentPageDeps,
  { amountMinor: amount, installments, methods }: PaymentLink,
  store: Pick<Merchant, 'interest' | 'installmentsMax'> = {},
): ShownLink['installments'] {
  if (!methods.includes(CARD_TYPE)) return []
  const { machineClock, rules } = deps
  const pricing = { machineClock, installmentTerms: rules.installmentTerms }
  return shownInstallments(pricing, store, { amount, brand: undefined }).slice(0, installments)
}

function openTryOf(held: FoundTry | undefined): ShownLink['openTry'] {
  if (held === undefined || hasEnded(held)) return undefined
  const { id, method } = held.linkTry
  const state = tryStateOf(held)
  return state === 'reserved' || state === 'paid' ? undefined : { id, method, state }
}

async function showTry(
  deps: PaymentPageDeps,
  linkId: string,
  tryId: string,
): Promise<ShownTry | undefined> {
  if (!isLinkId(linkId) || !isLinkId(tryId)) return undefined
  const [found, of] = await Promise.all([
    deps.linkTries.find(linkId, tryId),
    deps.paymentLinks.find(linkId, deps.clock.now()),
  ])
  if (found === undefined || of === undefined) return undefined
  return { ...shownTry(found, of.link), expiresAtMs: await expiryOf(deps, found) }
}

/** The time when a charge that waits for its payer expires; a bank's charge has its own. */
async function expiryOf(
  { payments }: PaymentPageDeps,
  { transaction }: FoundTry,
): Promise<number | undefined> {
  if (transaction?.status !== 'PENDING') return transaction?.expiresAtMs
  return transaction.expiresAtMs ?? (await payments.payableUntilMs(transaction))
}

function shownTry(found: FoundTry, { amountMinor }: PaymentLink): Omit<ShownTry, 'expiresAtMs'> {
  const { linkTry, transaction } = found
  return {
    id: linkTry.id,
    method: linkTry.method,
    reference: linkTry.reference,
    state: tryStateOf(found),
    amountMinor,
    chargedMinor: transaction === undefined ? amountMinor : capturedSums(transaction).chargedMinor,
    installments: transaction?.installments ?? 1,
    details: transaction?.paymentDetails,
    publicId: transaction?.publicId ?? '',
    paidAtMs: transaction?.paidAtMs,
    code: transaction === undefined ? '' : String(transaction.code),
  }
}
