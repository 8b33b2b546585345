import { DAY_MS, PAYMENT_TYPES, TRANSACTION_STATUSES, isCalendarDate } from '@cofre/contracts'
import type { TransactionFilter } from '@cofre/sandbox'
import { readPage } from '../page/pagination.js'

/** What the filter's form holds, as it was typed. */
export interface FilterFields {
  readonly status: string
  readonly method: string
  readonly from: string
  readonly until: string
  readonly text: string
}

export function readFilterFields(query: Readonly<Record<string, string>>): FilterFields {
  const { status = '', method = '', from = '', until = '', text = '' } = query
  return { status, method, from, until, text: text.trim() }
}

export function isFiltered(fields: FilterFields): boolean {
  return Object.values(fields).some((value) => value !== '')
}

/** The filter of an address. What makes no sense filters nothing: nobody types these by hand. */
export function toFilter(fields: FilterFields, page: string | undefined): TransactionFilter {
  const status = TRANSACTION_STATUSES.find((known) => known === fields.status)
  const method = PAYMENT_TYPES.find((known) => known === fields.method)
  const fromMs = startOfDay(fields.from)
  const lastDayMs = startOfDay(fields.until)
  return {
    page: readPage(page),
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(fromMs !== undefined && { fromMs }),
    ...(lastDayMs !== undefined && { untilMs: lastDayMs + DAY_MS }),
    ...(fields.text !== '' && { text: fields.text }),
  }
}

/** When a day begins in Brasília, three hours behind UTC all year. */
function startOfDay(day: string): number | undefined {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00-03:00`) : undefined
}
