// Query parameters of the transaction search (specification, section 4.4).
import {
  ApiError,
  DAY_MS,
  type ErrorName,
  type Failure,
  PAGE_RESULTS_MAX,
  REFERENCE,
  SEARCH_PAGE_MAX,
  SEARCH_RANGE_DAYS_MAX,
  TRANSACTION_STATUSES,
  readTimestamp,
  shownValue,
  type TransactionStatus,
} from '@cofre/contracts'
import { ARCHIVED_AFTER_MS } from './archive-age.js'

/** The greatest delay of a process's clock behind that of the archiving process. */
const CLOCKS_DIFFER_MS = DAY_MS

/**
 * The dates that a search may filter by, their name in errors, and the errors that name it twice.
 */
const SEARCH_DATES = {
  order: {
    name: 'order_date',
    initialMandatory: 'initial_order_date_is_mandatory_to_filter_by_final_order_date',
    finalNotGreater: 'final_order_date_must_be_greater_than_initial_order_date',
  },
  payment: {
    name: 'payment_date',
    initialMandatory: 'initial_payment_date_is_mandatory_to_filter_by_final_payment_date',
    finalNotGreater: 'final_payment_date_must_be_greater_than_initial_payment_date',
  },
  'last-status-change': {
    name: 'last_status_change_date',
    initialMandatory:
      'initial_last_status_change_date_is_mandatory_to_filter_by_final_last_status_change_date',
    finalNotGreater:
      'final_last_status_change_date_must_be_greater_than_initial_last_status_change_date',
  },
} as const

/** A time of a transaction that a search may filter by. */
export type SearchDate = keyof typeof SEARCH_DATES

/** An open interval of epoch milliseconds. */
export interface DateRange {
  readonly date: SearchDate
  readonly afterMs: number
  readonly beforeMs: number
}

