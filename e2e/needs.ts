import { test } from '@playwright/test'

/**
 * Skips the calling test if the machine lacks a requirement. At its end, `npm test` reads this text
 * in the report and lists the skipped tests.
 */
export function needs(what: string, isThere: boolean): void {
  test.skip(!isThere, `needs ${what}: ${test.info().title}`)
}
