import { SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import type { Merchant } from '../model/merchant/merchant.js'
import type { GatewayDeps } from './gateway-deps.js'

/** A look-up waits no longer for the vault. */
const VAULT_ANSWERS_WITHIN_MS = SECOND_MS

/** Whether cards of the brand are charged for the store; true while the vault does not say. */
export async function isBrandCharged(
  { cards, environment, log }: GatewayDeps,
  { id: merchantId }: Merchant,
  brand: string,
): Promise<boolean> {
  try {
    const most = await answeredWithin(VAULT_ANSWERS_WITHIN_MS, async () =>
      cards.installmentsFor?.({ environment, merchantId, brand }),
    )
    return most !== 0
  } catch (error) {
    log.warn({ error }, 'the vault did not say which brands are charged')
    return true
  }
}
