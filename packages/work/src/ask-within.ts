import type { Answer, UnknownAnswer } from '@cofre/contracts'
import { answeredWithin } from './answered-within.js'
import { reasonOf } from './error-reason.js'

/**
 * Asks a provider, for no longer than `timeoutMs`. An answer that is lost, or a call that fails, is
 * unknown.
 * @param lost - What the failure leaves.
 */
export async function askWithin<Given extends Answer<unknown>, Lost extends UnknownAnswer>(
  timeoutMs: number,
  ask: () => Promise<Given>,
  lost: (error: unknown) => Lost,
): Promise<Given | Lost> {
  try {
    return await answeredWithin(timeoutMs, ask)
  } catch (error) {
    return lost(error)
  }
}

/** What a call leaves whose failure quotes nothing of its request. */
export function unanswered(error: unknown): UnknownAnswer {
  return { kind: 'unknown', detail: reasonOf(error) }
}
