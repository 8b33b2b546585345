import type { Secret } from '@cofre/contracts'
import type { Merchant } from './merchant.js'

export interface MerchantStore {
  find(id: string): Promise<Merchant | undefined>
  /** Every store, by id. */
  list(): Promise<readonly Merchant[]>
  /** Creates the merchant; false when there is one of that id. */
  create(merchant: Merchant): Promise<boolean>
  /** Creates the merchant, or replaces the one of that id. A secret that stays the same keeps the one before it alive. */
  save(merchant: Merchant): Promise<void>
  /** A disabled merchant is refused as if it had signed wrongly. False when there is no such merchant. */
  setEnabled(id: string, enabled: boolean): Promise<boolean>
  /**
   * Gives the merchant a new secret; the one it replaces signs until then. False when there is no such merchant.
   * @param previousUntilMs - Epoch milliseconds, by the machine's clock.
   */
  rotateSecret(id: string, secret: Secret<string>, previousUntilMs: number): Promise<boolean>
  /**
   * Wraps by the current key what is in the clear or wrapped by another. Returns how many stores' secrets it wrapped.
   * @throws StoreSecretError when a secret's key is not here
   */
  rewrapSecrets(): Promise<number>
}
