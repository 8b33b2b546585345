import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import {
  DAILY_SWEEP_DAYS,
  type PixSweep,
  SWEEP_OVERLAP_MS,
  SWEEP_PAUSE_MS,
} from '../../model/payment-rail/pix-charge.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { isOver } from '../database/lease.js'

type Db = Connection<GatewayTables>

const SWEEP_LEASE_MS = 2 * MINUTE_MS
const SWEEPS_AT_ONCE = 5
/** A bank that asks for more is asked again anyway. */
const PAUSE_MAX_MS = HOUR_MS

/** How far the payments of each account have been read. */
export function createSqlPixSweepStore(database: Database<GatewayTables>) {
  return {
    /**
     * Takes accounts whose payments are to be read, each given to exactly one caller until its
     * lease ends, even when called concurrently.
     */
    claim: (machineNowMs: number): Promise<readonly PixSweep[]> =>
      database.transact((trx) => claim(trx, machineNowMs)),

    /** A page was read; more follow. */
    renew: ({ accountId }: PixSweep, machineNowMs: number): Promise<void> =>
      set(database, accountId, { lease_until: machineNowMs + SWEEP_LEASE_MS }),

    /** All of it was read. */
    finish: ({ accountId, toMs, isDaily }: PixSweep, machineNowMs: number): Promise<void> =>
      set(database, accountId, {
        swept_until: toMs,
        next_sweep_at: machineNowMs + SWEEP_PAUSE_MS,
        ...(isDaily && { daily_at: machineNowMs + DAY_MS }),
        lease_until: null,
        unanswered_since: null,
      }),

    /** Not all was read: the same is read again, after a pause. */
    postpone(
      { accountId, isDaily }: PixSweep,
      machineNowMs: number,
      pauseMs: number = SWEEP_PAUSE_MS,
    ): Promise<void> {
      const atMs = machineNowMs + Math.min(Math.max(pauseMs, SWEEP_PAUSE_MS), PAUSE_MAX_MS)
      return set(database, accountId, {
        next_sweep_at: atMs,
        ...(isDaily && { daily_at: atMs }),
        lease_until: null,
      })
    },
  }
}

async function set(
  database: Database<GatewayTables>,
  accountId: string,
  columns: Partial<GatewayTables['pix_sweeps']>,
): Promise<void> {
  await database.transact((trx) =>
    trx.updateTable('pix_sweeps').set(columns).where('account_id', '=', accountId).execute(),
  )
}

async function claim(trx: Db, nowMs: number): Promise<readonly PixSweep[]> {
  const due = await trx
    .selectFrom('pix_sweeps')
    .selectAll()
    .where((of) =>
      of.and([
        of.or([of('lease_until', 'is', null), isOver('lease_until', nowMs, SWEEP_LEASE_MS)]),
        of.or([
          isOver('daily_at', nowMs, DAY_MS),
          of.and([
            isOver('next_sweep_at', nowMs, PAUSE_MAX_MS),
            of.exists(
              of
                .selectFrom('pix_charges')
                .select('transaction_code')
                .whereRef('pix_charges.account_id', '=', 'pix_sweeps.account_id')
                // Spelt out, as the partial index has it.
                .where('state', '=', sql.lit('live')),
            ),
          ]),
        ]),
      ]),
    )
    .orderBy('next_sweep_at')
    .limit(SWEEPS_AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute()
  const ids = due.map(({ account_id }) => account_id)
  if (ids.length > 0)
    await trx
      .updateTable('pix_sweeps')
      .set((set) => ({
        lease_until: nowMs + SWEEP_LEASE_MS,
        unanswered_since: set.fn.coalesce('unanswered_since', set.val(nowMs)),
      }))
      .where('account_id', 'in', ids)
      .execute()
  return due.map((row) => {
    const isDaily = row.daily_at <= nowMs
    const overlapMs = Math.min(row.swept_until, nowMs) - SWEEP_OVERLAP_MS
    return {
      accountId: row.account_id,
      fromMs: isDaily ? Math.min(overlapMs, nowMs - DAILY_SWEEP_DAYS * DAY_MS) : overlapMs,
      toMs: nowMs,
      isDaily,
    }
  })
}
