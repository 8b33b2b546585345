import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { type Working, startDueWork } from '@cofre/work'
import type { BankReports } from '@cofre/gateway'
import type { BankEvent, BankEventStore } from './bank-event-sql.js'

interface BankWorkerDeps {
  readonly events: BankEventStore
  /** The bank's port to the sandbox's gateway. */
  readonly reports: BankReports
  readonly clock: Clock
  /** The machine's clock, for leases. */
  readonly machineClock: Clock
  readonly log: Log
}

const PAUSE_MS = SECOND_MS / 4
const LEASE_MS = 15 * SECOND_MS
/** The longest time of a report: none begins if its lease could end earlier. */
const REPORT_MS = 5 * SECOND_MS
const EVENTS_AT_ONCE = 50

/** Reports the bank's due events until stopped. Any number of workers may share a database. */
export function startBankWorker(deps: BankWorkerDeps): Working {
  const work = { name: 'bank', everyMs: PAUSE_MS, run: () => reportDue(deps) }
  return startDueWork([work], { environment: 'sandbox', log: deps.log })
}

/**
 * Reports the events that are due now, once. An event that is not reached within its lease is
 * reported after its end; a failed one, after growing pauses.
 */
export async function reportDue(deps: BankWorkerDeps): Promise<void> {
  const { clock, events, machineClock } = deps
  const machineNowMs = machineClock.now()
  const due = await events.claimDue({
    nowMs: clock.now(),
    machineNowMs,
    leaseMs: LEASE_MS,
    limit: EVENTS_AT_ONCE,
  })
  for (const event of due) {
    if (machineClock.now() - machineNowMs > LEASE_MS - REPORT_MS) return
    await report(deps, event)
  }
}

async function report(deps: BankWorkerDeps, event: BankEvent): Promise<void> {
  const { events, log, machineClock, reports } = deps
  try {
    if (event.subject === 'refund') await reports.reportRefund(event.id, event.outcome)
    else if ((await reports.report(event.id, event.outcome)) === 'open') {
      await events.postpone(event, machineClock.now() + PAUSE_MS)
      return
    }
    await events.done(event)
  } catch (error) {
    // The database is down: end the round.
    if (isUnavailable(error)) throw error
    await events.rest(event, machineClock.now())
    log.error({ environment: 'sandbox', event, error }, 'the bank could not report')
  }
}
