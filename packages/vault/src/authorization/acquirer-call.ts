import type { Log } from '@cofre/contracts'
import { PROVIDER_TIMEOUT_MS, answeredWithin } from '@cofre/work'
import type { UnknownOutcome } from '../acquirer/acquirer.js'

interface CallDeps {
  readonly acquirerTimeoutMs?: number | undefined
  readonly log: Log
}

/**
 * A call to an acquirer, bounded: one that does not end, or whose connector has a fault, is one
 * whose outcome is unknown.
 * @param facts - For the log.
 */
export async function callAcquirer<Result>(
  { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS, log }: CallDeps,
  facts: Readonly<Record<string, unknown>>,
  ask: () => Promise<Result>,
): Promise<Result | UnknownOutcome> {
  try {
    return await answeredWithin(acquirerTimeoutMs, ask)
  } catch (error) {
    // Only the error's name: a message may quote the request.
    log.error({ ...facts, error: nameOf(error) }, 'an acquirer did not answer')
    return { kind: 'unknown', detail: 'no answer' }
  }
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
