import {
  ApiError,
  type Clock,
  DAY_MS,
  HOUR_MS,
  type Log,
  type TransactionRequest,
  assertNever,
} from '@cofre/contracts'
import { boletoBarcode, digitableLine } from '../model/boleto/boleto-code.js'
import { boletoDeadlineMs } from '../model/boleto/business-day.js'
import { pixCode } from '../model/payment-rail/br-code.js'
import { dayInBrasilia } from '../model/transaction/brasilia-time.js'
import type { PaymentDetails } from '../model/transaction/payment-details.js'
import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionStore } from '../model/transaction/transaction-store.js'
import type { PaymentRails, RailOrder } from '../model/payment-rail/payment-rails.js'

export interface RailPaymentDeps {
  readonly transactions: TransactionStore
  readonly rails: PaymentRails
  readonly clock: Clock
  readonly log: Log
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
}

const PIX_LIFETIME_MS = DAY_MS
const WALLET_LIFETIME_MS = HOUR_MS

/**
 * Asks the bank or wallet for a charge the payer can pay, and commits its answer. The transaction then waits for the payment.
 * @throws ApiError service_unavailable when there is no answer; no payer has seen the charge, and the intent is gone
 */
export async function payByRail(
  deps: RailPaymentDeps,
  intent: Transaction,
  request: TransactionRequest,
): Promise<Transaction> {
  const details = await askForCharge(deps, intent, request)
  if (details === undefined) {
    await deps.transactions.withdrawIntent(intent)
    throw new ApiError('service_unavailable')
  }
  return await deps.transactions.settle(intent, {
    status: 'PENDING',
    open: false,
    paymentDetails: details,
    expiresAtMs: expiryOf(details, intent.createdAtMs),
    atMs: deps.clock.now(),
  })
}

/** When an unpaid charge lapses (specification, decision 3 of section 10). */
function expiryOf(details: PaymentDetails, createdAtMs: number): number {
  switch (details.kind) {
    case 'boleto':
      return boletoDeadlineMs(details.dueDate)
    case 'pix':
      return createdAtMs + PIX_LIFETIME_MS
    case 'wallet':
      return createdAtMs + WALLET_LIFETIME_MS
  }
}

async function askForCharge(
  deps: RailPaymentDeps,
  intent: Transaction,
  request: TransactionRequest,
): Promise<PaymentDetails | undefined> {
  try {
    return await openCharge(deps, intent, request)
  } catch (error) {
    deps.log.error({ transaction: intent.code, error }, 'a payment rail did not open a charge')
    return undefined
  }
}

async function openCharge(
  { rails, boletoDays }: RailPaymentDeps,
  intent: Transaction,
  request: TransactionRequest,
): Promise<PaymentDetails> {
  const order = railOrder(intent, request)
  const { paymentType, amountMinor } = intent
  switch (paymentType) {
    case 'postpay': {
      const dueDate = dayInBrasilia(intent.createdAtMs, boletoDays)
      const { bank, freeField } = await rails.registerBoleto(order, dueDate)
      const barcode = boletoBarcode({ bank, dueDate, amountMinor, freeField })
      const { payerName } = order
      return { kind: 'boleto', barcode, digitableLine: digitableLine(barcode), dueDate, payerName }
    }
    case 'eft': {
      const charge = await rails.openPixCharge(order)
      return { kind: 'pix', code: pixCode({ ...charge, amountMinor }) }
    }
    case 'e-wallet': {
      const urls = request.transaction['redirect-urls']
      if (urls === undefined) throw new Error('a valid wallet request names its redirect URLs')
      const redirects = { successUrl: urls.success, failUrl: urls.fail }
      const wallet = intent.subType ?? ''
      const { paymentUrl } = await rails.openWallet({ ...order, ...redirects, wallet })
      return { kind: 'wallet', paymentUrl, ...redirects }
    }
    case 'credit-card':
      throw new Error('a card is charged by the vault')
    default:
      return assertNever(paymentType)
  }
}

function railOrder(intent: Transaction, { payer }: TransactionRequest): RailOrder {
  return {
    merchantId: intent.merchantId,
    transactionCode: String(intent.code),
    publicId: intent.publicId,
    amountMinor: intent.amountMinor,
    payerName: payer.name,
    payerDocument: intent.payerDocument,
  }
}
