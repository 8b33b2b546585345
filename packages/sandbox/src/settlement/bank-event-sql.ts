import { HOUR_MS, SECOND_MS, type TransactionStatus } from '@cofre/contracts'
import type { RefundOutcome } from '@cofre/gateway'
import type { Database } from '@cofre/sql'
import { claim, growingMs } from '@cofre/work'
import type { Period } from '../desk/sandbox-desk.js'
import type { BankEventRow, SandboxTables, SandboxUnit } from '../database/sandbox-tables.js'

/**
 * What the bank is going to report, once. `id` is a transaction code or refund id, decimal text.
 */
export type BankEvent =
  | { readonly subject: 'transaction'; readonly id: string; readonly outcome: TransactionStatus }
  | { readonly subject: 'refund'; readonly id: string; readonly outcome: RefundOutcome }
type PlannedEvent = BankEvent & {
  /** Whose it is; absent where an answer that was lost is all that is known. */
  readonly storeId?: string | undefined
}
type Subject = Pick<BankEvent, 'subject' | 'id'>

/** What a worker asks for. */
interface BankEventClaim {
  /** By the sandbox's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides how long a claim holds. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
}

/** Bounds of the pause after an event could not be reported. */
const REST_MIN_MS = 15 * SECOND_MS
const REST_MAX_MS = HOUR_MS

export type BankEventStore = ReturnType<typeof createSqlBankEventStore>

export function createSqlBankEventStore(database: Database<SandboxTables>) {
  return {
    /**
     * Keeps an event, unless there already is one of the transaction or refund: the first stands.
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

    /** Whether there is an event of the transaction or refund. */
    async isKnown({ subject, id }: Subject): Promise<boolean> {
      const row = await database.reader
        .selectFrom('bank_events')
        .select('subject_id')
        .where((event) => event.and({ subject, subject_id: Number(id) }))
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Takes events that are due, each given to exactly one caller until its lease ends, even when
     * called concurrently.
     */
    claimDue: (wanted: BankEventClaim) => claimDue(database, wanted),

    /** How many of a store become due after a time and until another, by the sandbox's clock. */
    countDue: (storeId: string, time: Period) => countDue(database.reader, storeId, time),

    /** Lets an event rest until then, by the machine's clock. */
    postpone: ({ subject, id }: Subject, untilMachineMs: number): Promise<void> =>
      database.transact(async (trx) => {
        await trx
          .updateTable('bank_events')
          .set({ lease_until: untilMachineMs })
          .where((event) => event.and({ subject, subject_id: Number(id) }))
          .execute()
      }),

    /** Lets an event that could not be reported rest: each pause is twice the one before. */
    rest: (event: Subject, machineNowMs: number): Promise<void> =>
      database.transact((trx) => rest(trx, event, machineNowMs)),

    /** Forgets an event that was reported. */
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
  { afterMs, untilMs }: Period,
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
      lease: { until: 'lease_until', longestMs: REST_MAX_MS, nowMs: machineNowMs },
      nowMs,
      limit,
    },
    take: () => ({ lease_until: machineNowMs + leaseMs }),
  })
  return rows.map(eventOf)
}

async function rest(
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
      lease_until: machineNowMs + growingMs(REST_MIN_MS, REST_MAX_MS, failures),
    })
    .where((event) => event.and({ subject, subject_id: Number(id) }))
    .execute()
}

function rowOf({ subject, id, storeId, outcome }: PlannedEvent) {
  return { subject, subject_id: Number(id), store_id: storeId ?? null, outcome }
}

/** The database holds only what `plan` wrote. */
function eventOf({ subject, subject_id: id, outcome }: BankEventRow): BankEvent {
  return { subject, id: String(id), outcome } as BankEvent
}
