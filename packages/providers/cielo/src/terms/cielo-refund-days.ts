import type { SaleKind } from '@cofre/provider-kit/account'

/** Days in which Cielo cancels a captured sale, by its changelog of September 2026. */
const REFUND_DAYS = { creditInOne: 330, installments: 690, debit: 330, maestroDebit: 150 } as const

/** Mastercard's debit cards are Maestro in Brazil. */
const MAESTRO: readonly string[] = ['mastercard', 'maestro']

export function cieloRefundDays({ method, brand, installments }: SaleKind): number {
  if (method === 'debit')
    return MAESTRO.includes(brand) ? REFUND_DAYS.maestroDebit : REFUND_DAYS.debit
  return installments > 1 ? REFUND_DAYS.installments : REFUND_DAYS.creditInOne
}
