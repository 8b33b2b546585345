import type { Log } from '@cofre/contracts'
import { NoAnswerError, PROVIDER_TIMEOUT_MS, askWithin } from '@cofre/work'
import type { AcquirerAnswer, Doubt } from '@cofre/provider-kit/card'

interface CallDeps {
  readonly acquirerTimeoutMs?: number | undefined
  readonly log: Log
}

/**
 * Calls an acquirer with a time limit. If the call doesn't end in time, or its connector has a
 * fault, the outcome is unknown.
 * @param facts - Fields for the log.
 */
export async function callAcquirer<T>(
  { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS, log }: CallDeps,
  facts: Readonly<Record<string, unknown>>,
  ask: () => Promise<AcquirerAnswer<T>>,
): Promise<AcquirerAnswer<T>> {
  return await askWithin(acquirerTimeoutMs, ask, (error): Doubt => {
    // Only the error's name: a message may quote the request, and with it the card.
    log.error({ ...facts, error: nameOf(error) }, 'an acquirer did not answer')
    const unanswered = error instanceof NoAnswerError ? 'under-way' : 'failed'
    return { kind: 'unknown', detail: 'no answer', unanswered }
  })
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
