// Reads the terms of payments: from the rarest term, some thousand at a time.
import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type PaymentSort, isByAmount } from '../model/payment-query.js'
import { type TermKind, amountTerm } from '../model/payment-terms.js'

type Db = Connection<GatewayTables>

/** The position of a payment in a list. */
export interface PlaceInList {
  readonly code: number
  /** The first sort key, before the code: the amount or, in a list without the index, the time. */
  readonly key: number
}

/** A payment matches if it has any of these terms. */
export interface SoughtTerm {
  readonly kind: TermKind
  readonly terms: readonly [string, ...string[]]
}

/** A search in the terms of a store. */
export interface TermSearch {
  readonly merchantId: string
  readonly sort: PaymentSort
  readonly fromCode: number
  /** Exclusive. */
  readonly untilCode: number
  /** Only payments behind it, in the order of the list. */
  readonly after: PlaceInList | undefined
  readonly limit: number
}

/** Payments of a search, in the order of its list. */
export interface Walked {
  readonly found: readonly PlaceInList[]
  /** The position up to which the terms were read; undefined if nothing is left. */
  readonly end: PlaceInList | undefined
}

/** The number of terms that are read before the results are shown. */
const WINDOW = 2000
/** The limit for many terms together: each may be the one of all payments in the window. */
const WINDOWS_OF_ALL = 20_000
/** In the order of amounts, a term with fewer payments is read completely. */
export const RARE = 500
/** In the order of time, a rough count finds a rare term: counting takes time, too. */
const COUNTED = 300

/** The number of payments with each term, up to a limit. One round trip. */
export async function countTerms(
  reader: Db,
  terms: readonly SoughtTerm[],
  search: Pick<TermSearch, 'merchantId' | 'sort' | 'fromCode' | 'untilCode'>,
): Promise<readonly number[]> {
  const most = isByAmount(search.sort) ? RARE : COUNTED
  const counts = terms.map((term) => {
    const some = payments(reader, term, search).select('code').limit(most).as('some')
    return reader.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('count'))
  })
  const row = await reader
    .selectNoFrom(counts.map((count, i) => count.as(`t${i}`)))
    .executeTakeFirstOrThrow()
  return terms.map((_, i) => Number((row as Readonly<Record<string, unknown>>)[`t${i}`]))
}

/** Payments that have all the terms; the first must be the rarest. */
export async function walkTerm(
  reader: Db,
  [rarest, ...others]: readonly [SoughtTerm, ...SoughtTerm[]],
  search: TermSearch,
): Promise<Walked> {
  const { sort, after, limit } = search
  const [direction, isBehind] =
    sort === 'oldest' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  const size = windowSize(rarest, limit)
  const windowOf = (term: string) => {
    const of = payments(reader, { kind: rarest.kind, terms: [term] }, search)
      .select('code')
      .$if(after !== undefined, (some) => some.where('code', isBehind, after?.code ?? 0))
      .orderBy('code', direction)
      .limit(size)
    return reader.selectFrom(of.as('w')).select('w.code')
  }
  const [first, ...more] = rarest.terms
  // The newest of all terms are among the newest of each.
  const windows = more.reduce((all, term) => all.unionAll(windowOf(term)), windowOf(first))
  const window = reader
    .selectFrom(windows.as('u'))
    .select('u.code')
    .orderBy('u.code', direction)
    .limit(size)
  const rows = await reader
    .selectFrom(window.as('d'))
    .select('d.code')
    // A payment may have several of the terms.
    .$if(more.length > 0, (of) => of.distinct())
    .where((of) => of.and(others.map((term) => hasTerm(of, search.merchantId, term))))
    .orderBy('d.code', direction)
    .limit(limit)
    .execute()
  const found = rows.map(({ code }) => ({ code, key: 0 }))
  if (found.length === limit) return { found, end: found.at(-1) }
  if (others.length === 0 && more.length === 0) return { found, end: undefined }
  const read = await reader
    .selectFrom(window.as('d'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      (sort === 'oldest' ? fn.max<number>('d.code') : fn.min<number>('d.code')).as('last'),
    ])
    .executeTakeFirstOrThrow()
  return { found, end: read.count < size ? undefined : { code: read.last, key: 0 } }
}

