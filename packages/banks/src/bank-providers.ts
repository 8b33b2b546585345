import type { BankProvider } from './model/bank-provider.js'

/** Every provider that stores can have accounts with. */
export const BANK_PROVIDERS: readonly BankProvider[] = []
