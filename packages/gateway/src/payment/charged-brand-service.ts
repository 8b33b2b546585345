import { CARD_BRANDS, SECOND_MS, isAccepted } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import type { Merchant } from '../model/merchant/merchant.js'
import type { GatewayDeps } from './gateway-deps.js'

/** A look-up waits no longer for the vault. */
const VAULT_ANSWERS_WITHIN_MS = SECOND_MS

/**
 * In how many installments the store's accounts charge cards of the brand: 0 where none does,
 * undefined where nothing limits them or the vault does not say.
 */
export async function installmentsCharged(
  { cards, environment, log }: GatewayDeps,
  { id: merchantId }: Merchant,
  brand: string,
): Promise<number | undefined> {
  try {
    return await answeredWithin(VAULT_ANSWERS_WITHIN_MS, async () =>
      cards.installmentsFor?.({ environment, merchantId, brand }),
    )
  } catch (error) {
    log.warn({ error }, 'the vault did not say which brands are charged')
    return undefined
  }
}

/** The names of the brands that the store's accounts charge, as far as the vault says. */
export async function brandsCharged(
  deps: GatewayDeps,
  merchant: Merchant,
): Promise<readonly string[]> {
  const names = CARD_BRANDS.filter(isAccepted).map(({ name }) => name)
  const counts = await Promise.all(names.map((name) => installmentsCharged(deps, merchant, name)))
  return names.filter((_, place) => counts[place] !== 0)
}
