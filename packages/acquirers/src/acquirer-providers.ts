import { ADYEN } from './adyen/adyen-provider.js'
import { CIELO } from './cielo/cielo-provider.js'
import type { AcquirerProvider } from './model/acquirer-provider.js'

/** Every provider that stores can have accounts with. */
export const ACQUIRER_PROVIDERS: readonly AcquirerProvider[] = [ADYEN, CIELO]
