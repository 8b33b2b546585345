import {
  ApiError,
  type Clock,
  type Deadline,
  type MinorUnits,
  type RequestPolicy,
  type TransactionRequest,
  beginningOf,
  crossFieldFailures,
  dropAbsent,
  formatAmount,
  requestFacts,
  requestTableOf,
} from '@cofre/contracts'
import { INSTALLMENT_MIN, type InstallmentTerms } from '../model/card/installment-plan.js'
import type { PaymentPlan } from '../method/payment-method.js'
import type { IntentPart } from '../method/intent-part.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { orderFingerprint } from '../model/transaction/order-fingerprint.js'
import {
  type ReceivedOrder,
  onlyCharge,
  storableRequest,
} from '../model/transaction/stored-request.js'
import {
  OPEN_INTENT_CHECK_AFTER_MS,
  type Transaction,
  type TransactionCode,
  drawPublicId,
  transactionCodeSchema,
} from '../model/transaction/transaction.js'
import { chargedInstallments, isDearer, priceChanged } from './installment-service.js'
import type { Intents, UnnumberedIntent } from './intent-service.js'
import {
  type EarlierOrderDeps,
  continueEarlier,
  finishDoubtful,
  finishEarlier,
} from './earlier-order-service.js'
import { accepted, refusedFields } from './unknown-field-service.js'
import type { RandomBelow, TransactionStore } from './ports.js'

export interface CreationRequest extends ReceivedOrder {
  /** True if the same request came before and ended unanswered: then its outcome is the answer. */
  readonly isRetry: boolean
  /** When its shop, or the payer of a link, stops waiting. */
  readonly deadline: Deadline
  /** Parts of the intent's commit, beside those of its method. */
  readonly parts?: readonly IntentPart[]
  /** Set if the payer of a payment link sent it. */
  readonly isFromLink?: true
  /** The shown price of its installments: the charge is never greater. */
  readonly shownMinor?: MinorUnits | undefined
}

export type CreateTransaction = (
  merchant: Merchant,
  creation: CreationRequest,
) => Promise<Transaction>

export interface TransactionDeps extends EarlierOrderDeps {
  readonly clock: Clock
  readonly installmentTerms: InstallmentTerms
  readonly makesExamples?: true | undefined
  readonly randomBelow: RandomBelow
  readonly intents: Intents
}

/**
 * Creates a transaction: commits the intent, calls the payment method, commits its answer.
 * @throws ApiError 2106xx, 210104, 210221, 90017; nothing is charged and the reference stays free
 * then. idempotency_key_in_progress while the outcome of the previous request is unknown
 */
export async function createTransaction(
  deps: TransactionDeps,
  merchant: Merchant,
  creation: CreationRequest,
): Promise<Transaction> {
  const { request, received, isRetry, deadline, parts = [] } = creation
  const order = { request, received, deadline }
  const earlier = isRetry ? await finishEarlier(deps, merchant, order) : undefined
  if (earlier !== undefined) return earlier
  const planned = await planOrder(deps, merchant, creation).catch(async (refusal: unknown) => {
    // The store's accounts may have changed since an earlier request used one of them.
    const doubtful = await finishDoubtful(deps, merchant, order)
    if (doubtful === undefined) throw refusal
    return { doubtful }
  })
  if ('doubtful' in planned) return planned.doubtful
  const { plan, intent: unnumbered } = planned
  const committed = await deps.intents.commit(unnumbered, [...parts, ...plan.parts])
  if (committed === 'reference_used') {
    const continued = await continueEarlier(deps, merchant, order)
    return continued ?? (await createTransaction(deps, merchant, creation))
  }
  return await plan.open(committed.intent, committed)
}

interface PlannedPayment {
  readonly intent: UnnumberedIntent
  readonly plan: PaymentPlan
}

/** @throws ApiError 2106xx, 21032x, 210204, unavailable_payment_method */
async function planOrder(
  deps: TransactionDeps,
  merchant: Merchant,
  creation: CreationRequest,
): Promise<PlannedPayment> {
  const { request, deadline, isFromLink = false } = creation
  const { type } = onlyCharge(request)['payment-method']
  const plan = await deps.methods.of(type).plan({ merchant, request, deadline, isFromLink })
  return { intent: planTransaction(deps, merchant, { ...creation, ...plan }), plan }
}

