import {
  type DoneAnswer,
  type NotSentAnswer,
  type RefusedAnswer,
  type UnknownAnswer,
  retryAfterMsOf,
} from '@cofre/contracts'
import type { CallAnswer, RefusedCall, Reply } from '../outbound/index.js'
import type { EarlierAttempts } from './acquirer.js'

/** A reply that only its provider's rules can judge. */
export type ProviderReply = DoneAnswer<Reply> | RefusedCall

/**
 * The conclusion from a call's answer, for any provider. A reply that only the provider's own rules
 * can judge is returned unchanged. With `earlier` attempts, even a call that was certainly not
 * carried out decides nothing.
 */
export function concluded(
  answer: CallAnswer,
  earlier: EarlierAttempts | undefined,
): ProviderReply | NotSentAnswer | UnknownAnswer {
  switch (answer.kind) {
    case 'done':
      return answer
    case 'unknown':
      return unknown(`${answer.reason}: ${answer.detail}`, answer.retryAfterMs)
    case 'not-sent': {
      const { reason, ...notSent } = answer
      return certain({ ...notSent, detail: `${reason}: ${answer.detail}` }, earlier)
    }
    case 'refused': {
      const { status, detail, retryAfterMs } = answer
      if (retryAfterMs !== undefined)
        return certain({ kind: 'not-sent', cause: 'limited', detail, retryAfterMs }, earlier)
      const isAtTheDoor = status === 401 || status === 403
      return isAtTheDoor ? certain({ kind: 'not-sent', cause: 'login', detail }, earlier) : answer
    }
  }
}

/** Certain only for a first attempt: an earlier one may have been carried out. */
export function certain<Answer extends RefusedAnswer | NotSentAnswer>(
  answer: Answer,
  earlier: EarlierAttempts | undefined,
): Answer | UnknownAnswer {
  if (earlier === undefined) return answer
  return unknown(`asked again: ${answer.detail}`, retryAfterMsOf(answer))
}

export function unknown(detail: string, retryAfterMs?: number): UnknownAnswer {
  return { kind: 'unknown', detail, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}
