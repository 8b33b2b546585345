// A worker's part of authorized payments: it asks for ends that were ordered, applies the rule, and
// reminds stores before.
import { MINUTE_MS } from '@cofre/contracts'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import type { MerchantStore } from '../ports.js'
import { type EndAuthorizedDeps, carryOut } from './authorized-end-service.js'

const CAPTURES_AT_ONCE = 20
/** Until then, a payment whose round failed is left to the worker that has claimed it. */
const RULE_LEASE_MS = MINUTE_MS

/**
 * Asks the vault to carry out committed orders, after a crash, a lost answer, or while the acquirer
 * has them in process.
 * @throws RoundFailedError if none was answered
 */
export async function carryOutOrders(
  deps: EndAuthorizedDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  const orders = await deps.captures.claimOrders(deps.machineClock.now(), {
    ...claimOf(deps),
    busy: lanes.busy(),
  })
  return await doEach(orders, {
    work: (claimed) => lanes.run(claimed.lane, () => carryOut(deps, claimed, claimed.order)),
    name: ({ code }) => `transaction ${code}`,
    logFailure({ code: transaction }, error) {
      deps.log.warn({ transaction, error }, 'a capture or a void is not answered yet')
    },
  })
}

export interface UncapturedDeps extends EndAuthorizedDeps {
  readonly merchants: MerchantStore
}

/**
 * Orders the end of authorized payments that were not captured in time, by the rule of their store.
 * Another round asks for it.
 * @throws RoundFailedError if none could be ordered
 */
export async function endUncaptured(deps: UncapturedDeps): Promise<unknown> {
  const { captures, clock, log, machineClock, merchants } = deps
  const uncaptured = await captures.claimUncaptured(clock.now(), RULE_LEASE_MS, claimOf(deps))
  return await doEach(uncaptured, {
    async work({ code, merchantId }) {
      const operation = (await merchants.find(merchantId))?.uncaptured ?? 'void'
      const orderedAtMs = machineClock.now()
      await captures.order(code, { operation, orderedBy: 'rule', orderedAtMs }, orderedAtMs)
    },
    name: ({ code }) => `transaction ${code}`,
    logFailure({ code: transaction }, error) {
      log.error({ transaction, error }, 'an uncaptured payment could not be ended')
    },
  })
}

/**
 * Reminds stores of authorized payments on which their rule will act soon.
 * @throws RoundFailedError if none could be reminded
 */
export async function remindOfUncaptured(deps: EndAuthorizedDeps): Promise<unknown> {
  const { captures, clock, log } = deps
  const nowMs = clock.now()
  const uncaptured = await captures.claimReminders(nowMs, RULE_LEASE_MS, claimOf(deps))
  return await doEach(uncaptured, {
    work: ({ code }) => captures.remind(code, nowMs),
    name: ({ code }) => `transaction ${code}`,
    logFailure({ code: transaction }, error) {
      log.error({ transaction, error }, 'a store could not be reminded of an authorized payment')
    },
  })
}

function claimOf({ log }: EndAuthorizedDeps) {
  return {
    limit: CAPTURES_AT_ONCE,
    unreadable(error: unknown, transaction: number) {
      log.error({ transaction, error }, 'an authorized payment could not be read')
    },
  }
}
