import type { ProviderAccount } from '../account/index.js'
import type { BoletoBank } from './boleto-bank.js'
import type { BoletoFileBank } from './boleto-file-bank.js'
import type { PixBank } from './pix-bank.js'

/** What the bank of one account does for its store. */
export interface AccountBank {
  readonly pix?: PixBank | undefined
  readonly boleto?: BoletoBank | undefined
  /** Instead of `boleto`, where the bank is told by files. */
  readonly boletoFiles?: BoletoFileBank | undefined
}

/** Gives the bank of an account; the same one again while its credentials are the same. */
export type BankOfAccount = (account: ProviderAccount) => AccountBank | Promise<AccountBank>
