import type { QueryResult } from 'kysely'
import type pg from 'pg'
import { askPostgres, preparedConfig } from './postgres-unit.js'
import type { Statement } from './prepared-query.js'

/** Few, so that units share commits; several, so that one that waits for a lock does not hold all others up. */
const LINES = 4
/** Bounds how long the first unit of a group waits for its commit. */
const UNITS_PER_COMMIT_MAX = 64

/** What PostgreSQL answers to every statement of a transaction after the one that failed. */
const IN_FAILED_TRANSACTION = '25P02'

type Results = readonly QueryResult<unknown>[]

interface WaitingUnit {
  readonly statements: readonly Statement[]
  readonly begun: () => void
  readonly answer: (results: Results) => void
  readonly fail: (error: unknown) => void
}

/** The server undid a transaction; the cause is what failed in it. */
class UndoneError extends Error {}

/**
 * Commits units of work whose statements are known: those that wait at the same time travel together over one pipelined
 * connection, one after the other, and share a transaction. One that fails harms no other: then each is run again on its own.
 */
export class PostgresGroups {
  readonly #pool: pg.Pool
  readonly #waiting: WaitingUnit[] = []
  readonly #working = new Set<Promise<void>>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** @param begun - Is called when the unit has waited for others. @throws the error of its first statement that failed */
  transact(statements: readonly Statement[], begun: () => void): Promise<Results> {
    const { promise, resolve, reject } = Promise.withResolvers<Results>()
    this.#waiting.push({ statements, begun, answer: resolve, fail: reject })
    if (this.#working.size < LINES) {
      const work = this.#work().finally(() => this.#working.delete(work))
      this.#working.add(work)
    }
    return promise
  }

  /** Resolves when no unit is waiting or running. */
  async idle(): Promise<void> {
    await Promise.all(this.#working)
  }

  async #work(): Promise<void> {
    // Requests of the same turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, UNITS_PER_COMMIT_MAX)
      for (const unit of group) unit.begun()
      await this.#commit(group)
    }
  }

  /** Tells every unit what became of it. */
  async #commit(group: readonly WaitingUnit[]): Promise<void> {
    try {
      const results = await this.#transact(group.map(({ statements }) => statements))
      for (const [index, unit] of group.entries()) unit.answer(results[index] ?? [])
    } catch (error) {
      const isUndone = error instanceof UndoneError
      // Each on a connection of its own: one that waits for a lock until it is given up has the others wait no longer.
      if (isUndone && group.length > 1) await Promise.all(group.map((unit) => this.#commit([unit])))
      else for (const unit of group) unit.fail(isUndone ? error.cause : error)
    }
  }

  /** @throws UndoneError when nothing was committed; the error of the connection when that is not known */
  async #transact(units: readonly (readonly Statement[])[]): Promise<Results[]> {
    const client = await this.#pool.connect()
    let isBroken = true
    try {
      const begun = client.query('begin')
      const asked = units.map((statements) =>
        statements.map((statement) => askPostgres(client, preparedConfig(statement))),
      )
      const committed = client.query('commit')
      const settled = await Promise.allSettled([begun, ...asked.flat(), committed])
      const { command } = await committed
      isBroken = false
      if (command === 'ROLLBACK') throw new UndoneError('undone', { cause: firstFailure(settled) })
      return await Promise.all(asked.map((results) => Promise.all(results)))
    } finally {
      client.release(isBroken)
    }
  }
}

function firstFailure(settled: readonly PromiseSettledResult<unknown>[]): unknown {
  const failed = settled.filter((each) => each.status === 'rejected')
  return failed.find(({ reason }) => codeOf(reason) !== IN_FAILED_TRANSACTION)?.reason
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && 'code' in failure ? failure.code : undefined
}
