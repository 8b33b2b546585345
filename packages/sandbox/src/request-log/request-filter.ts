/** Which of a store's requests; all that is given must hold. */
export interface RequestFilter {
  /** A part of path and query, in any case. */
  readonly path?: string | undefined
  /** For who sees payers masked: a query may hold one, which would be found digit by digit. */
  readonly queries?: 'not-searched' | undefined
  /** HTTP statuses, both included. */
  readonly status?: { readonly from: number; readonly to: number } | undefined
  /** A code among the errors that were answered. */
  readonly error?: number | undefined
}

/** What is judged of a request. */
interface FilteredRequest {
  readonly target: string
  readonly statusCode: number
  readonly errorCodes: readonly number[]
}

/** A filter as a person types it; an empty text filters nothing. */
export interface RequestFilterText {
  readonly path?: string | undefined
  /** `404`, `4xx`, or `failed` for 400 and above. */
  readonly status?: string | undefined
  readonly error?: string | undefined
}

/** Reads a filter; the names of what makes no sense stand in `wrong`. */
export function readRequestFilter({ path = '', status = '', error = '' }: RequestFilterText): {
  readonly filter: RequestFilter
  readonly wrong: readonly (keyof RequestFilterText)[]
} {
  const statuses = statusesOf(status.trim().toLowerCase())
  const code = /^\d{5,6}$/.test(error.trim()) ? Number(error) : undefined
  // PostgreSQL takes no NUL in a text.
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

/** Whether a request is among those. For a stream; lists are filtered by the database. */
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
