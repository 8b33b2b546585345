import { type Log, MINUTE_MS } from '@cofre/contracts'
import { reasonOf } from './error-reason.js'

/**
 * Counts events, so that the log has one line a minute with their number. The first event is due at
 * once, the others at most once a minute.
 */
export function countByMinute() {
  let dueAtMs = Number.NEGATIVE_INFINITY
  let unlogged = 0
  /** Returns the number of unlogged events, for a line that is due for another reason. */
  const take = (): number => {
    const count = unlogged
    unlogged = 0
    return count
  }
  /** Counts one event. Returns the number of unlogged events when a line is due, 0 otherwise. */
  const add = (): number => {
    unlogged++
    const nowMs = performance.now()
    if (nowMs < dueAtMs) return 0
    dueAtMs = nowMs + MINUTE_MS
    return take()
  }
  return { add, take }
}

export interface OutageMessages {
  readonly begins: string
  readonly goesOn: string
  readonly ends: string
}

/** Records each success and failure of something that is retried. */
export interface OutageLog {
  readonly succeeded: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Logs failures without flooding the log: the first at once and in full, later ones once a minute
 * with their number, and the end of the outage once.
 * @param fields - Identify what failed in the log.
 */
export function createOutageLog(fields: object, messages: OutageMessages, log: Log): OutageLog {
  const count = countByMinute()
  let isLogged = false
  return {
    succeeded() {
      if (!isLogged) return
      isLogged = false
      log.info({ ...fields, failures: count.take() }, messages.ends)
    },
    failed(error) {
      const failures = count.add()
      if (failures === 0) return
      if (isLogged) log.error({ ...fields, failures, reason: reasonOf(error) }, messages.goesOn)
      else log.error({ ...fields, failures, error }, messages.begins)
      isLogged = true
    },
  }
}
