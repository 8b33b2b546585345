import type { Clock } from '@cofre/contracts'
import { sql } from 'kysely'
import type { SandboxTables, SandboxUnit } from './sandbox-tables.js'

/** A table that keeps the newest rows of each store, numbered as they came. */
type StoreLogTable = 'inbox_items' | 'requests'

interface StoreLogOptions<Table extends StoreLogTable> {
  readonly table: Table
  readonly keptMax: number
}

/** Adds a row that is made for the number it gets, and forgets the oldest beyond `keptMax`. */
export type AddToStoreLog<Table extends StoreLogTable> = (
  trx: SandboxUnit,
  storeId: string,
  rowOf: (id: number) => SandboxTables[Table],
) => Promise<void>

export function createStoreLog<Table extends StoreLogTable>(
  machineClock: Clock,
  { table, keptMax }: StoreLogOptions<Table>,
): AddToStoreLog<Table> {
  const drawId = createRowIds(machineClock)
  return async (trx, storeId, rowOf) => {
    while (!(await insert(trx, table, rowOf(drawId())))) continue
    const newer = sql.table(table)
    await sql`delete from ${newer} where store_id = ${storeId} and id <= (
      select id from ${newer} where store_id = ${storeId} order by id desc limit 1 offset ${keptMax}
    )`.execute(trx)
  }
}

/** False when another process has drawn the same number. */
async function insert<Table extends StoreLogTable>(
  trx: SandboxUnit,
  table: Table,
  row: SandboxTables[Table],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto<StoreLogTable>(table)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Numbers within a millisecond; at this rate a number stays a safe integer until the year 2255. */
const PER_MILLISECOND = 1000

/**
 * Draws numbers that grow with the machine's time; another process may draw the same, so a store
 * draws again.
 */
function createRowIds(machineClock: Clock): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, machineClock.now() * PER_MILLISECOND)
    return last
  }
}
