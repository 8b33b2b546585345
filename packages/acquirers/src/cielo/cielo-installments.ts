import type { ProviderAccount } from '@cofre/accounts'
import { contractInstallments } from '../model/contract-installments.js'

/** Cielo charges these in one (reference of credit, read on 2026-11-27). */
const IN_ONE: readonly string[] = ['diners']

export function cieloInstallments(brand: string, settings: ProviderAccount['settings']): number {
  return IN_ONE.includes(brand) ? 1 : contractInstallments(settings)
}
