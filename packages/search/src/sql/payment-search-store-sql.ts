// Finds payments: by their names at once, by their terms as far as the index has come.
import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import {
  PAYMENTS_A_PAGE,
  PAYMENT_CURSOR as CURSOR,
  type PaymentFilters,
  type PaymentQuery,
  isByAmount,
} from '../model/payment-query.js'
import {
  type TermKind,
  amountTerm,
  emailTerm,
  filterTerms,
  hasMetadata,
  metadataTerm,
} from '../model/payment-terms.js'
import type { FoundPayments, PaymentSearchStore } from '../model/stores.js'
import { type PaymentNames, type SearchText, readSearchText } from '../model/search-text.js'
import {
  type GatewayTables,
  type Transaction,
  type TransactionRow,
  archived,
  codeAfter,
  firstCodeAt,
  isShown,
  metadataOf,
  listEverywhere,
  storedTransaction,
  timeOfCode,
} from '@cofre/gateway/room'
import { soughtTerms } from './name-words-sql.js'
import {
  type PlaceInList,
  RARE,
  type SoughtTerm,
  type TermSearch,
  type Walked,
  countTerms,
  findRare,
  walkAmounts,
  walkTerm,
} from './payment-walk-sql.js'

type Db = Connection<GatewayTables>

const NONE: FoundPayments = {
  transactions: [],
  next: undefined,
  searchedToMs: undefined,
  isCutShort: false,
  isCardNumber: false,
}

export function createSqlPaymentSearchStore({
  reader,
}: Database<GatewayTables>): PaymentSearchStore {
  return {
    find: (merchantId, query) => find(reader, merchantId, query),

    async choices(merchantId) {
      const [brands, accounts] = await Promise.all([
        allTermsOfKind(reader, merchantId, 'brand'),
        allTermsOfKind(reader, merchantId, 'account'),
      ])
      return { brands, accounts }
    },
  }
}

async function find(reader: Db, merchantId: string, query: PaymentQuery): Promise<FoundPayments> {
  const { sort = 'newest', limit = PAYMENTS_A_PAGE } = query
  const text: SearchText =
    query.reference === undefined
      ? readSearchText(query.text ?? '', query.documents)
      : { kind: 'lookups', names: { reference: query.reference }, lookups: [] }
  if (text.kind === 'card-number') return { ...NONE, isCardNumber: true }
  const filters = termsOfFilters(query)
  const search: TermSearch = {
    merchantId,
    sort,
    fromCode: query.fromMs === undefined ? 0 : firstCodeAt(query.fromMs),
    untilCode: query.untilMs === undefined ? Number.MAX_SAFE_INTEGER : codeAfter(query.untilMs),
    after: CURSOR.read(query.after),
    // One more, to detect another page.
    limit: limit + 1,
  }
  const isPlain = text.kind === 'nothing' && filters.length === 0 && !isByAmount(sort)
  if (isPlain) return await listAll(reader, query, { search, limit })
  const wanted = text.kind === 'nothing' ? [] : text.lookups
  const sought = await Promise.all(wanted.map((terms) => soughtTerms(reader, merchantId, terms)))
  const lookups =
    text.kind === 'nothing'
      ? [(db: Db) => findByTerms(db, filters, search)]
      : [
          (db: Db) => findByNames(db, text.names, search),
          ...sought.map(
            ({ terms }) =>
              (db: Db) =>
                findByTerms(db, [...terms, ...filters], search),
          ),
        ]
  const searched = await Promise.all(
    // A payment that is archived between both reads is found twice, and joined.
    lookups.map(async (find) => [await find(reader), await find(archived(reader))]),
  )
  const { places, end } = joined(searched.flat(), search)
  const page = places.slice(0, limit)
  const next = places.length > limit ? page.at(-1) : end
  const transactions = await readTransactions(reader, merchantId, page)
  const isCutShort = places.length <= limit && end !== undefined
  const isPart = sought.some((one) => one.isPart)
  return {
    transactions: transactions.filter((transaction) => matches(transaction, query)),
    next: next && CURSOR.of(next),
    searchedToMs: isCutShort && !isByAmount(sort) ? timeOfCode(end.code) : undefined,
    isCutShort: isCutShort || isPart,
    isCardNumber: false,
  }
}

/** More choices would not fit a menu. */
const CHOICES_MAX = 100

async function allTermsOfKind(
  reader: Db,
  merchantId: string,
  kind: TermKind,
): Promise<readonly string[]> {
  const terms = await listEverywhere(
    reader,
    (db) => termsOfKind(db, merchantId, kind),
    (term) => term,
  )
  return terms.toSorted().slice(0, CHOICES_MAX)
}

