// The ids by which brands know the charges of a saved card.
import type { BrandIds, StoredCredential } from '@cofre/provider-kit/card'
import type { VaultTables } from '../database/vault-tables.js'

/** The ids of a card's first use, and of the newest one. */
export interface CardLinks {
  readonly first: BrandIds
  readonly newest: BrandIds
}

type SavedCardRow = VaultTables['saved_cards']

export type LinkColumns = Pick<
  SavedCardRow,
  | 'network_transaction_id'
  | 'newest_network_transaction_id'
  | 'transaction_link_id'
  | 'newest_transaction_link_id'
>

export const NO_LINK: BrandIds = { networkTransactionId: undefined }

/**
 * @param sealed - The id of the first use, if it was sealed with the card, before migration 0012.
 */
export function linksOfRow(row: LinkColumns, sealed: string | undefined): CardLinks {
  const networkTransactionId = sealed ?? row.network_transaction_id ?? undefined
  const transactionLinkId = row.transaction_link_id ?? undefined
  return {
    first: { networkTransactionId, transactionLinkId },
    newest: {
      networkTransactionId: row.newest_network_transaction_id ?? networkTransactionId,
      transactionLinkId: row.newest_transaction_link_id ?? transactionLinkId,
    },
  }
}

/** Saving a card begins an agreement: the ids of its charge are the first and the newest. */
export function columnsOfNewAgreement(
  { networkTransactionId, transactionLinkId }: BrandIds,
  known: CardLinks = { first: NO_LINK, newest: NO_LINK },
): LinkColumns {
  const { first, newest } = known
  return {
    network_transaction_id: networkTransactionId ?? first.networkTransactionId ?? null,
    newest_network_transaction_id: networkTransactionId ?? newest.networkTransactionId ?? null,
    transaction_link_id: transactionLinkId ?? first.transactionLinkId ?? null,
    newest_transaction_link_id: transactionLinkId ?? newest.transactionLinkId ?? null,
  }
}

export function hasAny({ networkTransactionId, transactionLinkId }: BrandIds): boolean {
  return networkTransactionId !== undefined || transactionLinkId !== undefined
}

/**
 * The ids that each brand wants with a charge of a saved card; for other brands, none are known.
 */
const WANTED: ReadonlyMap<string, readonly (keyof BrandIds)[]> = new Map([
  ['visa', ['networkTransactionId']],
  ['mastercard', ['networkTransactionId', 'transactionLinkId']],
  ['elo', ['networkTransactionId']],
  ['amex', ['networkTransactionId']],
])

/** True if an id is unknown that the brand wants with a later charge. */
export function lacksLink(brand: string, ids: BrandIds): boolean {
  return (WANTED.get(brand) ?? []).some((name) => ids[name] === undefined)
}

/** True if such a charge is sent without an id that its brand wants. */
export function isUnlinked(brand: string, credential: StoredCredential | undefined): boolean {
  return credential?.use === 'later' && lacksLink(brand, credential)
}
