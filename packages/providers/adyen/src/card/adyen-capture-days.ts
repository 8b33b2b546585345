import type { ProviderAccount } from '@cofre/provider-kit/account'
import { contractCaptureDays } from '@cofre/provider-kit/card'

/** Adyen expires every authorization after that (adyen.help 115001179684). */
const DAYS_MAX = 28
/** The brands' own validity: after it, a capture may fail (docs.antom.com, Brazilian cards). */
const DAYS = 7
/** For charges without the payer; otherwise seven or more (stripe.com/blog/auth-capture). */
const VISA_DAYS = 5

export function adyenCaptureDays(brand: string, settings: ProviderAccount['settings']): number {
  const usual = brand === 'visa' ? VISA_DAYS : DAYS
  return Math.min(contractCaptureDays(settings) ?? usual, DAYS_MAX)
}