function windowSize({ terms }: SoughtTerm, limit: number): number {
  return Math.max(limit, Math.min(WINDOW, Math.floor(WINDOWS_OF_ALL / terms.length)))
}

/** All payments that have all the terms, in no order; the first must be rare. */
export async function findRare(
  reader: Db,
  [rarest, ...others]: readonly [SoughtTerm, ...SoughtTerm[]],
  search: Omit<TermSearch, 'sort' | 'after' | 'limit'>,
): Promise<readonly PlaceInList[]> {
  const window = payments(reader, rarest, search).select('code').limit(RARE)
  const rows = await reader
    .selectFrom(window.as('d'))
    .select('d.code')
    .where((of) => of.and(others.map((term) => hasTerm(of, search.merchantId, term))))
    .execute()
  if (rows.length === 0) return []
  const codes = rows.map(({ code }) => code)
  const amounts = await reader
    .selectFrom('transactions')
    .select(['code', 'amount'])
    .where('code', 'in', codes)
    .execute()
  return amounts.map(({ code, amount }) => ({ code, key: amount }))
}

/** Payments that have all the terms, by their amounts. */
export async function walkAmounts(
  reader: Db,
  terms: readonly SoughtTerm[],
  search: TermSearch,
): Promise<Walked> {
  const { merchantId, sort, after, limit, fromCode, untilCode } = search
  const [direction, isBehind] =
    sort === 'lowest' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  const window = reader
    .selectFrom('payment_terms')
    .select(['term', 'code'])
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', 'amount')
    .$if(after !== undefined, (of) =>
      of.where(isAfter(isBehind === '>' ? sql`>` : sql`<`, after ?? { code: 0, key: 0 })),
    )
    .orderBy('term', direction)
    .orderBy('code', direction)
    .limit(WINDOW)
  const rows = await reader
    .selectFrom(window.as('d'))
    .select(['d.term', 'd.code'])
    .where('d.code', '>=', fromCode)
    .where('d.code', '<', untilCode)
    .where((of) => of.and(terms.map((term) => hasTerm(of, merchantId, term))))
    .orderBy('d.term', direction)
    .orderBy('d.code', direction)
    .limit(limit)
    .execute()
  const found = rows.map(placeOf)
  if (found.length === limit) return { found, end: found.at(-1) }
  const last = await window
    .offset(WINDOW - 1)
    .limit(1)
    .executeTakeFirst()
  return { found, end: last && placeOf(last) }
}

function placeOf({ term, code }: { readonly term: string; readonly code: number }): PlaceInList {
  return { code, key: Number(term) }
}

function isAfter(than: RawBuilder<unknown>, { key, code }: PlaceInList): RawBuilder<SqlBool> {
  return sql<SqlBool>`(term, code) ${than} (${amountTerm(key)}, ${code})`
}

function payments(
  reader: Db,
  { kind, terms }: SoughtTerm,
  { merchantId, fromCode, untilCode }: Pick<TermSearch, 'merchantId' | 'fromCode' | 'untilCode'>,
) {
  return reader
    .selectFrom('payment_terms')
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', kind)
    .$if(terms.length === 1, (of) => of.where('term', '=', terms[0]))
    .$if(terms.length > 1, (of) => of.where('term', 'in', terms))
    .where('code', '>=', fromCode)
    .where('code', '<', untilCode)
}

/**
 * A scalar subquery, which runs row by row: on PostgreSQL, `exists` would become a join that reads
 * all of a frequent term.
 */
function hasTerm(
  of: ExpressionBuilder<GatewayTables & { d: { code: number } }, 'd'>,
  merchantId: string,
  { kind, terms }: SoughtTerm,
) {
  return of(
    of
      .selectFrom('payment_terms as t')
      .select('t.code')
      .where('t.merchant_id', '=', merchantId)
      .where('t.kind', '=', kind)
      .$if(terms.length === 1, (on) => on.where('t.term', '=', terms[0]))
      .$if(terms.length > 1, (on) => on.where('t.term', 'in', terms))
      .whereRef('t.code', '=', 'd.code')
      .limit(1),
    'is not',
    null,
  )
}
