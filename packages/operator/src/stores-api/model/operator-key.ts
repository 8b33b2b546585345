// The keys of operators for the API of stores: Ed25519, of which only the public half is known.
import { type KeyObject, createPublicKey } from 'node:crypto'

/**
 * The acts that an operator's key may sign. Those from `stores:raw-cards` on loosen what protects
 * the installation: a key has them only if they are named.
 */
export const OPERATOR_SCOPES = [
  'stores:read',
  'stores:write',
  'stores:secrets',
  'stores:raw-cards',
  'stores:card-references',
  'stores:lenient-rules',
  'stores:refunds',
] as const
export type OperatorScope = (typeof OPERATOR_SCOPES)[number]

/** The scopes of a key for which none are named. */
export const USUAL_SCOPES: readonly OperatorScope[] = [
  'stores:read',
  'stores:write',
  'stores:secrets',
]

/** An operator's key. Times are epoch milliseconds, by the machine's clock. */
export interface OperatorKey {
  /** `op-` and 8 hexadecimal digits. */
  readonly id: string
  readonly name: string
  /** SPKI, as DER in Base64. */
  readonly publicKey: string
  readonly scopes: readonly OperatorScope[]
  /** The networks from which it may be used; any when empty. */
  readonly addresses: readonly string[]
  readonly createdAtMs: number
  /** To the minute; absent before its first use. */
  readonly usedAtMs?: number | undefined
  readonly endsAtMs?: number | undefined
}

/** A public key from PEM, in the form that is kept. */
export function readPublicKey(pem: string): { readonly key: string } | { readonly wrong: string } {
  // Node would derive the public half.
  if (pem.includes('PRIVATE KEY')) return { wrong: 'it holds a private key: give the public one' }
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519')
      return { wrong: `it holds a key of type ${String(key.asymmetricKeyType)}, not Ed25519` }
    return { key: key.export({ format: 'der', type: 'spki' }).toString('base64') }
  } catch {
    return { wrong: 'it holds no public key in PEM (-----BEGIN PUBLIC KEY-----)' }
  }
}

/** The key of a kept text. */
export function publicKeyOf({ publicKey }: Pick<OperatorKey, 'publicKey'>): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
}
