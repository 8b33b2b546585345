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

export const loadAcquirers: () => Promise<readonly AcquirerProvider[]> = once(({ card }) => card)

export const loadAcquirerTerms: () => Promise<readonly AcquirerTerms[]> = once(({ terms }) => terms)

export const loadBanks: () => Promise<readonly BankProvider[]> = once(({ bank }) => bank)

/** Loads the formats; a reader is loaded with its first file. */
export const loadReports: () => Promise<readonly SettlementFormat[]> = once(({ report }) => report)

/** Imports a part of all rows once: `import()` of a loaded module costs a tenth of a search. */
function once<Part>(
  importOf: (row: ProviderRow) => (() => Promise<Part>) | undefined,
): () => Promise<readonly Part[]> {
  let loaded: Promise<readonly Part[]> | undefined
  return () => (loaded ??= Promise.all(PROVIDERS.flatMap((row) => importOf(row)?.() ?? [])))
}

/** The reader of boletos' return files, for every bank. */
export const loadReturnFiles = async () => await import('@cofre/cnab/report')
