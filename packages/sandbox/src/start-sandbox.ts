import type { Clock, Log } from '@cofre/contracts'
import type { Gateway, Worker } from '@cofre/gateway'
import type { Database } from '@cofre/sql'
import type { SandboxTables } from './database/sandbox-tables.js'
import type { InboxStore } from './inbox/inbox-sql.js'
import { createSqlInboxStore } from './inbox/inbox-sql.js'
import { type Fetch, type RecordedFetch, recordedFetch } from './request-log/recorded-fetch.js'
import type { RequestLogStore } from './request-log/request-log-sql.js'
import { createSqlRequestLogStore } from './request-log/request-log-sql.js'
import { createSqlBankEventStore } from './settlement/bank-event-sql.js'
import { startBankWorker } from './settlement/bank-worker.js'
import { type SandboxBank, createSandboxBank } from './settlement/sandbox-bank.js'
import type { SettlementModeStore } from './settlement/settlement-mode-sql.js'
import { createSqlSettlementModeStore } from './settlement/settlement-mode-sql.js'
import { type TestClock, startTestClock } from './test-clock/test-clock.js'
import { createSqlTestClockStore } from './test-clock/test-clock-sql.js'

export interface SandboxOptions {
  readonly database: Database<SandboxTables>
  readonly machineClock: Clock
  readonly log: Log
}

/** What the sandbox has beside its gateway, which is made with its clock and its bank. */
export interface Sandbox {
  readonly clock: TestClock
  /** For rails and card payments. */
  readonly bank: SandboxBank
  /** The last requests of each store. */
  readonly requests: RequestLogStore
  /** For {@link openInbox}, {@link setInboxAnswer} and {@link receive}. */
  readonly inboxes: InboxStore
  /** How each store has its payments settled. */
  readonly modes: SettlementModeStore
  /** Keeps each store's last requests. */
  recorded(fetch: Fetch, gateway: Gateway): RecordedFetch
  /** Starts reporting what the bank has due. */
  startBankWorker(gateway: Gateway): Worker
  /** Stops the clock; before the database is closed. */
  stop(): Promise<void>
}

/** Starts the sandbox where it was left. */
export async function startSandbox({
  database,
  machineClock,
  log,
}: SandboxOptions): Promise<Sandbox> {
  const clock = await startTestClock({
    store: createSqlTestClockStore(database),
    machineClock,
    log,
  })
  const requests = createSqlRequestLogStore(database, machineClock)
  const inboxes = createSqlInboxStore(database, machineClock)
  const modes = createSqlSettlementModeStore(database)
  const events = createSqlBankEventStore(database)
  return {
    clock,
    bank: createSandboxBank({ events, modes, clock }),
    requests,
    inboxes,
    modes,
    recorded: (fetch, { backOffice }) => recordedFetch(fetch, { requests, backOffice, clock, log }),
    startBankWorker: ({ backOffice }) =>
      startBankWorker({ events, backOffice, clock, machineClock, log }),
    stop: () => clock.stop(),
  }
}
