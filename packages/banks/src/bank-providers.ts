import type { BankProvider } from './model/bank-provider.js'
import { cnab } from './cnab/cnab-provider.js'
import { inter } from './inter/inter-provider.js'
import { pixApi } from './pix-api/pix-api-provider.js'

/** Every provider that stores can have accounts with. */
export const BANK_PROVIDERS: readonly BankProvider[] = [pixApi, inter, cnab]
