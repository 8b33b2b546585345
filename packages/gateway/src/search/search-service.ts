import type { Clock } from '@cofre/contracts'
import type { Merchant } from '../merchant/merchant.js'
import type { TransactionStore } from '../transaction/transaction-store.js'
import type { SearchPage } from './search-body.js'
import { readSearchQuery } from './search-query.js'

export interface SearchDeps {
  readonly transactions: TransactionStore
  readonly clock: Clock
}

/** A page of the store's transactions. @throws ApiError with every wrong parameter (22100-22119) */
export async function searchTransactions(
  { transactions, clock }: SearchDeps,
  merchant: Merchant,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<SearchPage> {
  const query = readSearchQuery(parameters, clock.now())
  const results = await transactions.search(merchant.id, query)
  return { ...results, merchantId: merchant.id, page: query.page, pageSize: query.pageSize }
}
