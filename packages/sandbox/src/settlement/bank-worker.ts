import { type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import { repeatJob, createJobBackoff } from '@cofre/jobs'
import type { BackOffice, Worker } from '@cofre/gateway'
import type { BankEvent, BankEventStore } from './bank-event-sql.js'

interface BankWorkerDeps {
  readonly events: BankEventStore
  /** Where the bank reports: the sandbox's gateway. */
  readonly backOffice: Pick<BackOffice, 'report' | 'reportRefund'>
  readonly clock: Clock
  /** The machine's own time, for leases. */
  readonly machineClock: Clock
  readonly log: Log
}

const PAUSE_MS = SECOND_MS / 4
const LEASE_MS = 15 * SECOND_MS
const EVENTS_AT_ONCE = 50

/** Reports what the bank has due until stopped. Any number of workers may share a database. */
export function startBankWorker(deps: BankWorkerDeps): Worker {
  const stopping = new AbortController()
  const watch = createJobBackoff({ job: 'bank', environment: 'sandbox' }, PAUSE_MS, deps.log)
  const working = repeatJob(() => reportDue(deps), watch, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

/** Reports what is due now, once. */
export async function reportDue(deps: BankWorkerDeps): Promise<void> {
  const events = await deps.events.claimDue({
    nowMs: deps.clock.now(),
    machineNowMs: deps.machineClock.now(),
    leaseMs: LEASE_MS,
    limit: EVENTS_AT_ONCE,
  })
  for (const event of events) await report(deps, event)
}

/** One that fails is reported again when its lease has ended. */
async function report(deps: BankWorkerDeps, event: BankEvent): Promise<void> {
  const { events, backOffice, machineClock, log } = deps
  try {
    if (event.subject === 'refund') await backOffice.reportRefund(event.id, event.outcome)
    else if ((await backOffice.report(event.id, event.outcome)) === 'open') {
      await events.postpone(event, machineClock.now() + PAUSE_MS)
      return
    }
    await events.done(event)
  } catch (error) {
    log.error({ environment: 'sandbox', event, error }, 'the bank could not report')
  }
}
