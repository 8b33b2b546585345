import { createSecretKey, hash, hkdfSync, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { combine, split } from 'shamir-secret-sharing'
import { KeyRingError } from './key-ring.js'
import type { SealingKey } from './sealed-value.js'

const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const CHECKSUM_LENGTH = 6
const SHARES_MIN = 2
const SHARES_MAX = 255

/** The number of custodians, and how many of them are needed. */
export interface Custody {
  readonly shares: number
  readonly threshold: number
}

/** A new key-encryption key, split among its custodians. The key itself is kept nowhere. */
export interface SplitKey {
  readonly id: string
  /** One text for each custodian. */
  readonly shares: readonly Secret<string>[]
}

/** One custodian's share. Fewer shares than the threshold reveal nothing about the key. */
interface KeyShare {
  readonly keyId: string
  readonly threshold: number
  readonly number: number
  readonly bytes: Buffer
}

/** True if a key can be split like this. */
export function isCustody({ shares, threshold }: Custody): boolean {
  return threshold >= SHARES_MIN && threshold <= shares && shares <= SHARES_MAX
}

/** Draws a new key-encryption key and splits it (Shamir): any `threshold` shares restore it. */
export async function generateSplitKey(custody: Custody): Promise<SplitKey> {
  if (!isCustody(custody)) throw new RangeError('no key can be split so')
  // The library takes no Buffer.
  const key = new Uint8Array(randomBytes(KEY_BYTES))
  const id = keyIdOf(key)
  const shares = await split(key, custody.shares, custody.threshold)
  return {
    id,
    shares: shares.map(
      (share, index) =>
        new Secret(shareText(`share-${id}-${custody.threshold}-${index + 1}`, share)),
    ),
  }
}

/**
 * Restores the keys from shares, in the order of their first shares. The shares may belong to
 * several keys: while custodians change, the vault needs the old key and the new one.
 * @throws KeyRingError if a share is mistyped, given twice or missing, or if shares do not belong
 * together: never returns a wrong key
 */
export async function combineKeyShares(texts: readonly string[]): Promise<SealingKey[]> {
  const byKey = new Map<string, KeyShare[]>()
  for (const [index, text] of texts.entries()) {
    const share = parseShare(text, index + 1)
    byKey.set(share.keyId, [...(byKey.get(share.keyId) ?? []), share])
  }
  return await Promise.all(Array.from(byKey.values(), combineOne))
}

async function combineOne(shares: readonly KeyShare[]): Promise<SealingKey> {
  const id = shares[0]?.keyId ?? ''
  const threshold = Math.max(...shares.map((share) => share.threshold))
  const numbers = new Set(shares.map(({ number }) => number))
  if (numbers.size < shares.length) throw new KeyRingError(`a share of key ${id} was given twice`)
  if (shares.length < threshold)
    throw new KeyRingError(
      `key ${id} needs the shares of ${threshold} custodians, and ${shares.length} came`,
    )
  const bytes = Buffer.from(await combineBytes(shares))
  if (keyIdOf(bytes) !== id)
    throw new KeyRingError(`the shares of key ${id} do not belong together`)
  return { id, key: new Secret(createSecretKey(bytes)) }
}

async function combineBytes(shares: readonly KeyShare[]): Promise<Uint8Array> {
  try {
    return await combine(shares.map(({ bytes }) => new Uint8Array(bytes)))
  } catch {
    return new Uint8Array()
  }
}

/** A check value, derived from the key: a wrong key is noticed before it wraps anything. */
function keyIdOf(key: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'cofre key id', KEY_ID_BYTES)).toString('hex')
}

// Joined by hyphens, so that a double click selects the whole text.
function shareText(head: string, share: Uint8Array): string {
  const text = `${head}-${Buffer.from(share).toString('hex')}`
  return `${text}-${checksumOf(text)}`
}

const SHARE = /^(share-([0-9a-f]{16})-(\d{1,3})-(\d{1,3})-([0-9a-f]+))-([0-9a-f]+)$/

function parseShare(text: string, position: number): KeyShare {
  const [, body = '', keyId = '', threshold, number, hex = '', checksum] =
    SHARE.exec(text.toLowerCase()) ?? []
  if (checksumOf(body) !== checksum)
    throw new KeyRingError(`share ${position} is mistyped or cut short`)
  const bytes = Buffer.from(hex, 'hex')
  return { keyId, threshold: Number(threshold), number: Number(number), bytes }
}

function checksumOf(text: string): string {
  return hash('sha256', text).slice(0, CHECKSUM_LENGTH)
}