/** The filters of a search: at least one of reference and ranges; all must match. */
export interface SearchQuery {
  /** The store's complete reference. */
  readonly reference: string | undefined
  readonly ranges: readonly DateRange[]
  readonly status: TransactionStatus | undefined
  /** True if an archived transaction may match: it has no date after its archiving began. */
  readonly reachesArchive: boolean
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** Parameters of a query, as sent. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** The parameters of a search, by the names that requests give them. */
export const SEARCH_PARAMETERS: readonly string[] = [
  'reference',
  ...Object.keys(SEARCH_DATES).flatMap((date) => [`initial-${date}-date`, `final-${date}-date`]),
  'status',
  'page',
  'max-page-results',
]

const RANGE_MAX_MS = SEARCH_RANGE_DAYS_MAX * DAY_MS

/** Rules for reading a search. */
export interface SearchRules {
  readonly nowMs: number
  /** True if an empty reference is refused; otherwise it counts as absent, for older programs. */
  readonly refusesEmptyReference: boolean
}

/** Reads a search. @throws ApiError with every wrong parameter (22100-22119, 90019) */
export function readSearchQuery(
  given: Parameters,
  { nowMs, refusesEmptyReference }: SearchRules,
): SearchQuery {
  const isAbsent = given.reference === '' && !refusesEmptyReference
  const parameters = isAbsent ? { ...given, reference: undefined } : given
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const reading = { parameters, nowMs, fail }
  const dates = Object.keys(SEARCH_DATES) as SearchDate[]
  const ranges = dates.flatMap((date) => readRange(date, reading) ?? [])
  const paging = readPaging(parameters, fail)
  const status = readStatus(parameters.status, TRANSACTION_STATUSES, fail)
  const reference = readReference(parameters.reference, fail)
  if (parameters.reference === undefined && !dates.some((date) => hasRange(date, parameters))) {
    failures.push({
      name: 'any_initial_date_is_mandatory_for_multiple_records',
      constraint: 'required',
    })
  }
  if (failures.length > 0) throw new ApiError(failures)
  const archivedBeforeMs = nowMs - ARCHIVED_AFTER_MS + CLOCKS_DIFFER_MS
  const reachesArchive = ranges.every(({ afterMs }) => afterMs < archivedBeforeMs)
  return { reference, ranges, status, reachesArchive, ...paging }
}

type Bounds = Pick<Failure, 'minimum' | 'maximum' | 'allowed'>
/** Records that the value of a parameter is wrong. */
export type Fail = (name: ErrorName, property: string, bounds?: Bounds) => void

export function failInto(failures: Failure[], parameters: Parameters): Fail {
  return (name, property, bounds) => {
    const named = { type: 'number', sent: shownValue(parameters[property]) }
    failures.push({ name, property, constraint: 'invalid', ...bounds, named })
  }
}

/** The requested page and its number of results; the default for a wrong one. */
export function readPaging(
  parameters: Parameters,
  fail: Fail,
): Pick<SearchQuery, 'page' | 'pageSize'> {
  const page = readCount(parameters.page ?? '1', SEARCH_PAGE_MAX)
  if (page === undefined) fail('page_invalid', 'page', { minimum: 1, maximum: SEARCH_PAGE_MAX })
  const size = parameters['max-page-results'] ?? String(PAGE_RESULTS_MAX)
  const pageSize = readCount(size, PAGE_RESULTS_MAX)
  if (pageSize === undefined) {
    const bounds = { minimum: 1, maximum: PAGE_RESULTS_MAX }
    fail('max_page_results_invalid', 'max-page-results', bounds)
  }
  return { page: page ?? 1, pageSize: pageSize ?? PAGE_RESULTS_MAX }
}

interface Reading {
  readonly parameters: Parameters
  readonly nowMs: number
  readonly fail: Fail
}

function readRange(date: SearchDate, { parameters, nowMs, fail }: Reading): DateRange | undefined {
  const [initialName, finalName] = [`initial-${date}-date`, `final-${date}-date`]
  const { name, initialMandatory, finalNotGreater } = SEARCH_DATES[date]
  const [initial, final] = [parameters[initialName], parameters[finalName]]
  const afterMs = readTime(initial)
  const beforeMs = readTime(final)
  if (initial !== undefined && afterMs === undefined) fail(`initial_${name}_invalid`, initialName)
  if (final !== undefined && beforeMs === undefined) fail(`final_${name}_invalid`, finalName)
  if (initial === undefined && final !== undefined) fail(initialMandatory, initialName)
  if (afterMs === undefined) return undefined
  if (final === undefined) {
    return { date, afterMs, beforeMs: Math.min(nowMs, afterMs + RANGE_MAX_MS) }
  }
  if (beforeMs === undefined) return undefined
  if (beforeMs <= afterMs) fail(finalNotGreater, finalName)
  if (beforeMs - afterMs > RANGE_MAX_MS) fail(`final_${name}_range_exceeded`, finalName)
  return { date, afterMs, beforeMs }
}

function hasRange(date: SearchDate, parameters: Parameters): boolean {
  return [`initial-${date}-date`, `final-${date}-date`].some(
    (name) => parameters[name] !== undefined,
  )
}

/** A plus sign that the shop did not escape arrives as a space. */
function readTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readTimestamp(text.replace(' ', '+'))
}

function readCount(text: string, max: number): number | undefined {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= max ? count : undefined
}

/** Refuses a reference that no order can have, instead of misleading the shop with no results. */
export function readReference(text: string | undefined, fail: Fail): string | undefined {
  if (text === undefined) return undefined
  if (REFERENCE.test(text)) return text
  fail('reference_invalid', 'reference')
  return undefined
}

/** One of the known statuses. */
export function readStatus<Status extends string>(
  text: string | undefined,
  statuses: readonly Status[],
  fail: Fail,
): Status | undefined {
  if (text === undefined) return undefined
  const status = statuses.find((known) => known === text)
  if (status !== undefined) return status
  const isWellFormed = /^[A-Z]+(-[A-Z]+)*$/.test(text)
  const name = isWellFormed ? 'status_not_exists' : 'status_invalid'
  fail(name, 'status', { allowed: statuses })
  return undefined
}
