import type { Answer, UnknownAnswer } from '@cofre/contracts'
import { answeredWithin } from './answered-within.js'
import { reasonOf } from './error-reason.js'

/**
 * Asks a provider for at most `timeoutMs`. A lost answer or a failed call counts as unknown.
 * @param lost - Maps the failure to an unknown answer.
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

/** An unknown answer with the reason, for calls whose failure quotes nothing of the request. */
export function unanswered(error: unknown): UnknownAnswer {
  return { kind: 'unknown', detail: reasonOf(error) }
}
