import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { type Working, startDueWork } from '@cofre/work'
import type { BankReports } from '@cofre/gateway'
import type { BankEvent, BankEventStore } from './bank-event-sql.js'

interface BankWorkerDeps {
  readonly events: BankEventStore
  /** Where the bank reports: the sandbox's gateway. */
  readonly reports: BankReports
  readonly clock: Clock
  /** The machine's own time, for leases. */
  readonly machineClock: Clock
  readonly log: Log
}

const PAUSE_MS = SECOND_MS / 4
const LEASE_MS = 15 * SECOND_MS
/** A report may take so long: none begins whose lease could end before it. */
const REPORT_MS = 5 * SECOND_MS
const EVENTS_AT_ONCE = 50

/** Reports what the bank has due until stopped. Any number of workers may share a database. */
export function startBankWorker(deps: BankWorkerDeps): Working {
  const work = { name: 'bank', everyMs: PAUSE_MS, run: () => reportDue(deps) }
  return startDueWork([work], { environment: 'sandbox', log: deps.log })
}

/**
 * Reports what is due now, once. What is not reached within its lease is reported again when that
 * has ended; what fails, after pauses that grow.
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
