import { type Connection, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import { claimIn } from '@cofre/work'
import {
  type AcknowledgingStoreRow,
  FAILING_AFTER_MS,
  type GatewayTables,
  type Lane,
  WAITING_MAX,
} from '@cofre/gateway/room'

type Db = Connection<GatewayTables>

interface Refusal {
  readonly merchantId: string
  readonly lane: Lane
  /** The time when it was sent. */
  readonly atMs: number
  /** The next probe if the lane has failed for long. */
  readonly probeAtMs: number
}

const insertAcknowledging = prepare((db: Db, row: AcknowledgingStoreRow) =>
  db
    .insertInto('acknowledging_stores')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

const deleteFailing = prepare((db: Db, { lane }: { readonly lane: Lane }) =>
  db.deleteFrom('failing_lanes').where('lane', '=', lane),
)

/** The record of release 0.2, whose processes read it. */
const deleteFailingStore = prepare((db: Db, { merchant_id: id }: AcknowledgingStoreRow) =>
  db.deleteFrom('failing_stores').where('merchant_id', '=', id),
)

/**
 * The statements of an acknowledgement: every waiting notification of the lane is due. Locks no row
 * of a store that had no failure.
 */
export function acceptance(merchantId: string, lane: Lane) {
  return {
    remembered: insertAcknowledging({ merchant_id: merchantId }),
    forgotten: deleteFailing({ lane }),
    forgottenStore: deleteFailingStore({ merchant_id: merchantId }),
  }
}

/**
 * Records that the store did not acknowledge. A lane that has failed for long, and in which many
 * wait, is probed from now on.
 * @returns true if it is probed
 */
export async function rememberRefusal(
  trx: Db,
  { merchantId, lane, atMs, probeAtMs }: Refusal,
): Promise<boolean> {
  await trx.deleteFrom('acknowledging_stores').where('merchant_id', '=', merchantId).execute()
  const known = await trx
    .selectFrom('failing_stores')
    .select('since')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
  await trx
    .insertInto('failing_lanes')
    .values({
      lane,
      merchant_id: merchantId,
      since: Math.min(known?.since ?? atMs, atMs),
      probe_at: null,
      probes: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const waiting = trx
    .selectFrom('notifications')
    .select('position')
    .where('lane', '=', lane)
    .where('done_at', 'is', null)
    // Literal, so that PostgreSQL uses the partial index.
    .where('blocked', '=', sql.lit(0))
    .limit(WAITING_MAX + 1)
  await trx
    .updateTable('failing_lanes')
    .set({ probe_at: probeAtMs })
    .where('lane', '=', lane)
    .where('probe_at', 'is', null)
    // A record from the future was made before the clock was set back.
    .where(sql<boolean>`abs(${atMs} - since) >= ${FAILING_AFTER_MS}`)
    .where(
      (of) =>
        of.selectFrom(waiting.as('waiting')).select(({ fn }) => fn.countAll<number>().as('count')),
      '>',
      WAITING_MAX,
    )
    .execute()
  return (await probedLanes(trx, merchantId)).has(lane)
}

/** The lanes of a store that have failed for long: refused notifications wait there for a probe. */
export async function probedLanes(reader: Db, merchantId: string): Promise<ReadonlySet<Lane>> {
  const probed = await reader
    .selectFrom('failing_lanes')
    .select('lane')
    .where('merchant_id', '=', merchantId)
    .where('probe_at', 'is not', null)
    .execute()
  return new Set(probed.map(({ lane }) => lane))
}

/**
 * Makes the lane's next probe due at once, with its newest notification, since a person resends
 * one.
 */
export async function probeAtOnce(trx: Db, lane: Lane, atMs: number): Promise<void> {
  await trx
    .updateTable('failing_lanes')
    .set({ probe_at: atMs, probes: 0 })
    .where('lane', '=', lane)
    .where('probe_at', 'is not', null)
    .execute()
}

export interface ProbeClaim {
  readonly lanes: readonly Lane[]
  readonly nowMs: number
  readonly nextProbeAtMs: number
  readonly longestPauseMs: number
}

/** Claims due probes of lanes that no other worker is probing. */
export async function claimProbes(
  trx: Db,
  { lanes, nowMs, nextProbeAtMs, longestPauseMs }: ProbeClaim,
): Promise<ReadonlySet<Lane>> {
  if (lanes.length === 0) return new Set()
  const rows = await claimIn(trx, {
    table: 'failing_lanes',
    key: ['lane'],
    rows: (db) =>
      db.selectFrom('failing_lanes').select(['lane', 'probes']).where('lane', 'in', lanes),
    due: { at: 'probe_at', longestMs: longestPauseMs, nowMs, limit: lanes.length },
    take: ({ probes }) => ({ probe_at: nextProbeAtMs, probes: probes + 1 }),
  })
  return new Set(rows.map(({ lane }) => lane))
}
