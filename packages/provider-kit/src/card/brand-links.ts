// The ids by which brands link a charge of a saved card to those before it.
import type { BrandIds, StoredCredential } from './acquirer.js'
import { z } from 'zod'

/** The use of a card, by id, that an acquirer expects. */
export type LinkPolicy = Readonly<Record<keyof BrandIds, 'first' | 'newest'>>

/** The ids to send with a charge: only a later use of a saved card has any. */
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

/** 22 characters by most sources, 26 in an example of Cielo's. A received id is sent unchanged. */
export const transactionLinkId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .optional()
  .catch(undefined)
