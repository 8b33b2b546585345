import {
  ApiError,
  type CardOrder,
  type Environment,
  type ErrorName,
  type TransactionRequest,
} from '@cofre/contracts'
import { installmentPlan } from '../model/card/installment-plan.js'
import type { GatewayDeps } from './gateway-deps.js'
import type { Merchant } from '../model/merchant/merchant.js'
import {
  type IntentConflict,
  OPEN_INTENT_PATIENCE_MS,
  type Transaction,
  type TransactionCode,
  drawPublicId,
  drawTransactionCode,
  transactionCodeSchema,
} from '../model/transaction/transaction.js'
import { payByCard, recallCardPayment } from './card-payment-service.js'
import { payByRail } from './rail-payment-service.js'
import { cardSourceOf, describeCart, onlyCharge, storableRequest } from './transaction-request.js'

export interface CreationRequest {
  readonly request: TransactionRequest
  /** The same request was made before and died unanswered: what became of it is the answer. */
  readonly isRetry: boolean
}

/** More draws than any second's traffic can need. */
const CODE_DRAWS_MAX = 20

/**
 * Creates a transaction: commits the intent, asks the payment method, commits its answer.
 * @throws ApiError 2106xx, 210104, 210221; nothing is charged and the reference stays free then.
 * idempotency_key_in_progress while the outcome of the request that this one repeats is unknown
 */
export async function createTransaction(
  deps: GatewayDeps,
  merchant: Merchant,
  { request, isRetry }: CreationRequest,
): Promise<Transaction> {
  const { 'payment-info': info } = onlyCharge(request)
  if (info?.['credit-card'] !== undefined && !merchant.mayUseRawCards)
    throw new ApiError('unavailable_payment_method')
  const earlier = isRetry ? await finishEarlier(deps, merchant, request) : undefined
  if (earlier !== undefined) return earlier
  const intent = await commitIntent(deps, planTransaction(deps, merchant, request))
  return intent.paymentType === 'credit-card'
    ? await payByCard(deps, intent, cardOrder(deps.environment, intent, request))
    : await payByRail(deps, intent, request)
}

/**
 * What an earlier request that died unanswered came to. Undefined when it left nothing behind: its
 * intent, if there was one, is withdrawn then. An open one is asked after first: it may yet go.
 */
async function finishEarlier(
  deps: GatewayDeps,
  merchant: Merchant,
  request: TransactionRequest,
): Promise<Transaction | undefined> {
  const { reference } = request.transaction
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  // The reference may also be another request's.
  if (earlier?.requestJson !== storableRequest(request)) return undefined
  if (!earlier.open) return earlier
  if (earlier.paymentType !== 'credit-card') return await payByRail(deps, earlier, request)
  try {
    return await recallCardPayment(deps, earlier)
  } catch (cause) {
    throw new ApiError('idempotency_key_in_progress', { cause })
  }
}

/** One transaction of the store. @throws ApiError id_invalid, transaction_not_found */
export async function findTransaction(
  { transactions }: GatewayDeps,
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

const CONFLICT_ERRORS: Readonly<Record<Exclude<IntentConflict, 'code_taken'>, ErrorName>> = {
  reference_used: 'transaction_reference_used',
  limit_exceeded: 'payment_exceed_limits',
  payer_blocked: 'payer_blacklisted',
  payer_blocked_by_provider: 'payer_blacklisted_by_psp',
}

async function commitIntent(
  { transactions, purchaseLimits, randomBelow }: GatewayDeps,
  plan: Omit<Transaction, 'code'>,
): Promise<Transaction> {
  for (let draw = 1; draw <= CODE_DRAWS_MAX; draw++) {
    const intent = { ...plan, code: drawTransactionCode(plan.createdAtMs, randomBelow) }
    const result = await transactions.insertIntent(intent, purchaseLimits)
    if (result === 'inserted') return intent
    if (result === 'code_taken') continue
    const name = CONFLICT_ERRORS[result]
    if (result !== 'reference_used') throw new ApiError(name)
    throw new ApiError([{ name, property: 'transaction.reference', constraint: 'unique' }])
  }
  throw new Error('no free transaction code was drawn')
}

function planTransaction(
  { clock, machineClock, installmentTerms, randomBelow }: GatewayDeps,
  merchant: Merchant,
  request: TransactionRequest,
): Omit<Transaction, 'code'> {
  const charge = onlyCharge(request)
  const { type: paymentType, 'sub-type': subType } = charge['payment-method']
  const quantity = paymentType === 'credit-card' ? (charge['payment-info']?.installments ?? 1) : 1
  const installment = installmentPlan(charge.amount, installmentTerms)[quantity - 1]
  if (installment === undefined) throw new ApiError([tooManyInstallments])
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
    createdAtMs: nowMs,
    paidAtMs: undefined,
    expiresAtMs: undefined,
    nextAskAtMs: machineClock.now() + OPEN_INTENT_PATIENCE_MS,
    activateAtMs: undefined,
    statusChangedAtMs: nowMs,
  }
}

/** The amount does not reach 5 BRL an installment (specification, section 8). */
const tooManyInstallments = {
  name: 'charge_#_payment_info_installments_invalid',
  property: 'charge[0].payment-info.installments',
  constraint: 'maximum',
  index: 0,
} as const

function cardOrder(
  environment: Environment,
  intent: Transaction,
  request: TransactionRequest,
): CardOrder {
  const charge = onlyCharge(request)
  return {
    environment,
    merchantId: intent.merchantId,
    transactionCode: String(intent.code),
    source: cardSourceOf(charge),
    payerEmail: intent.payerEmail,
    amountMinor: intent.chargedMinor,
    installments: intent.installments,
    brand: intent.subType,
    saveCard: charge['payment-info']?.save === true,
  }
}
