// PIX or boletos at the banks of stores' accounts. The rails' simulated bank serves stores without
// an account, and payments that no bank was asked for. `create-banks.ts` makes a method of these
// parts.
import { ApiError, type Log } from '@cofre/contracts'
import {
  type BankCharge,
  type ChargeMethod,
  type MethodRefundCause,
  type PaymentMethod,
  type PlannedOrder,
  type Transaction,
  bankAccountOf,
  boletoOf,
  onlyCharge,
} from '@cofre/gateway/method'
import type { BankChargeStore } from '../payment/ports.js'
import { type AccountBanks, usableBank } from '../payment/account-bank-service.js'
import {
  type PayAgainAtBankDeps,
  type PayAtBank,
  type PlanCharge,
  type ShowIfOpenedDeps,
  payAgainAtBank,
  showIfOpened,
} from '../payment/bank-payment-service.js'
import { type RefundAtBankDeps, refundAtBank } from '../payment/bank-refund-service.js'
import type { BoletoRoute } from '../payment/boleto-route-service.js'
import { referenceOf } from '../payment/charge-bank.js'
import { type RemoveLiveChargeDeps, removeLiveCharge } from '../payment/charge-read-service.js'

export interface PlannedAtBanksDeps {
  readonly banks: AccountBanks
  readonly bankCharges: BankChargeStore
  readonly boletoRoute: BoletoRoute
  readonly planCharge: PlanCharge
  readonly payAtBank: PayAtBank
}

/** Plans orders and requests their charges. */
export function plannedAtBanks(
  deps: PlannedAtBanksDeps,
  method: ChargeMethod,
  simulated: PaymentMethod,
): Pick<PaymentMethod, 'obstacle' | 'plan'> {
  return {
    async obstacle(storeId) {
      try {
        if ((await deps.banks.routeOf(storeId, method)).length > 0) return undefined
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
      const charge = deps.planCharge(account, method)
      return {
        installments: 1,
        parts: [deps.bankCharges.intentPart(charge)],
        open: (intent) => deps.payAtBank(intent, { charge, others, request, deadline }),
      }
    },
  }
}

export type BankDeps = PayAgainAtBankDeps & ShowIfOpenedDeps

/** Finishes open intents. */
export function openAtBanks(
  deps: BankDeps,
  simulated: PaymentMethod,
): Pick<PaymentMethod, 'resume' | 'isDoubtful' | 'finish' | 'decide'> {
  const { bankCharges, banks } = deps
  return {
    resume: (intent, order) =>
      byCharge(deps, intent, {
        bank: (charge) => payAgainAtBank(deps, intent, { charge, ...order }),
        otherwise: () => simulated.resume(intent, order),
      }),
    ...(banks.arePresent && {
      isDoubtful: async ({ code }) => (await bankCharges.find(code))?.state === 'doubtful',
    }),
    // A charge that no payer has seen is removed, so that the shop may request it again.
    finish: (intent) =>
      byCharge<unknown>(deps, intent, {
        bank: (charge) => deps.removeUnshown(intent, { charge }),
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
  }
}

export type EndedAtBanksDeps = RefundAtBankDeps & RemoveLiveChargeDeps

/** Cancels, follows and refunds payments that their payers have seen. */
export function endedAtBanks(
  deps: EndedAtBanksDeps,
  simulated: PaymentMethod,
): Pick<PaymentMethod, 'cancel' | 'follow' | 'refundObstacle' | 'refund'> {
  const { bankCharges, banks, machineClock } = deps
  return {
    cancel: (payment) =>
      byCharge<unknown>(deps, payment, {
        bank: (charge) => removeLiveCharge(deps, charge),
        otherwise: async () => await simulated.cancel?.(payment),
      }),
    // Its bank must no longer accept money for it.
    ...(banks.arePresent && {
      follow: ({ code }) => bankCharges.planRead(code, machineClock.now()),
    }),
    refundObstacle: (payment) =>
      bankAccountOf(payment) === undefined
        ? simulated.refundObstacle(payment)
        : CHANNEL_OBSTACLES[boletoOf(payment)?.paidBy ?? 'pix'],
    refund: (refund, payment) =>
      byCharge(deps, payment, {
        bank: (charge) => refundAtBank(deps, refund, charge),
        otherwise: () => simulated.refund(refund, payment),
      }),
  }
}

export interface GivenByBanksDeps {
  readonly log: Log
  readonly banks: AccountBanks
  readonly bankCharges: BankChargeStore
}

/** The payer's bank slip, and the time until which a bank accepts the payment. */
export function givenByBanks(
  deps: GivenByBanksDeps,
): Pick<PaymentMethod, 'slip' | 'payableUntilMs'> {
  const { bankCharges, banks, log } = deps
  return {
    async slip({ code }) {
      const charge = await bankCharges.find(code)
      if (charge === undefined) return undefined
      const { accountId } = charge
      const bank = await usableBank(banks.boletos(accountId))
      if (typeof bank === 'string') {
        log.warn({ account: accountId, error: bank }, 'an account cannot be used')
        return undefined
      }
      const { slip } = bank
      return slip && (() => slip(referenceOf(charge)))
    },
    payableUntilMs: async ({ code }) => (await bankCharges.find(code))?.bankExpiresAtMs,
  }
}

interface ByCharge<Result> {
  readonly bank: (charge: BankCharge) => Promise<Result>
  readonly otherwise: () => Promise<Result>
}

/** Asks a payment's bank, or the simulated one if no bank has its charge. */
async function byCharge<Result>(
  { bankCharges }: { readonly bankCharges: BankChargeStore },
  { code }: Pick<Transaction, 'code'>,
  { bank, otherwise }: ByCharge<Result>,
): Promise<Result> {
  const charge = await bankCharges.find(code)
  return charge === undefined ? await otherwise() : await bank(charge)
}

/** The accounts whose banks are asked, in order. */
async function routeOf(
  { banks, boletoRoute }: PlannedAtBanksDeps,
  method: ChargeMethod,
  { merchant: { id }, request }: Pick<PlannedOrder, 'merchant' | 'request'>,
): Promise<readonly string[]> {
  if (method === 'pix') return await banks.routeOf(id, method)
  const { amount: amountMinor } = onlyCharge(request)
  return await boletoRoute(id, { amountMinor, payer: request.payer })
}

/** A bank can send back only the part of a boleto that was paid by PIX. */
const CHANNEL_OBSTACLES = {
  pix: undefined,
  line: 'paid-by-line',
  elsewhere: 'paid-elsewhere',
} as const satisfies Record<string, MethodRefundCause | undefined>
