import type { Merchant } from './merchant.js'

export interface MerchantStore {
  find(id: string): Promise<Merchant | undefined>
  /** Creates the merchant, or replaces the one of that id. */
  save(merchant: Merchant): Promise<void>
}
