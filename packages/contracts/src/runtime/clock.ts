/** The time, as a dependency: the sandbox advances it, tests stop it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const SECOND_MS = 1000
export const MINUTE_MS: number = 60 * SECOND_MS
export const HOUR_MS: number = 60 * MINUTE_MS
export const DAY_MS: number = 24 * HOUR_MS
