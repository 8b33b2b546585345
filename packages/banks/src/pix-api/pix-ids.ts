import type { Brand } from '@cofre/contracts'

/** Our name of a charge at the bank, unique for ever. */
export type PixTxid = Brand<string, 'PixTxid'>
/** Our name of a refund, unique for the payment that it returns. */
export type PixRefundId = Brand<string, 'PixRefundId'>

const TXID = /^[a-zA-Z0-9]{26,35}$/
const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/
const TXID_BYTES = 20
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * 32 letters and digits from 160 random bits: never our own code, since a txid is unique for ever
 * and a restored database is not.
 * @throws RangeError for another number of bits
 */
export function newPixTxid(randomBytes: Uint8Array): PixTxid {
  if (randomBytes.length !== TXID_BYTES) throw new RangeError('a txid takes 20 random bytes')
  let bits = 0n
  for (const byte of randomBytes) bits = (bits << 8n) | BigInt(byte)
  const digits = Array.from({ length: 32 }, (_, at) =>
    BASE32.charAt(Number((bits >> BigInt(155 - 5 * at)) & 31n)),
  )
  return digits.join('') as PixTxid
}

/** @throws RangeError when the bank would not take it */
export function pixTxid(text: string): PixTxid {
  if (!TXID.test(text)) throw new RangeError('a txid has 26 to 35 letters and digits')
  return text as PixTxid
}

/** @throws RangeError when the bank would not take it */
export function pixRefundId(text: string): PixRefundId {
  if (!REFUND_ID.test(text)) throw new RangeError('a refund id has 1 to 35 letters and digits')
  return text as PixRefundId
}
