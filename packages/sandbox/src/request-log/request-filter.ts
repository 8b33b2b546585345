/** Filters a store's requests; all given conditions must hold. */
export interface RequestFilter {
  /** A part of path and query, in any case. */
  readonly path?: string | undefined
  /**
   * Set for people who see payers masked: a query may contain a payer, which could be found digit
   * by digit.
   */
  readonly queries?: 'not-searched' | undefined
  /** HTTP statuses, inclusive. */
  readonly status?: { readonly from: number; readonly to: number } | undefined
  /** A code among the answer's errors. */
  readonly error?: number | undefined
}

/** The part of a request that filters check. */
interface FilteredRequest {
  readonly target: string
  readonly statusCode: number
  readonly errorCodes: readonly number[]
}

/** A filter as typed; an empty text filters nothing. */
export interface RequestFilterText {
  readonly path?: string | undefined
  /** `404`, `4xx`, or `failed` for 400 and above. */
  readonly status?: string | undefined
  readonly error?: string | undefined
}

/** Parses a filter; `wrong` contains the names of invalid parts. */
export function readRequestFilter({ path = '', status = '', error = '' }: RequestFilterText): {
  readonly filter: RequestFilter
  readonly wrong: readonly (keyof RequestFilterText)[]
} {
  const statuses = statusesOf(status.trim().toLowerCase())
  const code = /^\d{5,6}$/.test(error.trim()) ? Number(error) : undefined
  // PostgreSQL rejects NUL in a text.
  const part = path.trim().replaceAll('\0', '')
  return {
    filter: { path: part === '' ? undefined : part, status: statuses, error: code },
    wrong: [
      ...(status.trim() !== '' && statuses === undefined ? (['status'] as const) : []),
      ...(error.trim() !== '' && code === undefined ? (['error'] as const) : []),
    ],
  }
}

function statusesOf(text: string): RequestFilter['status'] {
  if (text === 'failed') return { from: 400, to: 599 }
  const [, hundreds, rest] = /^([1-5])(\d\d|xx)$/.exec(text) ?? []
  if (hundreds === undefined) return undefined
  if (rest === 'xx') return { from: Number(hundreds) * 100, to: Number(hundreds) * 100 + 99 }
  return { from: Number(text), to: Number(text) }
}

/** True if a request passes the filter. For a stream; the database filters lists. */
export function matchesFilter(
  { path, queries, status, error }: RequestFilter,
  { target, statusCode, errorCodes }: FilteredRequest,
): boolean {
  return (
    (path === undefined || searchedOf(target, queries).includes(path.toLowerCase())) &&
    (status === undefined || (statusCode >= status.from && statusCode <= status.to)) &&
    (error === undefined || errorCodes.includes(error))
  )
}

function searchedOf(target: string, queries: RequestFilter['queries']): string {
  const searched = queries === undefined ? target : target.replace(/\?.*$/s, '')
  return searched.toLowerCase()
}
