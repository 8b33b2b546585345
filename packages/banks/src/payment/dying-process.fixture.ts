import { ApiError, HOUR_MS, minorUnits } from '@cofre/contracts'
import { createGatewayCore } from '../../../gateway/src/create-gateway.js'
import { MERCHANT, TEST_SECRET_KEY } from '../../../gateway/src/gateway.fixture.js'
import { refundSurpluses } from './bank-refund-service.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { readCharges } from './charge-read-service.js'
import { type BankOptions, bankBase } from '../bank-parts.js'
import { type BankGatewayParts, bankGatewayParts } from '../banks.fixture.js'
import { removeCharge } from '../sql/charge-intent-sql.js'
import {
  askAfterOpenCharges,
  askAfterOpenIntents,
} from '../../../gateway/src/payment/open-intent-service.js'
import { createRefund, processRefunds } from '../../../gateway/src/payment/refund-service.js'

type Calling = <T>(call: () => Promise<T>) => Promise<T>

/**
 * A process that dies after one of its commits, or right after a provider has booked its request.
 */
export function dyingProcess({ parts }: { readonly parts: BankGatewayParts }, stepsLeft: number) {
  let left = stepsLeft
  const deps = calling(parts, async (call) => {
    if (left < 0) throw new Error('dead')
    const answer = await call()
    if (hasDone(answer) && --left < 0) throw new Error('killed')
    return answer
  })
  return { deps, hasDied: () => left < 0 }
}

/** A process that stops there until it is resumed. */
export function stallingProcess(
  { parts }: { readonly parts: BankGatewayParts },
  stepsLeft: number,
) {
  let left = stepsLeft
  const stall = Promise.withResolvers<undefined>()
  const resumed = Promise.withResolvers<undefined>()
  const deps = calling(parts, async (call) => {
    const answer = await call()
    if (hasDone(answer) && --left === -1) {
      stall.resolve(undefined)
      await resumed.promise
    }
    return answer
  })
  return {
    deps,
    stalled: stall.promise,
    resume: () => {
      resumed.resolve(undefined)
    },
  }
}

/** A round without work is no place to die at. */
function hasDone(answer: unknown): boolean {
  return answer !== undefined && (!Array.isArray(answer) || answer.length > 0)
}

/** A process's calls to the outside, each passed through `by`. */
function calling({ bankOf, cards, database, rails, ...parts }: BankGatewayParts, by: Calling) {
  const core = createGatewayCore({
    ...parts,
    secretKeys: [TEST_SECRET_KEY],
    intentRemovals: [removeCharge],
    database: {
      ...database,
      transact: (unit) => by(() => database.transact(unit)),
      commit: (statements) => by(() => database.commit(statements)),
    },
    cards: callingOf(cards, by),
    rails: {
      ...rails,
      registerBoleto: (...asked) => by(() => rails.registerBoleto(...asked)),
      openPixCharge: (order) => by(() => rails.openPixCharge(order)),
      openWallet: (order) => by(() => rails.openWallet(order)),
    },
  })
  const { boletoObjections, money } = parts
  const options: BankOptions = {
    boletoObjections,
    money,
    bankOf:
      bankOf &&
      (async (account) => {
        const { pix, boleto } = await bankOf(account)
        return { pix: pix && callingOf(pix, by), boleto: boleto && callingOf(boleto, by) }
      }),
  }
  return bankGatewayParts(bankBase(core, options))
}

/** Wraps each call of a bank or vault. */
function callingOf<Bank extends object>(bank: Bank, by: Calling): Bank {
  return new Proxy(bank, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => by(() => Reflect.apply(value, of, given) as Promise<unknown>)
    },
  })
}

const JOBS = [
  askAfterOpenIntents,
  askAfterOpenCharges,
  readCharges,
  sweepAccounts,
  refundSurpluses,
  processRefunds,
] as const

/** Runs all jobs of workers; failed ones are retried later. */
export async function work(deps: BankGatewayParts): Promise<void> {
  for (const job of JOBS) await job(deps).catch(() => undefined)
}

/** A test's processes: one and, once it has died, another. */
interface Life {
  readonly alive: () => BankGatewayParts
  readonly steps: number
  readonly rounds: () => Promise<void>
}

/** Requests one refund of R$ 40,00 twice; the clock may be set back meanwhile. */
export async function refundTwice(
  { time }: { readonly time: { nowMs: number } },
  code: number,
  { alive, steps, rounds }: Life,
): Promise<void> {
  const body = { 'transaction-id': String(code), 'notify-url': 'https://shop.example/refunds' }
  const request = { ...body, amount: minorUnits(4_000), reference: 'return-1' }
  for (let attempt = 0; attempt < 2; attempt++) {
    await createRefund(alive(), MERCHANT, { request, key: 'return-1' }).catch((error: unknown) => {
      if (error instanceof ApiError) throw error
    })
    if (steps % 3 === 1) time.nowMs -= HOUR_MS
    await rounds()
  }
}