/** One transaction of the store. @throws ApiError id_invalid, transaction_not_found */
export async function findTransaction(
  { transactions }: { readonly transactions: TransactionStore },
  merchant: Merchant,
  codeText: string,
): Promise<Transaction> {
  const transaction = await transactions.find(merchant.id, readTransactionCode(codeText))
  if (transaction === undefined) throw new ApiError('transaction_not_found')
  return transaction
}

/** @throws ApiError id_invalid */
export function readTransactionCode(text: string): TransactionCode {
  const code = transactionCodeSchema.safeParse(text)
  if (!code.success) throw new ApiError('id_invalid')
  return code.data
}

type PricedOrder = Pick<CreationRequest, 'request' | 'received' | 'shownMinor'> &
  Pick<PaymentPlan, 'installments'>

function planTransaction(
  deps: TransactionDeps,
  merchant: Merchant,
  { request, received, shownMinor, installments: quantity }: PricedOrder,
): UnnumberedIntent {
  const { clock, machineClock, makesExamples, randomBelow } = deps
  const charge = onlyCharge(request)
  const { type: paymentType, 'sub-type': subType } = charge['payment-method']
  const plan = chargedInstallments(deps, merchant, { amount: charge.amount, brand: subType })
  const installment = plan[quantity - 1]
  if (installment === undefined)
    throw new ApiError([{ ...tooManyInstallments, maximum: plan.length }])
  if (isDearer(installment, shownMinor)) throw new ApiError([priceChanged])
  const nowMs = clock.now()
  return {
    merchantId: merchant.id,
    reference: request.transaction.reference,
    status: 'PENDING',
    firstStatus: undefined,
    open: true,
    paymentType,
    subType,
    amountMinor: charge.amount,
    chargedMinor: installment.totalMinor,
    installments: quantity,
    payerEmail: request.payer.email,
    payerDocument: request.payer.document.number.toUpperCase(),
    description: describeCart(request),
    notificationUrl: request.transaction['notification-url'],
    savedCard: undefined,
    cardBin: undefined,
    cardLastFour: undefined,
    publicId: drawPublicId(randomBelow),
    paymentDetails: undefined,
    requestJson: storableRequest(request),
    orderFingerprint: received === undefined ? undefined : orderFingerprint(received),
    createdAtMs: nowMs,
    paidAtMs: undefined,
    expiresAtMs: undefined,
    nextAskAtMs: machineClock.now() + OPEN_INTENT_CHECK_AFTER_MS,
    activateAtMs: undefined,
    statusChangedAtMs: nowMs,
    ...(makesExamples && { example: 1 }),
  }
}

/** The failure of an amount below 5 BRL an installment (specification, section 8). */
export const tooManyInstallments = {
  name: 'charge_#_payment_info_installments_invalid',
  property: 'charge[0].payment-info.installments',
  constraint: 'maximum',
  index: 0,
  cause: 'amount',
  named: { installmentMin: formatAmount(INSTALLMENT_MIN) },
} as const

const DESCRIPTION_LENGTH_MAX = 255
/** More elements than a valid body of 256 KiB can hold. */
const ELEMENTS_JUDGED_MAX = 5000

/**
 * Reads the JSON body of `POST /transactions`.
 * @throws ApiError with every failure (2101xx to 2105xx), in the order of the body.
 */
export function readTransactionRequest(
  json: unknown,
  merchant: Pick<Merchant, 'rules' | 'refusesCardReferences' | 'installmentsMax' | 'unknownFields'>,
  policy: Omit<RequestPolicy, 'refusesCardReferences'>,
): TransactionRequest {
  const body = dropAbsent(withoutSurplus(json))
  const { rules, refusesCardReferences } = merchant
  const table = requestTableOf(merchant)
  const judged = table.validate(body, requestFacts(body, { ...policy, refusesCardReferences }))
  const ofSeveral = judged.ok ? crossFieldFailures(judged.value, rules) : []
  return accepted(judged, [...ofSeveral, ...refusedFields(table, merchant, body)])
}

/** Judging tens of thousands of wrong elements would block the process for seconds. */
function withoutSurplus(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  if (!Object.values(json).some(isLongList)) return json
  const entries = Object.entries(json).map(([name, value]: [string, unknown]) => [
    name,
    isLongList(value) ? value.slice(0, ELEMENTS_JUDGED_MAX) : value,
  ])
  return Object.fromEntries(entries)
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > ELEMENTS_JUDGED_MAX
}

/** The cart in a line, as in search results. */
export function describeCart({ cart }: TransactionRequest): string {
  const line = cart.map(({ description }) => description).join(', ')
  return beginningOf(line, DESCRIPTION_LENGTH_MAX)
}
