import type { Clock } from '@cofre/contracts'
import { sql } from 'kysely'
import type { SandboxTables, SandboxUnit } from './sandbox-tables.js'

/** A table with the newest rows of each store, numbered in the order of arrival. */
type StoreLogTable = 'inbox_items' | 'requests'

/** Numbers within a millisecond; at this rate a number stays a safe integer until the year 2255. */
export const PER_MILLISECOND = 1000

/**
 * Creates a function that adds a row, built for its number, and deletes the store's oldest rows
 * beyond `keptMax`.
 */
export function createStoreLog<Table extends StoreLogTable>(
  machineClock: Clock,
  { table, keptMax }: { readonly table: Table; readonly keptMax: number },
) {
  let last = 0
  /** Grows with the machine's time; another process may draw the same number. */
  const drawId = () => (last = Math.max(last + 1, machineClock.now() * PER_MILLISECOND))
  return async (
    trx: SandboxUnit,
    storeId: string,
    rowOf: (id: number) => SandboxTables[Table],
  ): Promise<void> => {
    while (!(await insert(trx, table, rowOf(drawId())))) continue
    const newer = sql.table(table)
    await sql`delete from ${newer} where store_id = ${storeId} and id <= (
      select id from ${newer} where store_id = ${storeId} order by id desc limit 1 offset ${keptMax}
    )`.execute(trx)
  }
}

/** False if another process has drawn the same number. */
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
