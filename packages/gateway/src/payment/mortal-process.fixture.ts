import { type GatewayParts, gatewayParts } from '../create-gateway.js'
import { TEST_SECRET_KEY } from '../gateway.fixture.js'
import { refundSurpluses } from './bank-refund-service.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { lookAtCharges } from './charge-look-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { askAfterOpenCharges } from './open-intent-service.js'
import { processRefunds } from './refund-service.js'

type Dying = <T>(call: () => Promise<T>) => Promise<T>

/** A process that ends after one of its commits, or when its bank has just booked. */
export function mortal({ parts }: { readonly parts: GatewayParts }, stepsLeft: number) {
  let left = stepsLeft
  const { bankOf, database } = parts
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
    async bankOf(account) {
      const { pix, boleto } = await bankOf!(account)
      return { pix: pix && dyingIn(pix, dying), boleto: boleto && dyingIn(boleto, dying) }
    },
  })
  return { deps, hasDied: () => left < 0 }
}

/** A bank that may be the last thing that the process has asked. */
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
