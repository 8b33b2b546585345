import { utf8 } from '../src/bytes.js'

const uint32 = (value: number): number[] => [0, 0, value >> 8, value & 255]

const lengthPrefixed = (ascii: string): number[] => [...uint32(ascii.length), ...utf8(ascii)]

/**
 * Concat KDF of NIST SP 800-56A, with the parameters of RFC 7518 4.6.2.
 * @param keyBits - At most 256: one round of SHA-256.
 * @param purpose - AlgorithmID, PartyUInfo and PartyVInfo, in ASCII.
 */
export async function concatKdf(
  sharedSecret: ArrayBuffer,
  keyBits: number,
  purpose: readonly [algorithm: string, partyU: string, partyV: string],
): Promise<ArrayBuffer> {
  const round = Uint8Array.of(
    ...uint32(1),
    ...new Uint8Array(sharedSecret),
    ...purpose.flatMap(lengthPrefixed),
    ...uint32(keyBits),
  )
  return (await crypto.subtle.digest('SHA-256', round)).slice(0, keyBits / 8)
}
