import type { Clock, DoneAnswer, NotSentAnswer, UnknownAnswer } from '@cofre/contracts'
import { type AcquirerAnswer, type EarlierAttempts, isNotDone } from '@cofre/provider-kit/card'
import { absence, keepingAbsence } from './absence.js'

/** A change of an authorized sale. Cielo makes it once, however often it is requested. */
export interface SingleChange<Decision> {
  readonly earlier: EarlierAttempts | undefined
  /** Reads the sale; absent while it is only authorized. */
  readonly look: () => Promise<
    DoneAnswer<Decision> | { readonly kind: 'absent' } | NotSentAnswer | UnknownAnswer
  >
  readonly send: () => Promise<AcquirerAnswer<Decision>>
  /** True if the refusal of a first attempt has one meaning, whatever the sale's state. */
  readonly isPlain: (refusal: Decision & Refusal) => boolean
}

interface Refusal {
  readonly state: 'refused'
  readonly detail: string
}

/**
 * Looks before it repeats a request. A refusal decides only when the sale was still authorized
 * afterwards, a minute long: another request may have caused it.
 */
export async function makeOnce<Decision extends { readonly state: string }>(
  clock: Clock,
  { earlier, look, send, isPlain }: SingleChange<Decision>,
): Promise<AcquirerAnswer<Decision>> {
  if (earlier !== undefined) {
    const known = await look()
    if (known.kind === 'done') return known
    if (known.kind !== 'absent') return keepingAbsence(known, earlier)
  }
  const end = await send()
  if (earlier !== undefined && isNotDone(end)) return keepingAbsence(end, earlier)
  if (end.kind !== 'done' || !isRefusal(end.value)) return end
  if (earlier === undefined && isPlain(end.value)) return end
  const after = await look()
  if (after.kind === 'done') return after
  if (after.kind !== 'absent') return keepingAbsence(after, earlier)
  const waiting = absence(clock, earlier?.absentSinceMs)
  return waiting === undefined ? end : { ...waiting, detail: end.value.detail }
}

function isRefusal<Decision extends { readonly state: string }>(
  decision: Decision,
): decision is Decision & Refusal {
  return decision.state === 'refused'
}
