import type { Secret } from '@cofre/contracts'
import type { Merchant, MerchantSettings, StoreActor, StoreChange } from './merchant.js'

/** The stores. Each change is kept with who made it, in the same unit of work. */
export interface MerchantStore {
  find(id: string): Promise<Merchant | undefined>
  /** Every store, by id. */
  list(): Promise<readonly Merchant[]>
  /** Creates the merchant; false when there is one of that id. */
  create(merchant: Merchant, actor: StoreActor): Promise<boolean>
  /**
   * Creates the merchant, or replaces the one of that id. A secret that stays the same keeps the
   * one before it alive.
   */
  save(merchant: Merchant, actor: StoreActor): Promise<void>
  /**
   * Changes what is given; a disabled merchant is refused as if it had signed wrongly. Returns what
   * became different; undefined when there is no such merchant.
   */
  change(
    id: string,
    settings: Partial<MerchantSettings>,
    actor: StoreActor,
  ): Promise<StoreChange['settings'] | undefined>
  /**
   * Gives the merchant a new secret; the one it replaces signs for a while. False when there is no
   * such merchant, or when it is not as the rotation wants it.
   */
  rotateSecret(id: string, secret: Secret<string>, rotation: Rotation): Promise<boolean>
  /** The latest changes of one store or of all, the newest first. */
  listChanges(query: ChangesQuery): Promise<readonly StoreChange[]>
  /**
   * Wraps by the current key what is in the clear or wrapped by another. Returns how many stores'
   * secrets it wrapped.
   * @throws StoreSecretError when a secret's key is not here
   */
  rewrapSecrets(): Promise<number>
}

export interface Rotation {
  /** Until when the secret before signs: epoch milliseconds, by the machine's clock. */
  readonly previousUntilMs: number
  /** Only of an enabled store of which this is the current secret. */
  readonly replaces?: Secret<string>
  readonly actor: StoreActor
}

export interface ChangesQuery {
  /** All stores without it. */
  readonly id?: string | undefined
  readonly limit: number
}
