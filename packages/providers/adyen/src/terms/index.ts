import type { AcquirerTerms } from '@cofre/provider-kit/account'

export const ADYEN_TERMS: AcquirerTerms = { name: 'adyen', company: 'Adyen' }
