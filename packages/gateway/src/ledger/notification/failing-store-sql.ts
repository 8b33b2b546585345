import { HOUR_MS } from '@cofre/contracts'
import { type Connection, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { AcknowledgingStoreRow, GatewayTables } from '../database/gateway-tables.js'
import { isOver } from '../database/lease.js'

type Db = Connection<GatewayTables>

/** How long a store acknowledges nothing before it is probed. */
const PATIENCE_MS = HOUR_MS
/**
 * So many that wait may each be sent every ten minutes: a request a minute harms nobody, and each
 * may be the one that is accepted.
 */
const WAITING_MAX = 10

interface Refusal {
  readonly merchantId: string
  /** When it was sent. */
  readonly atMs: number
  /** When a store that has failed for long is sent the next notification. */
  readonly probeAtMs: number
}

const insertAcknowledging = prepare((db: Db, row: AcknowledgingStoreRow) =>
  db
    .insertInto('acknowledging_stores')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

const deleteFailing = prepare((db: Db, { merchant_id: id }: AcknowledgingStoreRow) =>
  db.deleteFrom('failing_stores').where('merchant_id', '=', id),
)

/**
 * The store acknowledged: everything that waits for it is due. Locks no row of a store that was
 * well before.
 */
export function acceptance(merchantId: string) {
  return {
    remembered: insertAcknowledging({ merchant_id: merchantId }),
    forgotten: deleteFailing({ merchant_id: merchantId }),
  }
}

/**
 * The store did not acknowledge. One that has failed for long, and for which many wait, is probed
 * from now on.
 * @returns whether it is probed
 */
export async function rememberRefusal(
  trx: Db,
  { merchantId, atMs, probeAtMs }: Refusal,
): Promise<boolean> {
  await trx.deleteFrom('acknowledging_stores').where('merchant_id', '=', merchantId).execute()
  await trx
    .insertInto('failing_stores')
    .values({ merchant_id: merchantId, since: atMs, probe_at: null, probes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const waiting = trx
    .selectFrom('notifications')
    .select('position')
    .where('merchant_id', '=', merchantId)
    .where('done_at', 'is', null)
    .limit(WAITING_MAX + 1)
  await trx
    .updateTable('failing_stores')
    .set({ probe_at: probeAtMs })
    .where('merchant_id', '=', merchantId)
    .where('probe_at', 'is', null)
    // One of the future was made before the clock was set back.
    .where(sql<boolean>`abs(${atMs} - since) >= ${PATIENCE_MS}`)
    .where(
      (of) =>
        of.selectFrom(waiting.as('waiting')).select(({ fn }) => fn.countAll<number>().as('count')),
      '>',
      WAITING_MAX,
    )
    .execute()
  return await isProbed(trx, merchantId)
}

/** Whether the store has failed for long, and is sent one notification every interval. */
export async function isProbed(reader: Db, merchantId: string): Promise<boolean> {
  const probed = await reader
    .selectFrom('failing_stores')
    .select('probes')
    .where('merchant_id', '=', merchantId)
    .where('probe_at', 'is not', null)
    .executeTakeFirst()
  return probed !== undefined
}

/** Somebody wants the store to be sent something now. It is sent the newest that is due. */
export async function probeAtOnce(trx: Db, merchantId: string, atMs: number): Promise<void> {
  await trx
    .updateTable('failing_stores')
    .set({ probe_at: atMs, probes: 0 })
    .where('merchant_id', '=', merchantId)
    .where('probe_at', 'is not', null)
    .execute()
}

export interface ProbeClaim {
  readonly merchantIds: readonly string[]
  readonly nowMs: number
  readonly nextProbeAtMs: number
  readonly longestPauseMs: number
}

/** Of stores whose probe is due, those that nobody else probes meanwhile. */
export async function claimProbes(
  trx: Db,
  { merchantIds, nowMs, nextProbeAtMs, longestPauseMs }: ProbeClaim,
): Promise<ReadonlySet<string>> {
  if (merchantIds.length === 0) return new Set()
  const due = trx
    .selectFrom('failing_stores')
    .select('merchant_id')
    .where('merchant_id', 'in', merchantIds)
    .where(isOver('probe_at', nowMs, longestPauseMs))
    .forUpdate()
    .skipLocked()
  const claimed = await trx
    .updateTable('failing_stores')
    .set({ probe_at: nextProbeAtMs, probes: sql<number>`probes + 1` })
    .where('merchant_id', 'in', due)
    .returning('merchant_id')
    .execute()
  return new Set(claimed.map((row) => row.merchant_id))
}
