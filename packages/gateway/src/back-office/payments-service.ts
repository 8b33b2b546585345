import { ApiError, minorUnits, pages } from '@cofre/contracts'
import { type ListParts, type PaymentParts, partsOf } from '../model/back-office/payment-part.js'
import type { ListedPayment, PaymentPage, PaymentQuery } from '../model/search/payment-query.js'
import { accountOf, payerNameOf } from '../model/search/payment-terms.js'
import { readSearchText } from '../model/search/search-text.js'
import { type OrderDecisionDeps, standsByName } from '../payment/order-decision-service.js'
import type { PaymentSearchStore, RefundStore } from '../payment/ports.js'

/** Finds the payments of a store, and nothing of another one. */
export interface PaymentFinder extends ReturnType<typeof createPaymentFinder> {
  /** How long the payment or change that has waited longest for the index has waited. */
  readonly indexAgeMs: () => Promise<number>
}

/** In an export, of one page of the index. */
const EXPORTED_AT_ONCE = 500

export function createPaymentFinder(deps: PaymentsDeps) {
  return {
    /** A page of what is asked for. */
    find: (storeId: string, query: PaymentQuery) => find(deps, storeId, query),

    /** All of it, page by page. */
    all: (storeId: string, query: PaymentQuery) => all(deps, storeId, query),

    /**
     * Payments of a payer, for who sees documents masked: by the document together with another
     * proof of the same payer, its whole e-mail, or a code or reference of one of its payments.
     * Undefined whatever was wrong.
     */
    findOfPayer: (storeId: string, payer: NamedPayer) => findOfPayer(deps, storeId, payer),

    /** The brands and accounts that its payments have. */
    choices: (storeId: string) => deps.paymentSearch.choices(storeId),
  }
}

export interface NamedPayer {
  readonly document: string
  readonly proof: string
}

/** Of an e-mail, so many payments are compared. */
const COMPARED_MAX = 1000

interface PaymentsDeps extends OrderDecisionDeps {
  readonly refunds: RefundStore
  readonly listParts: PaymentParts<ListParts>
  readonly paymentSearch: PaymentSearchStore
}

async function findOfPayer(
  deps: PaymentsDeps,
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

/** An order whose name a person types, and which is not found, is decided first. */
async function findDecided(deps: PaymentsDeps, storeId: string, query: PaymentQuery) {
  const page = await deps.paymentSearch.find(storeId, query)
  if (page.transactions.length > 0 || query.after !== undefined) return page
  const text = readSearchText(query.text ?? '')
  if (text.kind !== 'lookups') return page
  try {
    if (await standsByName(deps, storeId, text.names))
      return await deps.paymentSearch.find(storeId, query)
    return page
  } catch (error) {
    if (error instanceof ApiError) return { ...page, isUndecided: true as const }
    throw error
  }
}

async function find(
  deps: PaymentsDeps,
  storeId: string,
  query: PaymentQuery,
): Promise<PaymentPage> {
  const { listParts, refunds } = deps
  const { transactions, ...page } = await findDecided(deps, storeId, query)
  const codes = transactions.map(({ code }) => code)
  const [refundsOf, addedTo] = await Promise.all([
    refunds.findOf(codes),
    partsOf(listParts, transactions),
  ])
  const items = transactions.map((transaction): ListedPayment => {
    const own = refundsOf.get(transaction.code) ?? []
    const processed = own.filter(({ status }) => status === 'PROCESSED')
    return {
      transaction,
      payerName: payerNameOf(transaction),
      account: accountOf(transaction),
      refunds: own,
      refundedMinor: minorUnits(processed.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
      ...addedTo(transaction),
    }
  })
  return { ...page, items }
}

function all(
  deps: PaymentsDeps,
  storeId: string,
  query: PaymentQuery,
): AsyncGenerator<ListedPayment, void> {
  const limit = EXPORTED_AT_ONCE
  return pages((after) => find(deps, storeId, { ...query, after, limit }), query.after)
}
