import type { Clock, Log } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import type { Database } from '@cofre/sql'
import type { SandboxTables } from './database/sandbox-tables.js'
import type { FindsPayments, FindsStores } from './desk/sandbox-desk.js'
import { createSqlInboxStore } from './inbox/inbox-sql.js'
import { type Fetch, recordedFetch } from './request-log/recorded-fetch.js'
import { createSqlRequestLogStore } from './request-log/request-log-sql.js'
import { createSqlBankEventStore } from './simulated-bank/bank-event-sql.js'
import { startBankWorker } from './simulated-bank/bank-worker.js'
import { createSandboxBank } from './simulated-bank/sandbox-bank.js'
import { createSqlSettlementModeStore } from './simulated-bank/settlement-mode-sql.js'
import type { PreviewClock } from './test-clock/clock-preview.js'
import { startTestClock } from './test-clock/test-clock.js'
import { createSqlTestClockStore } from './test-clock/test-clock-sql.js'

interface SandboxOptions {
  readonly database: Database<SandboxTables>
  readonly machineClock: Clock
  readonly log: Log
}

/** The sandbox's services beside its gateway, which uses their clock and bank. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** Starts the sandbox in its last state. */
export async function startSandbox({ database, machineClock, log }: SandboxOptions) {
  const store = createSqlTestClockStore(database)
  const clock = await startTestClock({ store, machineClock, log })
  const requests = createSqlRequestLogStore(database, machineClock)
  const modes = createSqlSettlementModeStore(database)
  const events = createSqlBankEventStore(database)
  const preview: PreviewClock = async ({ storeId, durationMs }, backOffice) => {
    const nowMs = clock.now()
    const thenMs = nowMs + durationMs
    const time = { afterMs: nowMs, untilMs: thenMs }
    const due = await backOffice.dueBetween(storeId, time)
    return { nowMs, thenMs, ...due, reports: await events.countDue(storeId, time) }
  }
  return {
    clock,
    /** For rails and card payments. */
    bank: createSandboxBank({ events, modes, clock }),
    /** The last requests of each store. */
    requests,
    /** For {@link openInbox}, {@link setInboxAnswer} and {@link receive}. */
    inboxes: createSqlInboxStore(database, machineClock),
    /** The settlement modes of each store. */
    modes,
    preview,
    /** Records each store's last requests. */
    recorded: (
      fetch: Fetch,
      { backOffice }: { readonly backOffice: FindsStores & FindsPayments },
    ) => recordedFetch(fetch, { requests, backOffice, clock, log }),
    /** Starts reporting the bank's due events. */
    startBankWorker: ({ bankReports }: Gateway) =>
      startBankWorker({ events, reports: bankReports, clock, machineClock, log }),
    /** Stops the clock; call it before the database is closed. */
    stop: () => clock.stop(),
  }
}
