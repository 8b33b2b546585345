import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { type Statement, type StatementRunner, runPreparedBy } from './prepared-query.js'

/** What PostgreSQL answers to every statement of a unit after the one that failed. */
const IN_FAILED_UNIT = '25P02'

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Asks a client or a pool, and answers as Kysely has it. */
export async function askPostgres(
  client: { query(config: pg.QueryConfig): Promise<pg.QueryResult> },
  config: pg.QueryConfig,
): Promise<QueryResult<unknown>> {
  const { command, rowCount, rows } = await client.query(config)
  return WRITES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

/** For a server that keeps prepared statements by name, each connection its own. */
export function preparedConfig({ name, sql, parameters }: Statement): pg.QueryConfig {
  return { name, text: sql, values: [...parameters] }
}

/**
 * Runs units of work on one pipelined connection: what is asked in one turn of the event loop is sent together, BEGIN with the
 * unit's first statement, and what the unit has for later with COMMIT.
 */
export class PostgresUnits<Tables> implements DatabaseConnection, StatementRunner {
  readonly #client: pg.PoolClient
  readonly #unit: Kysely<Tables>
  #isOpen = false
  /** What was sent without waiting for its answer. */
  #unanswered: Promise<unknown>[] = []
  /** Why the unit failed, when it did not await the statement that did. */
  #failure: unknown

  constructor(client: pg.PoolClient) {
    this.#client = client
    this.#unit = runPreparedBy(kyselyOver<Tables>(this), this)
  }

  /** One unit at a time. @throws whatever the unit threw, once it is undone, or the error of the connection */
  async transact<T>(work: (unit: Kysely<Tables>) => Promise<T>): Promise<T> {
    this.#isOpen = true
    this.#unanswered = []
    this.#failure = undefined
    this.#send({ text: 'begin' })
    const value = await this.#run(work)
    const [{ command }] = await Promise.all([this.#client.query('commit'), ...this.#unanswered])
    // A unit that swallowed the error of a statement.
    if (command === 'ROLLBACK')
      throw new Error('the unit of work was undone: a statement failed', { cause: this.#failure })
    return value
  }

  /** @throws the cause, where the unit only met what followed from it */
  async #run<T>(work: (unit: Kysely<Tables>) => Promise<T>): Promise<T> {
    try {
      return await work(this.#unit)
    } catch (error) {
      const { code } = error as { code?: unknown }
      throw code === IN_FAILED_UNIT ? (this.#failure ?? error) : error
    } finally {
      this.#isOpen = false
    }
  }

  async rollback(): Promise<void> {
    await this.#client.query('rollback')
  }

  run(statement: Statement): Promise<QueryResult<unknown>> {
    return this.#ask(preparedConfig(statement))
  }

  later(statement: Statement): void {
    this.#refuseWhenOver()
    this.#send(preparedConfig(statement))
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#ask({ text: sql, values: [...parameters] })) as QueryResult<Row>
  }

  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncGenerator<never> {
    await Promise.reject(new Error('rows are not streamed'))
  }

  async #ask(config: pg.QueryConfig): Promise<QueryResult<unknown>> {
    this.#refuseWhenOver()
    return await askPostgres(this.#client, config)
  }

  /** What comes after a unit's end would be committed on its own. */
  #refuseWhenOver(): void {
    if (!this.#isOpen) throw new Error('the unit of work is over')
  }

  #send(config: pg.QueryConfig): void {
    const sent = this.#client.query(config)
    // Whoever awaits the commit hears of it.
    sent.catch((error: unknown) => {
      this.#failure ??= error
    })
    this.#unanswered.push(sent)
  }
}

/** Kysely for one connection that somebody else opened and closes. */
function kyselyOver<Tables>(connection: DatabaseConnection): Kysely<Tables> {
  const refuse = (): Promise<never> => Promise.reject(new Error('a unit of work has no units'))
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => Promise.resolve(),
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
