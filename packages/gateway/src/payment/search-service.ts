import { ApiError, type Clock, type Environment, type TransactionRequest } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'
import { type Refund, isRefundable } from '../model/refund/refund.js'
import { type SearchQuery, readSearchQuery } from '../model/transaction/search-query.js'
import { type Transaction, hasBeenPaid } from '../model/transaction/transaction.js'
import { type OrderDecisionDeps, isPermanentByName } from './order-decision-service.js'
import { refusesUnread } from './query-parameter-service.js'
import { refundCaseOf, refundDaysOf } from './refund-service.js'
import { readTransactionCode } from './transaction-service.js'
import type { CountryOf, RefundStore } from './ports.js'

/** A transaction in a search's results. */
export interface SearchResult {
  readonly transaction: Transaction
  readonly refunds: readonly Refund[]
  /** True if a refund of the rest of it would be accepted. */
  readonly refundable: boolean
  /** The country of the payer's internet address, ISO 3166 alpha-2. */
  readonly customerCountry: string
}

export interface SearchPage {
  readonly merchantId: string
  readonly results: readonly SearchResult[]
  /** Transactions on all pages. */
  readonly found: number
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export interface SearchDeps extends OrderDecisionDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly countryOf?: CountryOf | undefined
  readonly refunds: RefundStore
}

/**
 * A page of the store's transactions.
 * @throws ApiError with every wrong parameter (22100-22119); service_unavailable while an order
 * with that reference is undecided
 */
export async function searchTransactions(
  deps: SearchDeps,
  merchant: Merchant,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<SearchPage> {
  const query = readSearchQuery(parameters, {
    nowMs: deps.clock.now(),
    refusesEmptyReference: refusesUnread(deps.environment, merchant),
  })
  const { items, found } = await search(deps, merchant, query)
  await recordSearch(deps, items)
  const codes = items.map(({ code }) => code)
  const refunds = await deps.refunds.findOf(codes, query)
  const results = await Promise.all(
    items.map((transaction) =>
      searchResult(deps, merchant, { transaction, refunds: refunds.get(transaction.code) ?? [] }),
    ),
  )
  const { page, pageSize } = query
  return { merchantId: merchant.id, results, found, page, pageSize }
}

/** The order is decided first: a shop that finds nothing by a reference may sell it again. */
async function search(deps: SearchDeps, { id }: Merchant, query: SearchQuery) {
  const page = await deps.transactions.search(id, query)
  const { reference } = query
  if (page.found > 0 || reference === undefined) return page
  const isThere = await isPermanentByName(deps, id, { reference })
  return isThere ? await deps.transactions.search(id, query) : page
}

/**
 * The page of a search by code.
 * @throws ApiError id_invalid, transaction_not_found; service_unavailable while an order with that
 * code is undecided
 */
export async function searchOne(
  deps: SearchDeps,
  merchant: Merchant,
  codeText: string,
): Promise<SearchPage> {
  const code = readTransactionCode(codeText)
  const findShown = () => deps.transactions.findSearched(merchant.id, code)
  const found =
    (await findShown()) ??
    ((await isPermanentByName(deps, merchant.id, { code })) ? await findShown() : undefined)
  if (found === undefined) throw new ApiError('transaction_not_found')
  const { transaction, awaitsSearch, hasRefunds } = found
  if (awaitsSearch) await recordSearch(deps, [transaction])
  const refunds = hasRefunds ? ((await deps.refunds.findOf([code])).get(code) ?? []) : []
  return {
    merchantId: merchant.id,
    results: [await searchResult(deps, merchant, { transaction, refunds })],
    found: 1,
    page: 1,
    pageSize: 1,
  }
}

async function searchResult(
  deps: SearchDeps,
  merchant: Merchant,
  found: Pick<SearchResult, 'transaction' | 'refunds'>,
): Promise<SearchResult> {
  const refundDays = await refundDaysOf(deps, found.transaction)
  return {
    ...found,
    refundable: isRefundable(refundCaseOf(deps, merchant, { ...found, refundDays })),
    customerCountry: customerCountry(deps, found.transaction),
  }
}

const HOME_COUNTRY = 'BR'

/** Parses no request if no look-up is configured or no address was sent. */
function customerCountry({ countryOf }: SearchDeps, { requestJson }: Transaction): string {
  if (countryOf === undefined || !requestJson.includes('"ip":')) return HOME_COUNTRY
  const { payer } = JSON.parse(requestJson) as Partial<TransactionRequest>
  return (payer?.ip === undefined ? undefined : countryOf(payer.ip)) ?? HOME_COUNTRY
}

/** Only the response's contents count: the bank may report a payment meanwhile. */
async function recordSearch(
  { transactions, clock }: SearchDeps,
  found: readonly Transaction[],
): Promise<void> {
  const paid = found.filter(hasBeenPaid).map(({ code }) => code)
  await transactions.recordSearch(paid, clock.now())
}
