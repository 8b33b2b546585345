import type { CallOutcome, NotSentReason } from '@cofre/outbound'
import type { EarlierAttempts, NotDone, NotDoneReason, UnknownOutcome } from '@cofre/vault'

const NOT_SENT: Readonly<Record<NotSentReason, NotDoneReason>> = {
  budget_spent: 'paused',
  paused_by_provider: 'paused',
  no_connection: 'no_connection',
  connect_timeout: 'no_connection',
  server_not_trusted: 'no_connection',
  certificate_expired: 'credentials_refused',
  certificate_refused: 'credentials_refused',
  credentials_refused: 'credentials_refused',
  token_unavailable: 'credentials_refused',
  request_invalid: 'request_refused',
}

/** An answer that only its provider's rules can judge. */
export type ProviderAnswer = Extract<CallOutcome, { kind: 'accepted' | 'refused' }>

/**
 * What a call means whoever the provider is; otherwise its answer. `earlier`: the same was asked
 * for before, so that a call which was certainly not carried out decides nothing.
 */
export function concluded(
  outcome: CallOutcome,
  earlier: EarlierAttempts | undefined,
): ProviderAnswer | NotDone | UnknownOutcome {
  const pause = 'retryAfterMs' in outcome ? { retryAfterMs: outcome.retryAfterMs } : {}
  switch (outcome.kind) {
    case 'accepted':
      return outcome
    case 'unknown':
      return { kind: 'unknown', detail: `${outcome.reason}: ${outcome.detail}`, ...pause }
    case 'not_sent': {
      const detail = `${outcome.reason}: ${outcome.detail}`
      return notDone({ reason: NOT_SENT[outcome.reason], detail, ...pause }, earlier)
    }
    case 'refused': {
      const reason = REFUSED_AT_THE_DOOR.get(outcome.status)
      if (reason === undefined) return outcome
      return notDone({ reason, detail: `status ${outcome.status}`, ...pause }, earlier)
    }
  }
}

const REFUSED_AT_THE_DOOR: ReadonlyMap<number, NotDoneReason> = new Map([
  [401, 'credentials_refused'],
  [403, 'credentials_refused'],
  [429, 'paused'],
])

/** Certain for a first attempt alone: what went before it may have been carried out. */
export function notDone(
  { reason, detail, retryAfterMs }: Omit<NotDone, 'kind'>,
  earlier: EarlierAttempts | undefined,
): NotDone | UnknownOutcome {
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  return earlier === undefined
    ? { kind: 'not_done', reason, detail, ...pause }
    : { kind: 'unknown', detail: `asked again: ${detail}`, ...pause }
}

export function unknown(detail: string): UnknownOutcome {
  return { kind: 'unknown', detail }
}
