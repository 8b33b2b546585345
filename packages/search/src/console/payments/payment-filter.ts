import { DAY_MS, PAYMENT_STATUSES, PAYMENT_TYPES } from '@cofre/contracts'
import { PAYMENT_SORTS, type PaymentQuery } from '../../model/payment-query.js'
import { startOfDay } from '@cofre/panel/page'

const FILTERS = ['text', 'status', 'method', 'brand', 'account', 'from', 'until'] as const
const FIELDS = [...FILTERS, 'sort'] as const

/** The list's form as typed, kept in the page's address. */
export type FilterFields = Readonly<Record<(typeof FIELDS)[number], string>>

export function readFilter(query: Readonly<Partial<Record<string, string>>>): FilterFields {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, (query[name] ?? '').trim()]))
  // The default order of a list.
  if (fields.sort === 'newest') fields.sort = ''
  return fields as FilterFields
}

/** True if the filter excludes any payment. */
export function isFiltered(fields: FilterFields): boolean {
  return FILTERS.some((name) => fields[name] !== '')
}

/** True if any field besides the text is set. */
export function hasChoices(fields: FilterFields): boolean {
  return FIELDS.some((name) => name !== 'text' && fields[name] !== '')
}

/** Ignores invalid values, which come only from edited addresses. */
export function queryOf(fields: FilterFields): PaymentQuery {
  const { text, status, method, sort } = fields
  const lastDayMs = startOfDay(fields.until)
  const given = (value: string) => (value === '' ? undefined : value.replaceAll('\0', ''))
  return {
    text: given(text),
    status: PAYMENT_STATUSES.find((known) => known === status),
    method: PAYMENT_TYPES.find((known) => known === method),
    brand: given(fields.brand),
    account: given(fields.account),
    fromMs: startOfDay(fields.from),
    untilMs: lastDayMs === undefined ? undefined : lastDayMs + DAY_MS,
    sort: PAYMENT_SORTS.find((known) => known === sort),
  }
}
