import { ApiError, HOUR_MS, minorUnits } from '@cofre/contracts'
import { type GatewayParts, gatewayParts } from '../create-gateway.js'
import { MERCHANT, TEST_SECRET_KEY } from '../gateway.fixture.js'
import { refundSurpluses } from './bank-refund-service.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { lookAtCharges } from './charge-look-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { askAfterOpenCharges, askAfterOpenIntents } from './open-intent-service.js'
import { createRefund, processRefunds } from './refund-service.js'

type Dying = <T>(call: () => Promise<T>) => Promise<T>

/** A process that ends after one of its commits, or when whom it asked has just booked. */
export function mortal({ parts }: { readonly parts: GatewayParts }, stepsLeft: number) {
  let left = stepsLeft
  const { bankOf, cards, database, rails } = parts
  const dying: Dying = async (call) => {
    if (left < 0) throw new Error('dead')
    const answer = await call()
    // A round that found nothing to do is no place to end at.
    const isNothing = answer === undefined || (Array.isArray(answer) && answer.length === 0)
    if (!isNothing && --left < 0) throw new Error('killed')
    return answer
  }
  const deps = gatewayParts({
    ...parts,
    secretKeys: [TEST_SECRET_KEY],
    database: {
      ...database,
      transact: (unit) => dying(() => database.transact(unit)),
      commit: (statements) => dying(() => database.commit(statements)),
    },
    cards: dyingIn(cards, dying),
    rails: {
      ...rails,
      registerBoleto: (...asked) => dying(() => rails.registerBoleto(...asked)),
      openPixCharge: (order) => dying(() => rails.openPixCharge(order)),
      openWallet: (order) => dying(() => rails.openWallet(order)),
    },
    bankOf:
      bankOf &&
      (async (account) => {
        const { pix, boleto } = await bankOf(account)
        return { pix: pix && dyingIn(pix, dying), boleto: boleto && dyingIn(boleto, dying) }
      }),
  })
  return { deps, hasDied: () => left < 0 }
}

/** A bank or vault that may be the last thing that the process has asked. */
function dyingIn<Bank extends object>(bank: Bank, dying: Dying): Bank {
  return new Proxy(bank, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) =>
        dying(() => Reflect.apply(value, of, given) as Promise<unknown>)
    },
  })
}

const JOBS = [
  askAfterOpenIntents,
  askAfterOpenCharges,
  lookAtCharges,
  sweepAccounts,
  refundSurpluses,
  processRefunds,
] as const

/** All that workers do; what fails is done again. */
export async function work(deps: GatewayDeps): Promise<void> {
  for (const job of JOBS) await job(deps).catch(() => undefined)
}

/** How a test goes on: by a process or, once it has died, another. */
interface Life {
  readonly alive: () => GatewayDeps
  readonly steps: number
  readonly rounds: () => Promise<void>
}

/** A shop that asks twice for one refund of R$ 40,00; the clock may be set back meanwhile. */
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
