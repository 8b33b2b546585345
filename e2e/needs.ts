import { test } from '@playwright/test'

/**
 * Skips the test that asks, where the machine lacks what it needs. `npm test` names at its end what
 * was not tested, from these words in the report.
 */
export function needs(what: string, isThere: boolean): void {
  test.skip(!isThere, `needs ${what}: ${test.info().title}`)
}
