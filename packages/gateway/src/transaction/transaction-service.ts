import {
  ApiError,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type Clock,
  type Environment,
  type ErrorName,
  type Log,
  type RequestPolicy,
  type TransactionRequest,
  assertNever,
} from '@cofre/contracts'
import type { CardPayments } from '../card-payment/card-payments.js'
import { type InstallmentTerms, installmentPlan } from '../card-lookup/installment-plan.js'
import type { Merchant } from '../merchant/merchant.js'
import { type Transaction, statusOfOutcome } from './transaction.js'
import { drawTransactionCode, transactionCodeSchema } from './transaction-code.js'
import {
  cardSourceOf,
  describeCart,
  onlyCharge,
  readTransactionRequest,
  storableRequest,
} from './transaction-request.js'
import type { TransactionStore } from './transaction-store.js'

export interface TransactionDeps {
  readonly environment: Environment
  readonly transactions: TransactionStore
  readonly cards: CardPayments
  readonly clock: Clock
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
  readonly log: Log
  readonly installmentTerms: InstallmentTerms
  readonly requestPolicy: RequestPolicy
}

/** More draws than any second's traffic can need. */
const CODE_DRAWS_MAX = 20

/**
 * Creates a transaction: validates, commits the intent, asks the payment method, commits its answer.
 * @throws ApiError 2101xx to 2106xx; nothing is charged and the reference stays free then.
 */
export async function createTransaction(
  deps: TransactionDeps,
  merchant: Merchant,
  json: unknown,
): Promise<Transaction> {
  const request = readTransactionRequest(json, deps.requestPolicy)
  const charge = onlyCharge(request)
  if (charge['payment-method'].type !== 'credit-card')
    throw new ApiError('unavailable_payment_method')
  if (charge['payment-info']?.['credit-card'] !== undefined && !merchant.mayUseRawCards) {
    throw new ApiError('unavailable_payment_method')
  }
  const intent = await commitIntent(deps, merchant, request)
  return await payByCard(deps, intent, {
    environment: deps.environment,
    merchantId: merchant.id,
    transactionCode: String(intent.code),
    source: cardSourceOf(charge),
    payerEmail: intent.payerEmail,
    amountMinor: intent.chargedMinor,
    installments: intent.installments,
    brand: charge['payment-method']['sub-type'],
    saveCard: charge['payment-info']?.save === true,
  })
}

/** One transaction of the store. @throws ApiError id_invalid, transaction_not_found */
export async function findTransaction(
  { transactions }: Pick<TransactionDeps, 'transactions'>,
  merchant: Merchant,
  codeText: string,
): Promise<Transaction> {
  const code = transactionCodeSchema.safeParse(codeText)
  if (!code.success) throw new ApiError('id_invalid')
  const transaction = await transactions.find(merchant.id, code.data)
  if (transaction === undefined) throw new ApiError('transaction_not_found')
  return transaction
}

async function commitIntent(
  deps: TransactionDeps,
  merchant: Merchant,
  request: TransactionRequest,
): Promise<Transaction> {
  const intent = planTransaction(deps, merchant, request)
  for (let draw = 1; draw <= CODE_DRAWS_MAX; draw++) {
    const candidate = { ...intent, code: drawTransactionCode(deps.clock.now(), deps.randomBelow) }
    const inserted = await deps.transactions.insertIntent(candidate)
    switch (inserted) {
      case 'inserted':
        return candidate
      case 'reference_used':
        throw new ApiError([
          {
            name: 'transaction_reference_used',
            property: 'transaction.reference',
            constraint: 'unique',
          },
        ])
      case 'code_taken':
        break
      default:
        assertNever(inserted)
    }
  }
  throw new Error('no free transaction code was drawn')
}

function planTransaction(
  { clock, installmentTerms }: TransactionDeps,
  merchant: Merchant,
  request: TransactionRequest,
): Omit<Transaction, 'code'> {
  const charge = onlyCharge(request)
  const quantity = charge['payment-info']?.installments ?? 1
  const installment = installmentPlan(charge.amount, installmentTerms)[quantity - 1]
  if (installment === undefined) {
    throw new ApiError([
      {
        name: 'charge_#_payment_info_installments_invalid',
        property: 'charge[0].payment-info.installments',
        constraint: 'maximum',
        index: 0,
      },
    ])
  }
  const nowMs = clock.now()
  return {
    merchantId: merchant.id,
    reference: request.transaction.reference,
    status: 'PENDING',
    open: true,
    paymentType: charge['payment-method'].type,
    subType: charge['payment-method']['sub-type'],
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
    requestJson: storableRequest(request),
    createdAtMs: nowMs,
    paidAtMs: undefined,
    statusChangedAtMs: nowMs,
  }
}

async function payByCard(
  deps: TransactionDeps,
  intent: Transaction,
  order: CardOrder,
): Promise<Transaction> {
  const answer = await askForAuthorization(deps, order)
  if (answer === undefined) {
    return await deps.transactions.settle(intent.code, {
      ...intent,
      status: statusOfOutcome('unknown'),
      atMs: deps.clock.now(),
    })
  }
  if (answer.kind === 'refused') {
    await deps.transactions.withdrawIntent(intent.code)
    throw refusalError(answer.reason, order)
  }
  return await deps.transactions.settle(intent.code, {
    status: statusOfOutcome(answer.outcome),
    open: answer.outcome === 'unknown',
    subType: answer.card.brand,
    savedCard: answer.savedCard,
    cardBin: answer.card.bin,
    cardLastFour: answer.card.lastFour,
    atMs: deps.clock.now(),
  })
}

/** Undefined when the answer got lost: the outcome is unknown, and the intent stays open. */
async function askForAuthorization(
  { cards, log }: TransactionDeps,
  order: CardOrder,
): Promise<CardAnswer | undefined> {
  try {
    return await cards.authorize(order)
  } catch (error) {
    log.error(
      { transaction: order.transactionCode, error },
      'the vault did not answer an authorization',
    )
    return undefined
  }
}

const REFUSAL_ERRORS: Readonly<Record<CardRefusal, ErrorName>> = {
  token_invalid: 'charge_#_payment_info_token_invalid',
  brand_not_accepted: 'charge_#_payment_info_token_invalid',
  brand_mismatch: 'charge_#_payment_method_sub_type_invalid',
  card_invalid: 'charge_#_payment_info_credit_card_invalid',
  code_not_found: 'charge_#_payment_info_code_not_found',
}

function refusalError(reason: CardRefusal, { source }: CardOrder): ApiError {
  const field = source.kind === 'raw' ? 'credit-card' : source.kind
  const property =
    reason === 'brand_mismatch'
      ? 'charge[0].payment-method.sub-type'
      : `charge[0].payment-info.${field}`
  return new ApiError([{ name: REFUSAL_ERRORS[reason], property, constraint: reason, index: 0 }])
}