/** Reads one term after another in the index, regardless of the payments that have it. */
async function termsOfKind(
  reader: Db,
  merchantId: string,
  kind: TermKind,
): Promise<readonly string[]> {
  const first = reader
    .selectFrom('payment_terms')
    .select(({ fn }) => fn.min<string | null>('term').as('term'))
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', kind)
  const rows = await reader
    .withRecursive('terms', (db) =>
      db.selectNoFrom(first.as('term')).unionAll(
        db
          .selectFrom('terms')
          .select(first.where('term', '>', sql.ref<string>('terms.term')).as('term'))
          .where('terms.term', 'is not', null),
      ),
    )
    .selectFrom('terms')
    .select('terms.term')
    .limit(CHOICES_MAX)
    .execute()
  return rows.flatMap(({ term }) => term ?? [])
}

function termsOfFilters(filters: PaymentFilters): SoughtTerm[] {
  const { status, method, brand, account, amountMinor, email, document, metadata = {} } = filters
  const terms = {
    document,
    email: email === undefined ? undefined : emailTerm(email),
    amount: amountMinor === undefined ? undefined : amountTerm(amountMinor),
    account,
    brand,
    status,
    method,
  }
  const ofPairs = Object.entries(metadata).map(([key, value]): SoughtTerm => ({
    kind: 'metadata',
    terms: [metadataTerm(key, value)],
  }))
  const ofFields = (Object.keys(terms) as (keyof typeof terms)[]).flatMap((kind): SoughtTerm[] => {
    const term = terms[kind]
    return term === undefined ? [] : [{ kind, terms: [term] }]
  })
  return [...ofPairs, ...ofFields]
}

/** The index may be late: a payment whose status has changed since does not match. */
function matches(transaction: Transaction, filters: PaymentQuery): boolean {
  const terms = filterTerms(transaction)
  const { amountMinor, document, email, metadata = {} } = filters
  const { fromMs = 0, untilMs = Infinity } = filters
  return (
    // Codes are drawn by the hundredth of a second.
    transaction.createdAtMs >= fromMs &&
    transaction.createdAtMs < untilMs &&
    (['status', 'method', 'brand', 'account'] as const).every(
      (kind) => filters[kind] === undefined || terms[kind][0] === filters[kind],
    ) &&
    (amountMinor === undefined || transaction.amountMinor === amountMinor) &&
    (document === undefined || transaction.payerDocument === document) &&
    (email === undefined || emailTerm(transaction.payerEmail) === emailTerm(email)) &&
    hasMetadata(metadataOf(transaction), metadata)
  )
}

/** Starts from the rarest term; in the order of amounts, from the amounts unless a term is rare. */
async function findByTerms(
  reader: Db,
  terms: readonly SoughtTerm[],
  search: TermSearch,
): Promise<Walked> {
  const [only, ...more] = terms
  if (only === undefined) return await walkAmounts(reader, [], search)
  if (more.length === 0 && !isByAmount(search.sort)) return await walkTerm(reader, [only], search)
  const counts = await countTerms(reader, terms, search)
  const fewest = Math.min(...counts)
  if (fewest === 0) return { found: [], end: undefined }
  const rarest = terms[counts.indexOf(fewest)] ?? only
  const byRarity = [rarest, ...terms.filter((term) => term !== rarest)] as const
  if (!isByAmount(search.sort)) return await walkTerm(reader, byRarity, search)
  if (fewest >= RARE) return await walkAmounts(reader, terms, search)
  return { found: await findRare(reader, byRarity, search), end: undefined }
}

interface Named extends Required<PaymentNames> {
  readonly merchantId: string
}

const findNamed = prepare((db: Db, named: Named) =>
  db
    .selectFrom('transactions')
    .select(['code', 'amount', 'merchant_id'])
    .where(isShown())
    .where('code', 'in', (names) =>
      names
        .selectFrom('transaction_keys')
        .select('transaction_code as code')
        .where('merchant_id', '=', named.merchantId)
        .where('reference', '=', named.reference)
        .unionAll(
          names
            .selectFrom('refund_keys')
            .select('transaction_code as code')
            .where('id', '=', named.code),
        )
        .unionAll(names.selectFrom('transactions').select('code').where('code', '=', named.code))
        .unionAll(
          names
            .selectFrom('charge_names')
            .select('transaction_code as code')
            .where('txid', '=', named.txid),
        )
        .unionAll(
          names
            .selectFrom('bank_charges')
            .select('transaction_code as code')
            .where('our_number', '=', named.ourNumber)
            .where('account_id', 'in', (of) =>
              of.selectFrom('accounts').select('id').where('merchant_id', '=', named.merchantId),
            ),
        )
        .unionAll(
          names
            .selectFrom('bank_payments')
            .select('transaction_code as code')
            .where('end_to_end_id', '=', named.endToEndId),
        ),
    ),
)

