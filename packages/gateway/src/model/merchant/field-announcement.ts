import type { FieldSettings } from '@cofre/contracts'

/** The settings of a store's card fields, as the vault receives them. */
export type Announcement = Omit<FieldSettings, 'environment'>

/** A store whose settings the vault has not acknowledged yet. */
export interface WaitingFields {
  readonly storeId: string
  /** Epoch milliseconds, by the machine's clock. */
  readonly sinceMs: number
}
