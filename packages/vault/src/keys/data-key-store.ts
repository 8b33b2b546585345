import type { WrappedDataKey } from './data-key.js'
import type { SealedText } from './sealed-value.js'

export interface DataKeyReader {
  find(scope: string): Promise<WrappedDataKey | undefined>
  findById(id: string): Promise<WrappedDataKey | undefined>
  all(): Promise<readonly WrappedDataKey[]>
}

export interface DataKeyStore extends DataKeyReader {
  /** Stores the key unless its scope has one: of concurrent callers, exactly one key stays. */
  insertIfAbsent(key: WrappedDataKey): Promise<void>
  /** Replaces the wrapping of a key; false when it is no longer `from`. */
  rewrap(from: SealedText, key: WrappedDataKey): Promise<boolean>
  /** Erases the hourly keys that were created before, but those that sealed the card of an open authorization. */
  eraseHourly(createdBeforeMs: number): Promise<void>
}
