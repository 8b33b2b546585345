import { ApiError, type Clock, type Log } from '@cofre/contracts'
import { PROVIDER_TIMEOUT_MS, answeredWithin } from '@cofre/work'
import type { PaymentMethod } from '../../method/payment-method.js'
import type { PaymentRails } from '../../model/payment-rail/payment-rails.js'
import { storedRequest } from '../../model/transaction/stored-request.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { withdraw } from '../../payment/withdrawal-service.js'
import { waitingFields } from '../waiting-fields.js'
import type { RailCharge, RailCharges } from './rail-charges.js'
import type { TransactionStore } from '../../payment/ports.js'

export interface RailDeps {
  readonly clock: Clock
  readonly log: Log
  readonly rails: PaymentRails
  readonly transactions: TransactionStore
}

/** Payments that wait for their payer at a wallet, or at the bank that the sandbox simulates. */
export function createRailMethod(deps: RailDeps, charges: RailCharges): PaymentMethod {
  const { clock, rails, transactions } = deps
  const { type, unpaidStatus, isGivenLater } = charges
  const finish = (intent: Transaction) => openOrWithdraw(deps, intent, charges)
  return {
    type,
    unpaidStatus,
    obstacle: () => Promise.resolve(rails.opens(type) ? undefined : 'not-opened'),
    plan() {
      if (!rails.opens(type))
        throw new ApiError([{ name: 'unavailable_payment_method', cause: 'not-opened' }])
      return { installments: 1, parts: [], open: finish }
    },
    resume: finish,
    finish,
    /** Without an answer, the intent stays as it is. */
    async decide(intent) {
      await settleWaiting(deps, intent, await charges.open(rails, intent, storedRequest(intent)))
      return 'arrived'
    },
    cancel: ({ code }) => transactions.changeStatus(code, { to: 'CANCELLED', atMs: clock.now() }),
    refundObstacle: ({ subType }) => (rails.acceptsRefund(type, subType) ? undefined : 'status'),
    refund: async ({ id, transactionCode, merchantId, amountMinor, reference }) =>
      await rails.refund({
        refundId: String(id),
        transactionCode: String(transactionCode),
        merchantId,
        amountMinor,
        reference,
      }),
    shown: waitingFields,
    isGivenLater,
  }
}

/**
 * Requests a charge that the payer can pay from the bank or wallet, and commits its answer. The
 * transaction then waits for the payment.
 * @throws ApiError service_unavailable without an answer; no payer has seen the charge, and the
 * intent is gone
 */
async function openOrWithdraw(
  deps: RailDeps,
  intent: Transaction,
  charges: RailCharges,
): Promise<Transaction> {
  const asked = charges.open(deps.rails, intent, storedRequest(intent))
  const opened = await asked.catch((error: unknown) => {
    deps.log.error({ transaction: intent.code, error }, 'a payment rail did not open a charge')
    return undefined
  })
  if (opened !== undefined) return await settleWaiting(deps, intent, opened)
  const standing = await withdraw(deps, intent)
  if (standing === undefined) throw new ApiError('service_unavailable')
  return standing
}

async function settleWaiting(
  { clock, transactions }: RailDeps,
  intent: Transaction,
  { details, expiresAtMs }: RailCharge,
): Promise<Transaction> {
  return await transactions.settle(intent, {
    status: 'PENDING',
    open: false,
    paymentDetails: details,
    expiresAtMs,
    atMs: clock.now(),
  })
}

/** Rails that answer or fail in bounded time: a hanging provider delays no other request. */
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
