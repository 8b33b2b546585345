import type { AcquirerTerms } from '@cofre/provider-kit/account'
import { cieloRefundDays } from './cielo-refund-days.js'

export const CIELO_TERMS: AcquirerTerms = {
  name: 'cielo',
  company: 'Cielo',
  cnpj: '01027058000191',
  refundDays: cieloRefundDays,
}
