// Every bank and acquirer with which stores can have accounts: the only file with all of them. Each
// zone loads only what it needs from a row: a vault loads only `card`.
import type { SettlementFormat } from '@cofre/contracts'
import type { AcquirerTerms } from '@cofre/provider-kit/account'
import type { BankProvider } from '@cofre/provider-kit/bank'
import type { AcquirerProvider } from '@cofre/provider-kit/card'
import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export interface ProviderRow {
  readonly name: string
  /** Charges cards; for vaults. */
  readonly card?: () => Promise<AcquirerProvider>
  /** An acquirer's terms; for gateways. */
  readonly terms?: () => Promise<AcquirerTerms>
  /** PIX and boletos; for gateways. */
  readonly bank?: () => Promise<BankProvider>
  /** Its settlement files; for gateways. */
  readonly report?: () => Promise<SettlementFormat>
  /** The simulator under `npm start`; `serve` never loads it. */
  readonly simulator?: () => Promise<ProviderSimulator>
}

export const PROVIDERS: readonly ProviderRow[] = [
  {
    name: 'adyen',
    card: async () => (await import('@cofre/adyen/card')).ADYEN,
    terms: async () => (await import('@cofre/adyen/terms')).ADYEN_TERMS,
    report: async () => (await import('@cofre/adyen/report')).ADYEN_REPORT,
    simulator: async () => (await import('@cofre/adyen/simulator')).ADYEN_SIMULATOR,
  },
  {
    name: 'cielo',
    card: async () => (await import('@cofre/cielo/card')).CIELO,
    terms: async () => (await import('@cofre/cielo/terms')).CIELO_TERMS,
    report: async () => (await import('@cofre/cielo/report')).CIELO_STATEMENT,
    simulator: async () => (await import('@cofre/cielo/simulator')).CIELO_SIMULATOR,
  },
  {
    name: 'pix-api',
    bank: async () => (await import('@cofre/pix-api/bank')).pixApi,
    simulator: async () => (await import('@cofre/pix-api/simulator')).PIX_API_SIMULATOR,
  },
  {
    name: 'inter',
    bank: async () => (await import('@cofre/inter/bank')).inter,
    simulator: async () => (await import('@cofre/inter/simulator')).INTER_SIMULATOR,
  },
  {
    name: 'cnab',
    bank: async () => (await import('@cofre/cnab/bank')).cnab,
    report: async () => (await import('@cofre/cnab/report')).RETURN_FORMAT,
  },
]

export async function loadAcquirers(): Promise<readonly AcquirerProvider[]> {
  return await Promise.all(PROVIDERS.flatMap(({ card }) => card?.() ?? []))
}

export async function loadAcquirerTerms(): Promise<readonly AcquirerTerms[]> {
  return await Promise.all(PROVIDERS.flatMap(({ terms }) => terms?.() ?? []))
}

export async function loadBanks(): Promise<readonly BankProvider[]> {
  return await Promise.all(PROVIDERS.flatMap(({ bank }) => bank?.() ?? []))
}

/** Loads the formats; a reader is loaded with its first file. */
export async function loadReports(): Promise<readonly SettlementFormat[]> {
  return await Promise.all(PROVIDERS.flatMap(({ report }) => report?.() ?? []))
}

/** The reader of boletos' return files, for every bank. */
export const loadReturnFiles = async () => await import('@cofre/cnab/report')
