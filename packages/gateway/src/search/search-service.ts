import { ApiError, type Clock } from '@cofre/contracts'
import type { Merchant } from '../merchant/merchant.js'
import type { NotificationStore } from '../notification/notification-store.js'
import type { RefundStore } from '../refund/refund-store.js'
import { readTransactionCode } from '../transaction/transaction-service.js'
import { type Transaction, hasBeenPaid } from '../transaction/transaction.js'
import type { TransactionStore } from '../transaction/transaction-store.js'
import type { SearchPage } from './search-body.js'
import { readSearchQuery } from './search-query.js'

export interface SearchDeps {
  readonly transactions: TransactionStore
  readonly refunds: RefundStore
  readonly notifications: NotificationStore
  readonly clock: Clock
}

/** A page of the store's transactions. @throws ApiError with every wrong parameter (22100-22119) */
export async function searchTransactions(
  { transactions, refunds, notifications, clock }: SearchDeps,
  merchant: Merchant,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<SearchPage> {
  const { page, pageSize, ...filter } = readSearchQuery(parameters, clock.now())
  const results = await transactions.search(merchant.id, { ...filter, page, pageSize })
  const codes = results.transactions.map(({ code }) => code)
  await recordSearch({ notifications, clock }, results.transactions)
  return {
    ...results,
    merchantId: merchant.id,
    refunds: await refunds.findOf(codes),
    page,
    pageSize,
  }
}

/** The page of a search by code. @throws ApiError id_invalid, transaction_not_found */
export async function searchOne(
  deps: SearchDeps,
  merchant: Merchant,
  codeText: string,
): Promise<SearchPage> {
  const code = readTransactionCode(codeText)
  const found = await deps.transactions.findSearched(merchant.id, code)
  if (found === undefined) throw new ApiError('transaction_not_found')
  const { transaction, awaitsSearch, hasRefunds } = found
  if (awaitsSearch) await recordSearch(deps, [transaction])
  return {
    merchantId: merchant.id,
    transactions: [transaction],
    refunds: hasRefunds ? await deps.refunds.findOf([code]) : new Map(),
    found: 1,
    page: 1,
    pageSize: 1,
  }
}

/** Only an answer that says so tells the store that it was paid: the bank may report it while the answer is made. */
async function recordSearch(
  { notifications, clock }: Pick<SearchDeps, 'notifications' | 'clock'>,
  answered: readonly Transaction[],
): Promise<void> {
  const paid = answered.filter(hasBeenPaid).map(({ code }) => code)
  await notifications.recordSearch(paid, clock.now())
}
