import type { AcquirerTerms } from '@cofre/provider-kit/account'

export const TEMPLATE_TERMS: AcquirerTerms = {
  name: 'template',
  company: 'Template',
  cnpj: '00000000000000',
}
