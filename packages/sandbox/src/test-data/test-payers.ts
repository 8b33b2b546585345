import type { PayerBlocklist } from '@cofre/gateway'
import type { BilingualText } from './bilingual-text.js'

/** A payer document that chooses whether its holder may buy. Valid, and of no real person. */
export interface TestPayer {
  readonly type: 'cpf' | 'cnpj'
  readonly document: string
  /** Who has blocked the payer; nobody when absent. */
  readonly blockedBy?: 'operator' | 'provider'
  /** The code of the error; undefined when the payer may buy. */
  readonly errorCode?: number
  readonly meaning: BilingualText
}

const WELCOME = { meaning: { en: 'may buy', 'pt-BR': 'pode comprar' } } as const
const BLOCKED = {
  blockedBy: 'operator',
  errorCode: 210603,
  meaning: { en: 'blocked', 'pt-BR': 'bloqueado' },
} as const
const BLOCKED_BY_PROVIDER = {
  blockedBy: 'provider',
  errorCode: 210604,
  meaning: { en: 'blocked by the payment provider', 'pt-BR': 'bloqueado pelo provedor' },
} as const

/** Any valid document that is not listed may buy. */
export const TEST_PAYERS: readonly TestPayer[] = [
  { type: 'cpf', document: '52998224725', ...WELCOME },
  { type: 'cnpj', document: '11222333000181', ...WELCOME },
  { type: 'cpf', document: '21060300028', ...BLOCKED },
  { type: 'cnpj', document: '21060300000136', ...BLOCKED },
  { type: 'cpf', document: '21060400081', ...BLOCKED_BY_PROVIDER },
  { type: 'cnpj', document: '21060400000162', ...BLOCKED_BY_PROVIDER },
]

/** Blocks the payers that are to be refused; they are again after an operator has let one buy. */
export async function blockTestPayers(blocklist: PayerBlocklist): Promise<void> {
  for (const { document, blockedBy } of TEST_PAYERS)
    if (blockedBy !== undefined) await blocklist.block(document, blockedBy)
}
