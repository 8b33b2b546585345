import { countByMinute } from '@cofre/jobs'
import type { ServingDeps } from './served-request.js'

/** What a port turns away before an application, and its line in the log, are reached. */
export interface Unserved {
  /** A request that could not be read was answered. */
  unreadable(status: number, code: number): void
  /** A connection was dropped because there are too many. */
  dropped(): void
  /** A connection could not be accepted. */
  notAccepted(error: Error): void
}

/** Whose route it would have been is not known. */
const UNREADABLE_ROUTE = 'unreadable'

/** Counts what is turned away; of all that strangers can send without end, a line a minute is written, and never what they sent. */
export function countUnserved({
  role,
  log,
  metrics,
}: Pick<ServingDeps, 'role' | 'log' | 'metrics'>): Unserved {
  const unreadable = countByMinute()
  const dropped = countByMinute()
  const notAccepted = countByMinute()
  return {
    unreadable(status, code) {
      metrics.requests.inc({ role, route: UNREADABLE_ROUTE, method: 'OTHER', status })
      metrics.errors.inc({ role, code })
      const count = unreadable.add()
      if (count > 0)
        log.info({ role, status, errors: [code], count }, 'a request could not be read')
    },
    dropped() {
      metrics.connectionsDropped.inc({ role })
      const count = dropped.add()
      if (count > 0) log.warn({ role, count }, 'a connection was dropped: there are too many')
    },
    notAccepted(error) {
      metrics.connectionsDropped.inc({ role })
      const count = notAccepted.add()
      if (count > 0) log.error({ role, count, error }, 'a connection could not be accepted')
    },
  }
}
