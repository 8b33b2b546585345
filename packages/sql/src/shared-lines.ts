import type { QueryResult } from 'kysely'
import type pg from 'pg'
import { askPostgres } from './postgres-transaction.js'
import type { EngineStatement } from './connection.js'

/** Few, so that reads of one turn of the event loop leave together; several, so that none waits for a slow one before it. */
const LINES = 4

/**
 * Reads of many requests over few pipelined connections of a pool. For queries that answer at once: each waits for those asked
 * before it on its line.
 */
export class SharedLines {
  readonly #lines: readonly SharedLine[]
  #asked = 0

  constructor(pool: pg.Pool) {
    this.#lines = Array.from({ length: LINES }, () => new SharedLine(pool))
  }

  run(statement: EngineStatement): Promise<QueryResult<unknown>> {
    const line = this.#lines[this.#asked++ % LINES]
    if (line === undefined) throw new Error('there are no lines')
    return line.run(statement)
  }
}

/** A connection for as long as anything is asked on it. */
interface Lease {
  readonly client: Promise<pg.PoolClient>
  waiting: number
  isBroken: boolean
}

class SharedLine {
  readonly #pool: pg.Pool
  #lease: Lease | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async run(statement: EngineStatement): Promise<QueryResult<unknown>> {
    const lease = (this.#lease ??= { client: this.#pool.connect(), waiting: 0, isBroken: false })
    lease.waiting += 1
    try {
      return await askPostgres(await lease.client, statement)
    } catch (error) {
      lease.isBroken = true
      this.#end(lease)
      throw error
    } finally {
      lease.waiting -= 1
      if (lease.waiting === 0) await this.#release(lease)
    }
  }

  /** From now on another connection is asked. */
  #end(lease: Lease): void {
    if (this.#lease === lease) this.#lease = undefined
  }

  async #release(lease: Lease): Promise<void> {
    this.#end(lease)
    try {
      const client = await lease.client
      client.release(lease.isBroken)
    } catch {
      // There was no connection: whoever asked was told.
    }
  }
}
