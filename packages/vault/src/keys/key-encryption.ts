import type { SealContext, SealedText } from './sealed-value.js'

/**
 * The key-encryption keys, wherever they are: a key file, the environment, custodians' shares, an
 * external KMS. They wrap data keys, and nothing else. A wrapped key begins like every sealed
 * value, with `v1.<key id>.`; the rest is the adapter's own.
 */
export interface KeyEncryption {
  /** Wraps a data key by the current key-encryption key. */
  wrap(dataKey: Uint8Array, context: SealContext): Promise<SealedText>
  /** Unwraps by the key that wrapped it, current or not. @throws SealError */
  unwrap(wrapped: SealedText, context: SealContext): Promise<Buffer>
  /** Ids of the keys that can unwrap, the current one first. */
  keyIds(): Promise<readonly [string, ...string[]]>
}
