import { reasonOf } from './error-reason.js'
import type { Log } from './log.js'
import { countByMinute } from './minute-count.js'

/** What the log says of an outage. */
export interface OutageMessages {
  readonly begins: string
  readonly goesOn: string
  readonly ends: string
}

/** Is told of each success and failure of something that is tried over and over. */
export interface OutageWatch {
  readonly succeeded: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Tells the log of failures without flooding it: of the first at once and whole, of those after it once a minute with their number,
 * and once that it is over. What fails and succeeds in turns is told of no more often.
 * @param fields - Name in the log what is watched.
 */
export function watchOutage(fields: object, messages: OutageMessages, log: Log): OutageWatch {
  const count = countByMinute()
  let isTold = false
  return {
    succeeded() {
      if (!isTold) return
      isTold = false
      log.info({ ...fields, failures: count.take() }, messages.ends)
    },
    failed(error) {
      const failures = count.add()
      if (failures === 0) return
      if (isTold) log.error({ ...fields, failures, reason: reasonOf(error) }, messages.goesOn)
      else log.error({ ...fields, failures, error }, messages.begins)
      isTold = true
    },
  }
}
