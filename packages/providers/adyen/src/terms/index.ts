import type { AcquirerTerms } from '@cofre/provider-kit/account'

export const ADYEN_TERMS: AcquirerTerms = {
  name: 'adyen',
  company: 'Adyen',
  cnpj: '14796606000190',
}