/** Matches nothing: no name is empty, and no code is 0. */
const NO_NAMES: Required<PaymentNames> = {
  code: 0,
  reference: '',
  endToEndId: '',
  txid: '',
  ourNumber: '',
}

async function findByNames(
  reader: Db,
  names: PaymentNames,
  { merchantId, sort, fromCode, untilCode }: TermSearch,
): Promise<Walked> {
  if (Object.keys(names).length === 0) return { found: [], end: undefined }
  const { rows } = await reader.run(findNamed({ ...NO_NAMES, ...names, merchantId }))
  const found = rows
    .filter((row) => row.merchant_id === merchantId)
    .filter(({ code }) => code >= fromCode && code < untilCode)
    .map(({ code, amount }) => ({ code, key: isByAmount(sort) ? amount : 0 }))
  return { found, end: undefined }
}

/**
 * The results of several lookups, each once and in order, as far as all lookups have been read; and
 * the end of the shortest one.
 */
function joined(
  searched: readonly Walked[],
  { sort, after }: TermSearch,
): { readonly places: readonly PlaceInList[]; readonly end: PlaceInList | undefined } {
  const isRising = sort === 'oldest' || sort === 'lowest'
  const compare = (one: PlaceInList, other: PlaceInList): number => {
    const order = one.key - other.key || one.code - other.code
    return isRising ? order : -order
  }
  const ends = searched.flatMap(({ end }) => (end === undefined ? [] : [end])).toSorted(compare)
  const [end] = ends
  const byCode = new Map(
    searched.flatMap(({ found }) => found).map((place) => [place.code, place] as const),
  )
  const places = [...byCode.values()]
    .filter((place) => after === undefined || compare(place, after) > 0)
    .filter((place) => end === undefined || compare(place, end) <= 0)
    .toSorted(compare)
  return { places, end }
}

async function readTransactions(
  reader: Db,
  merchantId: string,
  places: readonly PlaceInList[],
): Promise<readonly Transaction[]> {
  if (places.length === 0) return []
  const codes = places.map(({ code }) => code)
  const rows = await listEverywhere(
    reader,
    (db) =>
      db
        .selectFrom('transactions')
        .select(storedTransaction.columns)
        .where('code', 'in', codes)
        .where(isShown())
        .execute(),
    ({ code }) => code,
  )
  // Not a condition, because SQLite would read all of the store's transactions.
  const own = rows.filter((row) => row.merchant_id === merchantId)
  const byCode = new Map(own.map((row) => [row.code, storedTransaction.read(row)]))
  return codes.flatMap((code) => byCode.get(code) ?? [])
}

interface ListedPage {
  readonly search: TermSearch
  readonly limit: number
}

/** All payments of a store, without the index. */
async function listAll(reader: Db, query: PaymentQuery, page: ListedPage): Promise<FoundPayments> {
  const { search, limit } = page
  const found = await listEverywhere(
    reader,
    (db) => listSome(db, query, page),
    ({ code }) => code,
  )
  const sign = search.sort === 'oldest' ? 1 : -1
  const rows = found.toSorted(
    (one, other) => sign * (one.created_at - other.created_at || one.code - other.code),
  )
  const transactions = rows.slice(0, limit).map((row) => storedTransaction.read(row))
  const last = rows.length > limit ? transactions.at(-1) : undefined
  const next = last && CURSOR.of({ key: last.createdAtMs, code: last.code })
  return { ...NONE, transactions, next }
}

/** One more than the page has, to detect another page. */
async function listSome(
  db: Db,
  { fromMs, untilMs }: PaymentQuery,
  { search, limit }: ListedPage,
): Promise<readonly TransactionRow[]> {
  const { merchantId, sort, after } = search
  const [direction, isBehind] =
    sort === 'oldest' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  return await db
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('merchant_id', '=', merchantId)
    .where(isShown())
    .$if(fromMs !== undefined, (of) => of.where('created_at', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (of) => of.where('created_at', '<', untilMs ?? 0))
    .$if(after !== undefined, (of) =>
      of.where((when) =>
        when(
          when.refTuple('created_at', 'code'),
          isBehind,
          when.tuple(after?.key ?? 0, after?.code ?? 0),
        ),
      ),
    )
    .orderBy('created_at', direction)
    .orderBy('code', direction)
    .limit(limit + 1)
    .execute()
}
