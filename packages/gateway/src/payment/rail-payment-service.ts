import { ApiError, DAY_MS, HOUR_MS, assertNever } from '@cofre/contracts'
import { PROVIDER_TIMEOUT_MS, answeredWithin } from '@cofre/work'
import { boletoBarcode, digitableLine } from '../model/boleto/boleto-code.js'
import { boletoDeadlineMs, dayInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { GatewayDeps } from './gateway-deps.js'
import { pixCode } from '../model/payment-rail/br-code.js'
import type { PaymentRails, RailOrder } from '../model/payment-rail/payment-rails.js'
import type { StoredRequest } from '../model/transaction/stored-request.js'
import type { Transaction, WaitingDetails } from '../model/transaction/transaction.js'
import { isUnavailable } from '@cofre/sql'
import { withdraw } from './withdrawal-service.js'

const PIX_LIFETIME_MS = DAY_MS
const WALLET_LIFETIME_MS = HOUR_MS

/**
 * Asks the bank or wallet for a charge that the payer can pay, and commits its answer. The
 * transaction then waits for the payment.
 * @throws ApiError service_unavailable when there is no answer; no payer has seen the charge, and
 * the intent is gone
 */
export async function payByRail(
  deps: GatewayDeps,
  intent: Transaction,
  request: StoredRequest,
): Promise<Transaction> {
  const details = await openCharge(deps, intent, request).catch((error: unknown) => {
    deps.log.error({ transaction: intent.code, error }, 'a payment rail did not open a charge')
    return undefined
  })
  if (details !== undefined) return await settleWaiting(deps, intent, details)
  const standing = await withdraw(deps, intent)
  if (standing === undefined) throw new ApiError('service_unavailable')
  return standing
}

/** The same for an order that was begun before: without an answer, it stays as it is. */
export async function openByRail(
  deps: GatewayDeps,
  intent: Transaction,
  request: StoredRequest,
): Promise<Transaction> {
  return await settleWaiting(deps, intent, await openCharge(deps, intent, request))
}

async function settleWaiting(
  { clock, transactions }: GatewayDeps,
  intent: Transaction,
  details: WaitingDetails,
): Promise<Transaction> {
  return await transactions.settle(intent, {
    status: 'PENDING',
    open: false,
    paymentDetails: details,
    expiresAtMs: expiryOf(details, intent.createdAtMs),
    atMs: clock.now(),
  })
}

/** When an unpaid charge lapses (specification, decision 3 of section 10). */
function expiryOf(details: WaitingDetails, createdAtMs: number): number {
  switch (details.kind) {
    case 'boleto':
      return boletoDeadlineMs(details.dueDate)
    case 'pix':
      return createdAtMs + PIX_LIFETIME_MS
    case 'wallet':
      return createdAtMs + WALLET_LIFETIME_MS
  }
}

async function openCharge(
  { rails, boletoDays }: GatewayDeps,
  intent: Transaction,
  request: StoredRequest,
): Promise<WaitingDetails> {
  const order = railOrder(intent, request)
  const { paymentType, amountMinor } = intent
  switch (paymentType) {
    case 'postpay': {
      const dueDate = dayInBrasilia(intent.createdAtMs, boletoDays)
      const registered = await rails.registerBoleto(order, dueDate)
      const barcode = boletoBarcode({ ...registered, dueDate, amountMinor })
      const { payerName } = order
      return { kind: 'boleto', barcode, digitableLine: digitableLine(barcode), dueDate, payerName }
    }
    case 'eft': {
      const charge = await rails.openPixCharge(order)
      return { kind: 'pix', code: pixCode({ ...charge, amountMinor }) }
    }
    case 'e-wallet': {
      const urls = request.transaction?.['redirect-urls']
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

function railOrder(intent: Transaction, { payer }: StoredRequest): RailOrder {
  if (payer === undefined) throw new Error('no open intent is without its payer')
  return {
    merchantId: intent.merchantId,
    transactionCode: String(intent.code),
    publicId: intent.publicId,
    amountMinor: intent.amountMinor,
    payerName: payer.name,
    payerDocument: intent.payerDocument,
  }
}

/** Rails that answer or fail in bounded time: a provider that hangs delays nobody. */
export function boundedRails(rails: PaymentRails, timeoutMs = PROVIDER_TIMEOUT_MS): PaymentRails {
  return {
    opens: (paymentType) => rails.opens(paymentType),
    registerBoleto: (order, dueDate) =>
      answeredWithin(timeoutMs, () => rails.registerBoleto(order, dueDate)),
    openPixCharge: (order) => answeredWithin(timeoutMs, () => rails.openPixCharge(order)),
    openWallet: (order) => answeredWithin(timeoutMs, () => rails.openWallet(order)),
    refund: (order) => answeredWithin(timeoutMs, () => rails.refund(order)),
    acceptsRefund: (paymentType, subType) => rails.acceptsRefund(paymentType, subType),
  }
}

const EXPIRIES_AT_ONCE = 100

/** Ends transactions that nobody paid in time; returns how many. */
export async function expireUnpaid(deps: GatewayDeps): Promise<number> {
  const { transactions, clock, machineClock, log } = deps
  const nowMs = clock.now()
  const machineNowMs = machineClock.now()
  const expired = await transactions.findExpired(nowMs, machineNowMs, EXPIRIES_AT_ONCE)
  let lapsed = 0
  for (const transaction of expired) {
    try {
      // Specification, decision 3 of section 10.
      const to = transaction.paymentType === 'postpay' ? 'NOT-PAID' : 'EXPIRED'
      if ((await transactions.changeStatus(transaction.code, { to, atMs: nowMs })) !== undefined)
        lapsed++
    } catch (error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      log.error({ transaction: transaction.code, error }, 'a transaction could not be ended')
      transactions.expireLater(transaction.code, machineNowMs)
    }
  }
  return lapsed
}
