import { HOUR_MS, SECOND_MS, type TransactionStatus } from '@cofre/contracts'
import type { RefundOutcome } from '@cofre/gateway'
import type { Database } from '@cofre/sql'
import { claim, growingMs } from '@cofre/work'
import type { ClockStep } from '../desk/sandbox-desk.js'
import type { BankEventRow, SandboxTables, SandboxUnit } from '../database/sandbox-tables.js'

/** A single future report of the bank. `id` is a transaction code or refund id, decimal text. */
export type BankEvent =
  | { readonly subject: 'transaction'; readonly id: string; readonly outcome: TransactionStatus }
  | { readonly subject: 'refund'; readonly id: string; readonly outcome: RefundOutcome }
type PlannedEvent = BankEvent & {
  /** The event's store; absent if only a lost answer is known. */
  readonly storeId?: string | undefined
}
type Subject = Pick<BankEvent, 'subject' | 'id'>

/** A worker's claim. */
interface BankEventClaim {
  /** By the sandbox's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides when a claim ends. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
}

/** Bounds of the pause after a failed report. */
const PAUSE_MIN_MS = 15 * SECOND_MS
const PAUSE_MAX_MS = HOUR_MS

export type BankEventStore = ReturnType<typeof createSqlBankEventStore>

export function createSqlBankEventStore(database: Database<SandboxTables>) {
  return {
    /**
     * Stores an event, unless the transaction or refund already has one: the first counts.
     * @param dueAtMs - By the sandbox's clock.
     */
    plan: (event: PlannedEvent, dueAtMs: number): Promise<void> =>
      database.transact(async (trx) => {
        await trx
          .insertInto('bank_events')
          .values({ ...rowOf(event), due_at: dueAtMs, lease_until: null, failures: 0 })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }),

    /** True if the transaction or refund has an event. */
    async isKnown({ subject, id }: Subject): Promise<boolean> {
      const row = await database.reader
        .selectFrom('bank_events')
        .select('subject_id')
        .where((event) => event.and({ subject, subject_id: Number(id) }))
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Claims due events, each for exactly one caller until its lease ends, even when called
     * concurrently.
     */
    claimDue: (wanted: BankEventClaim) => claimDue(database, wanted),

    /** The number of a store's events that become due in a period, by the sandbox's clock. */
    countDue: (storeId: string, time: ClockStep) => countDue(database.reader, storeId, time),

    /** Postpones an event until then, by the machine's clock. */
    postpone: ({ subject, id }: Subject, untilMachineMs: number): Promise<void> =>
      database.transact(async (trx) => {
        await trx
          .updateTable('bank_events')
          .set({ lease_until: untilMachineMs })
          .where((event) => event.and({ subject, subject_id: Number(id) }))
          .execute()
      }),

    /** Postpones an event after a failed report: each pause is twice the one before. */
    rest: (event: Subject, machineNowMs: number): Promise<void> =>
      database.transact((trx) => pauseSubject(trx, event, machineNowMs)),

    /** Deletes a reported event. */
    done: ({ subject, id }: Subject): Promise<void> =>
      database.transact(async (trx) => {
        await trx
          .deleteFrom('bank_events')
          .where((event) => event.and({ subject, subject_id: Number(id) }))
          .execute()
      }),
  }
}

async function countDue(
  reader: SandboxUnit,
  storeId: string,
  { afterMs, untilMs }: ClockStep,
): Promise<number> {
  const { count } = await reader
    .selectFrom('bank_events')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('due_at', '>', afterMs)
    .where('due_at', '<=', untilMs)
    .where('store_id', '=', storeId)
    .executeTakeFirstOrThrow()
  return count
}

async function claimDue(
  database: Database<SandboxTables>,
  { nowMs, machineNowMs, leaseMs, limit }: BankEventClaim,
): Promise<readonly BankEvent[]> {
  const rows = await claim(database, {
    table: 'bank_events',
    key: ['subject', 'subject_id'],
    rows: (db) => db.selectFrom('bank_events').selectAll(),
    due: {
      at: 'due_at',
      lease: { until: 'lease_until', longestMs: PAUSE_MAX_MS, nowMs: machineNowMs },
      nowMs,
      limit,
    },
    take: () => ({ lease_until: machineNowMs + leaseMs }),
  })
  return rows.map(eventOf)
}

async function pauseSubject(
  trx: SandboxUnit,
  { subject, id }: Subject,
  machineNowMs: number,
): Promise<void> {
  const { failures = 0 } =
    (await trx
      .selectFrom('bank_events')
      .select('failures')
      .where((event) => event.and({ subject, subject_id: Number(id) }))
      .executeTakeFirst()) ?? {}
  await trx
    .updateTable('bank_events')
    .set({
      failures: failures + 1,
      lease_until: machineNowMs + growingMs(PAUSE_MIN_MS, PAUSE_MAX_MS, failures),
    })
    .where((event) => event.and({ subject, subject_id: Number(id) }))
    .execute()
}

function rowOf({ subject, id, storeId, outcome }: PlannedEvent) {
  return { subject, subject_id: Number(id), store_id: storeId ?? null, outcome }
}

/** The database contains only rows that `plan` wrote. */
function eventOf({ subject, subject_id: id, outcome }: BankEventRow): BankEvent {
  return { subject, id: String(id), outcome } as BankEvent
}
