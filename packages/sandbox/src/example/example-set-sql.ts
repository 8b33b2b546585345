import { type GatewayTables, paymentChanged } from '@cofre/gateway'
import { type Connection, type Database, unitDatabase } from '@cofre/sql'

export interface ExampleSet {
  readonly untilMs: number
  /** The number of payments made. */
  readonly position: number
}

/** The progress of a store's example payments; undefined if none are being made. */
export async function unfinishedSet(
  { reader }: Pick<Database<GatewayTables>, 'reader'>,
  storeId: string,
): Promise<ExampleSet | undefined> {
  const row = await reader
    .selectFrom('example_sets')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .where('state', '=', 'making')
    .executeTakeFirst()
  return row && { untilMs: row.until_ms, position: row.position }
}

/** True if a store has example payments, or is getting them. */
export async function hasExamples(
  { reader }: Pick<Database<GatewayTables>, 'reader'>,
  storeId: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom('example_sets')
    .select('merchant_id')
    .where('merchant_id', '=', storeId)
    .where('state', '<>', 'removed')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins a store's only set. An existing set stays as it is. */
export async function beginSet(
  database: Database<GatewayTables>,
  storeId: string,
  untilMs: number,
): Promise<void> {
  await database.transact((trx) =>
    trx
      .insertInto('example_sets')
      .values({ merchant_id: storeId, until_ms: untilMs, position: 0, state: 'making' })
      .onConflict((conflict) => conflict.column('merchant_id').doNothing())
      .execute(),
  )
}

/**
 * Makes and counts the next payment of a set in one unit of work: a crash leaves it complete or not
 * made, and it is never made twice. False, and nothing made, once the set is complete or removed.
 * @param make - Makes the payment of this position in the database; undefined after the last.
 */
export async function makeNext(
  database: Database<GatewayTables>,
  storeId: string,
  make: (
    unit: Database<GatewayTables>,
    position: number,
  ) => Promise<number | undefined> | undefined,
): Promise<boolean> {
  return await database.transact(async (trx) => {
    const set = await trx
      .selectFrom('example_sets')
      .selectAll()
      .where('merchant_id', '=', storeId)
      .where('state', '=', 'making')
      .forUpdate()
      .executeTakeFirst()
    if (set === undefined) return false
    const making = make(unitDatabase(database, trx), set.position)
    if (making === undefined) {
      await change(trx, storeId, { state: 'made' })
      return false
    }
    const code = await making
    // Its own time is before the range that the index reads.
    if (code !== undefined) await paymentChanged(trx, { code, isFoundAnyway: false })
    await change(trx, storeId, { position: set.position + 1 })
    return true
  })
}

async function change(
  trx: Connection<GatewayTables>,
  storeId: string,
  to: { readonly state: 'made' } | { readonly position: number },
): Promise<void> {
  await trx.updateTable('example_sets').set(to).where('merchant_id', '=', storeId).execute()
}
