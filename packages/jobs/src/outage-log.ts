import { reasonOf } from './error-reason.js'
import type { Log } from '@cofre/contracts'
import { countByMinute } from './minute-count.js'

/** What the log says of an outage. */
export interface OutageMessages {
  readonly begins: string
  readonly goesOn: string
  readonly ends: string
}

/** Takes each success and failure of something that is retried. */
export interface OutageLog {
  readonly succeeded: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Logs failures without flooding the log: the first at once and whole, those after it once a
 * minute with their number, and the end of the outage once.
 * @param fields - Name in the log what failed.
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
