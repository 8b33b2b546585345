import type { AcquirerTerms } from '@cofre/provider-kit/account'
import { cieloRefundDays } from './cielo-refund-days.js'

export const CIELO_TERMS: AcquirerTerms = {
  name: 'cielo',
  company: 'Cielo',
  refundDays: cieloRefundDays,
}
