import type { QueryResult } from 'kysely'
import pg from 'pg'
import { Connection, type EngineStatement, type PreparedStatement } from '../database/connection.js'
import { driverOver } from '../database/dialect.js'
import { STANDBY_IS_BEHIND } from '../errors/unavailability.js'
import type { ConnectionPool } from './primary-pool.js'
import { askTogether, holdWrites } from './statement-batch.js'
import { isUnreplicated } from './unreplicated.js'

/** PostgreSQL's answer to every statement of a transaction after the one that failed. */
const IN_FAILED_TRANSACTION = '25P02'

const READ_ONLY_TRANSACTION = '25006'

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Runs a statement. @throws its error, or the connection's */
async function askPostgres(
  client: pg.PoolClient,
  statement: EngineStatement,
): Promise<QueryResult<never>> {
  if (statement.name !== undefined) {
    const [result] = await askInOrder(client, [statement])
    return result ?? { rows: [] }
  }
  holdWrites(client)
  const { sql, parameters } = statement
  const { command, rowCount, rows } = await client.query<never>(sql, [...parameters])
  return WRITES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

/** Runs prepared statements in one round trip. @throws the error of the first that failed */
async function askInOrder(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult<never>[]> {
  const { results, failure } = await askTogether(client, statements)
  if (failure) throw failure
  return results.map((result) => result())
}

/** True if a connection's server takes no writes: the connection is of no use any more. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY_TRANSACTION
}

/**
 * Runs a unit of work on a pipelined connection of its own.
 * @throws whatever the unit of work threw, or the error of the connection
 */
export async function transactOn<Tables, T>(
  pool: ConnectionPool,
  work: (trx: Connection<Tables>) => Promise<T>,
  attached: unknown,
): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    return await commitWork(client, work, attached)
  } catch (error) {
    isBroken = isReadOnly(error) || isUnreplicated(client)
    await client.query('rollback').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** BEGIN travels with the first statement. The caller rolls back what fails. */
async function commitWork<Tables, T>(
  client: pg.PoolClient,
  work: (trx: Connection<Tables>) => Promise<T>,
  attached: unknown,
): Promise<T> {
  let isFinished = false
  let failure: unknown
  const asking = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    // A later statement would be committed on its own.
    if (isFinished) throw new Error('the unit of work is over')
    try {
      return await ask()
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  const run = (statement: EngineStatement) => asking(() => askPostgres(client, statement))
  const runInOrder = (statements: readonly PreparedStatement[]) =>
    asking(() => askInOrder(client, statements))
  holdWrites(client)
  const begun = client.query('begin')
  // The code that awaits the commit gets the error.
  begun.catch(() => undefined)
  let value: T
  try {
    const driver = driverOver(run)
    const trx = new Connection<Tables>({ engine: 'postgres', driver, run, runInOrder, attached })
    value = await work(trx)
  } catch (error) {
    // The unit of work only met a consequence of the statement that failed.
    throw (error as { code?: unknown }).code === IN_FAILED_TRANSACTION ? failure : error
  } finally {
    isFinished = true
  }
  const [{ command }] = await Promise.all([client.query('commit'), begun])
  if (isUnreplicated(client)) throw new Error(STANDBY_IS_BEHIND)
  // The unit of work continued after a statement that failed.
  if (command === 'ROLLBACK')
    throw new Error('the unit of work was undone: a statement failed', { cause: failure })
  return value
}
