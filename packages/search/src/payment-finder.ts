import { ApiError, type Clock, minorUnits, pages } from '@cofre/contracts'
import { type PaymentListing, accountOf, payerNameOf } from '@cofre/gateway/room'
import type {
  ListedPayment,
  NamedPayer,
  PaymentFinder,
  PaymentPage,
  PaymentQuery,
} from './model/payment-query.js'
import type { PaymentSearchStore, SearchIndexStore } from './model/stores.js'
import { readSearchText } from './model/search-text.js'

export interface PaymentFinderDeps {
  readonly clock: Clock
  readonly listing: PaymentListing
  readonly paymentSearch: PaymentSearchStore
  readonly searchIndex: SearchIndexStore
}

/** The page size of an export. */
const EXPORTED_AT_ONCE = 500

export function createPaymentFinder(deps: PaymentFinderDeps): PaymentFinder {
  return {
    find: (storeId, query) => find(deps, storeId, query),
    all: (storeId, query) => all(deps, storeId, query),
    findOfPayer: (storeId, payer) => findOfPayer(deps, storeId, payer),
    choices: (storeId) => deps.paymentSearch.choices(storeId),
    indexAgeMs: () => deps.searchIndex.ageMs(deps.clock.now()),
  }
}

/** The number of payments of an e-mail that are compared. */
const COMPARED_MAX = 1000

type FinderDeps = Pick<PaymentFinderDeps, 'listing' | 'paymentSearch'>

async function findOfPayer(
  deps: FinderDeps,
  storeId: string,
  { document, proof }: NamedPayer,
): Promise<readonly ListedPayment[] | undefined> {
  const [asked, text] = [bareDocument(document), proof.trim()]
  if (asked === '' || text === '') return undefined
  let compared = 0
  for await (const { transaction } of all(deps, storeId, {
    text,
    documents: 'not-searched',
  })) {
    const { code, payerDocument, payerEmail, reference } = transaction
    const proofs = [payerEmail.toLowerCase(), String(code), reference]
    const isProof = proofs.includes(text) || payerEmail.toLowerCase() === text.toLowerCase()
    if (isProof && bareDocument(payerDocument) === asked)
      return (await find(deps, storeId, { text: asked })).items.filter(
        (item) => bareDocument(item.transaction.payerDocument) === asked,
      )
    compared += 1
    if (compared >= COMPARED_MAX) return undefined
  }
  return undefined
}

function bareDocument(text: string): string {
  return text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
}

/** An undecided order that a person searches for by name is decided first. */
async function findDecided(deps: FinderDeps, storeId: string, query: PaymentQuery) {
  const page = await deps.paymentSearch.find(storeId, query)
  if (page.transactions.length > 0 || query.after !== undefined) return page
  const text = readSearchText(query.text ?? '')
  if (text.kind !== 'lookups') return page
  try {
    if (await deps.listing.isPermanentByName(storeId, text.names))
      return await deps.paymentSearch.find(storeId, query)
    return page
  } catch (error) {
    if (error instanceof ApiError) return { ...page, isUndecided: true as const }
    throw error
  }
}

async function find(deps: FinderDeps, storeId: string, query: PaymentQuery): Promise<PaymentPage> {
  const { transactions, ...page } = await findDecided(deps, storeId, query)
  const beside = await deps.listing.beside(transactions)
  const items = transactions.map((transaction): ListedPayment => {
    const listed = beside(transaction)
    const processed = listed.refunds.filter(({ status }) => status === 'PROCESSED')
    return {
      transaction,
      payerName: payerNameOf(transaction),
      account: accountOf(transaction),
      refundedMinor: minorUnits(processed.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
      ...listed,
    }
  })
  return { ...page, items }
}

function all(
  deps: FinderDeps,
  storeId: string,
  query: PaymentQuery,
): AsyncGenerator<ListedPayment, void> {
  const limit = EXPORTED_AT_ONCE
  return pages((after) => find(deps, storeId, { ...query, after, limit }), query.after)
}
