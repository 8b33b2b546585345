import { ApiError } from '@cofre/contracts'
import type { PaymentMethod, PlannedOrder } from '../../method/payment-method.js'
import {
  type BankCharge,
  type ChargeMethod,
  chargeMethodOf,
} from '../../model/payment-rail/bank-charge.js'
import type { MethodRefundCause } from '../../model/refund/refund.js'
import { onlyCharge } from '../../model/transaction/stored-request.js'
import { bankAccountOf, boletoOf } from '../../model/transaction/payment-details.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { accountsOf } from '../../payment/account-bank-service.js'
import {
  payAgainAtBank,
  payAtBank,
  planCharge,
  showIfOpened,
} from '../../payment/bank-payment-service.js'
import { refundAtBank } from '../../payment/bank-refund-service.js'
import { boletoRouteOf } from '../../payment/boleto-route-service.js'
import { removeLiveCharge } from '../../payment/charge-look-service.js'
import { removeUnseen } from '../../payment/charge-removal-service.js'
import type { MethodDeps } from '../../payment/gateway-deps.js'

/** How payments of one type are made at banks, and how where no bank was asked. */
interface AtBanks {
  readonly deps: MethodDeps
  readonly method: ChargeMethod
  readonly simulated: PaymentMethod
}

/**
 * PIX or boletos at the banks of stores' accounts. Where a store has none, and for payments that
 * no bank was asked for, the simulated bank of the rails stands in.
 */
export function createBankMethod(deps: MethodDeps, simulated: PaymentMethod): PaymentMethod {
  const { type, unpaidStatus, isGivenLater } = simulated
  const method = chargeMethodOf(type)
  if (method === undefined) throw new Error(`banks open no charge of type ${type}`)
  const at = { deps, method, simulated }
  return {
    type,
    unpaidStatus,
    ...plannedAt(at),
    ...openAt(at),
    ...endedAt(at),
    shown: (payment, publicUrl) => simulated.shown(payment, publicUrl),
    isGivenLater,
  }
}

function plannedAt({ deps, method, simulated }: AtBanks) {
  return {
    async obstacle(storeId) {
      try {
        if ((await accountsOf(deps, storeId, method)).length > 0) return undefined
      } catch (error) {
        if (error instanceof ApiError) return 'no-account'
        throw error
      }
      return await simulated.obstacle?.(storeId)
    },
    async plan(order) {
      const [account, ...others] = await routeOf(deps, method, order)
      if (account === undefined) return await simulated.plan(order)
      const { request, deadline } = order
      const charge = planCharge(deps, account, method)
      return {
        installments: 1,
        parts: [deps.bankCharges.intentPart(charge)],
        open: (intent) => payAtBank(deps, intent, { charge, others, request, deadline }),
      }
    },
  } satisfies Partial<PaymentMethod>
}

/** What becomes of open intents. */
function openAt({ deps, simulated }: AtBanks) {
  const { bankCharges, bankOf } = deps
  return {
    resume: (intent, order) =>
      byCharge(deps, intent, {
        bank: (charge) => payAgainAtBank(deps, intent, { charge, ...order }),
        otherwise: () => simulated.resume(intent, order),
      }),
    ...(bankOf !== undefined && {
      isDoubtful: async ({ code }) => (await bankCharges.find(code))?.state === 'doubtful',
    }),
    // A charge that no payer has seen is removed: the shop may ask for it again then.
    finish: (intent) =>
      byCharge<unknown>(deps, intent, {
        bank: (charge) => removeUnseen(deps, intent, { charge }),
        otherwise: () => simulated.finish(intent),
      }),
    decide: (intent) =>
      byCharge(deps, intent, {
        async bank(charge) {
          await showIfOpened(deps, intent, charge)
          return 'arrived' as const
        },
        otherwise: () => simulated.decide(intent),
      }),
  } satisfies Partial<PaymentMethod>
}

/** What becomes of payments that their payers have seen. */
function endedAt({ deps, simulated }: AtBanks) {
  const { bankCharges, bankOf, machineClock } = deps
  return {
    cancel: (payment) =>
      byCharge<unknown>(deps, payment, {
        bank: (charge) => removeLiveCharge(deps, charge),
        otherwise: async () => await simulated.cancel?.(payment),
      }),
    // Its bank must not take money for it any more.
    ...(bankOf !== undefined && {
      follow: ({ code }) => bankCharges.lookAtCharge(code, machineClock.now()),
    }),
    refundObstacle: (payment) =>
      bankAccountOf(payment) === undefined
        ? simulated.refundObstacle(payment)
        : WAY_OBSTACLES[boletoOf(payment)?.paidBy ?? 'pix'],
    refund: (refund, payment) =>
      byCharge(deps, payment, {
        bank: (charge) => refundAtBank(deps, refund, charge),
        otherwise: () => simulated.refund(refund, payment),
      }),
  } satisfies Partial<PaymentMethod>
}

interface ByCharge<Result> {
  readonly bank: (charge: BankCharge) => Promise<Result>
  readonly otherwise: () => Promise<Result>
}

/** Asks a payment's bank; the simulated one where no bank has its charge. */
async function byCharge<Result>(
  { bankCharges }: MethodDeps,
  { code }: Pick<Transaction, 'code'>,
  { bank, otherwise }: ByCharge<Result>,
): Promise<Result> {
  const charge = await bankCharges.find(code)
  return charge === undefined ? await otherwise() : await bank(charge)
}

/** The accounts whose banks are asked, in their order. */
async function routeOf(
  deps: MethodDeps,
  method: ChargeMethod,
  { merchant: { id }, request }: Pick<PlannedOrder, 'merchant' | 'request'>,
): Promise<readonly string[]> {
  if (method === 'pix') return await accountsOf(deps, id, method)
  const { amount: amountMinor } = onlyCharge(request)
  return await boletoRouteOf(deps, id, { amountMinor, payer: request.payer })
}

/** Of a boleto a bank can send back what came by PIX. */
const WAY_OBSTACLES = {
  pix: undefined,
  line: 'paid-by-line',
  elsewhere: 'paid-elsewhere',
} as const satisfies Record<string, MethodRefundCause | undefined>
