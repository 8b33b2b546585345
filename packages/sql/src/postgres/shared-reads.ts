import type { QueryResult } from 'kysely'
import pg from 'pg'
import type { PreparedStatement } from '../database/connection.js'
import type { ConnectionPool } from './primary-pool.js'
import { askTogether } from './statement-batch.js'

/** Few, so that reads leave together; several, so that a slow one does not hold up all. */
const CONNECTIONS = 4
/** Bounds how long the first read of a batch waits for the answers to the others. */
const READS_PER_BATCH_MAX = 64

type Result = QueryResult<never>

interface WaitingRead {
  readonly statement: PreparedStatement
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads of many requests, for queries that answer at once: those that wait at the same time are
 * asked together. With a connection for each read, 32 concurrent reads cost 1.4 times the processor
 * time: node bench/reads.bench.mjs.
 */
export class SharedReads {
  readonly #pool: ConnectionPool
  readonly #waiting: WaitingRead[] = []
  #busy = 0

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  run(statement: PreparedStatement): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ statement, resolve, reject })
    if (this.#busy < CONNECTIONS) {
      this.#busy += 1
      void this.#answerBatches()
    }
    return promise
  }

  async #answerBatches(): Promise<void> {
    // Requests of the same turn of the event loop join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0)
      await this.#answer(this.#waiting.splice(0, READS_PER_BATCH_MAX))
    this.#busy -= 1
  }

  async #answer(reads: readonly WaitingRead[]): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      for (const { reject } of reads) reject(error)
      return
    }
    const { results, failure } = await askTogether(
      client,
      reads.map(({ statement }) => statement),
    )
    client.release(failure !== undefined)
    for (const [i, result] of results.entries()) reads[i]?.resolve(result)
    const [failed, ...skipped] = reads.slice(results.length)
    failed?.reject(failure)
    if (isOfStatement(failure)) this.#waiting.unshift(...skipped)
    else for (const { reject } of skipped) reject(failure)
  }
}

/** Whether the server refused one statement, and may well answer others. */
function isOfStatement(failure: Error | undefined): boolean {
  return failure instanceof pg.DatabaseError && failure.severity === 'ERROR'
}
