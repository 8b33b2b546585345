// The ids by which brands link a charge of a saved card to those before it.
import type { BrandIds, StoredCredential } from './acquirer.js'
import { z } from 'zod'

/** Which use of a card an acquirer wants each id of. */
export type LinkPolicy = Readonly<Record<keyof BrandIds, 'first' | 'newest'>>

/** What a charge is sent with: nothing but a later use of a saved card has any. */
export function linksToSend(
  policy: LinkPolicy,
  credential: StoredCredential | undefined,
): Partial<BrandIds> {
  if (credential?.use !== 'later') return {}
  const { newest = credential } = credential
  const of = { first: credential, newest }
  return {
    networkTransactionId: of[policy.networkTransactionId].networkTransactionId,
    transactionLinkId: of[policy.transactionLinkId].transactionLinkId,
  }
}

/** 22 characters by most sources, 26 in an example of Cielo's: whatever came is handed back. */
export const transactionLinkId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .optional()
  .catch(undefined)
