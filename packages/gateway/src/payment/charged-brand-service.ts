import {
  type CardService,
  type Clock,
  type Environment,
  type Log,
  SECOND_MS,
} from '@cofre/contracts'
import { answeredWithin } from '@cofre/work'
import type { Merchant } from '../model/merchant/merchant.js'

/** The longest wait of a look-up for the vault. */
const VAULT_ANSWERS_WITHIN_MS = SECOND_MS

/** How long a vault that did not answer is not called: no further look-up waits for it. */
const ASKED_AGAIN_AFTER_MS = 5 * SECOND_MS

export interface ChargedBrandDeps {
  readonly environment: Environment
  readonly machineClock: Clock
  readonly log: Log
  readonly cards: CardService
}

/**
 * The number of installments in which the store's accounts charge cards of a brand. 0 if none does;
 * undefined if nothing limits them or the vault does not answer.
 */
export function createInstallmentsCharged({
  cards,
  environment,
  machineClock,
  log,
}: ChargedBrandDeps): (store: Merchant, brand: string) => Promise<number | undefined> {
  /** Undefined while the vault answers. */
  let askAgainAtMs: number | undefined
  return async ({ id: merchantId }, brand) => {
    if (askAgainAtMs !== undefined) {
      const nowMs = machineClock.now()
      if (nowMs < askAgainAtMs) return undefined
      askAgainAtMs = nowMs + ASKED_AGAIN_AFTER_MS
    }
    try {
      const most = await answeredWithin(VAULT_ANSWERS_WITHIN_MS, async () =>
        cards.installmentsFor?.({ environment, merchantId, brand }),
      )
      if (askAgainAtMs !== undefined)
        log.info({}, 'the vault reports again which brands are charged')
      askAgainAtMs = undefined
      return most
    } catch (error) {
      if (askAgainAtMs === undefined)
        log.warn({ error }, 'the vault did not report which brands are charged; look-ups show all')
      askAgainAtMs = machineClock.now() + ASKED_AGAIN_AFTER_MS
      return undefined
    }
  }
}
