import type { Secret } from '@cofre/contracts'
import type { Merchant } from './merchant.js'

export interface MerchantStore {
  find(id: string): Promise<Merchant | undefined>
  /** Creates the merchant, or replaces the one of that id. A secret that stays the same keeps the one before it alive. */
  save(merchant: Merchant): Promise<void>
  /**
   * Gives the merchant a new secret; the one it replaces signs until then. False when there is no such merchant.
   * @param previousUntilMs - Epoch milliseconds, by the machine's clock.
   */
  rotateSecret(id: string, secret: Secret<string>, previousUntilMs: number): Promise<boolean>
}
