import type { ProviderAccount } from '../account/index.js'
import type { BoletoBank } from './boleto-bank.js'
import type { BoletoFileBank } from './boleto-file-bank.js'
import type { PixBank } from './pix-bank.js'

/** The services of one account's bank for its store. */
export interface AccountBank {
  readonly pix?: PixBank | undefined
  readonly boleto?: BoletoBank | undefined
  /** Instead of `boleto`, if the bank works by files. */
  readonly boletoFiles?: BoletoFileBank | undefined
}

/** Returns the bank of an account; the same one until its credentials change. */
export type BankOfAccount = (account: ProviderAccount) => AccountBank | Promise<AccountBank>
