import type { QueryResult } from 'kysely'
import type pg from 'pg'
import type { EngineStatement } from '../database/connection.js'
import { askPostgres } from './postgres-transaction.js'
import type { ConnectionPool } from './primary-pool.js'

/** Few, so that reads leave together; several, so that none waits for a slow one before it. */
const CONNECTIONS = 4

/** A connection for as long as anything is asked on it. */
interface Lease {
  readonly client: Promise<pg.PoolClient>
  waiting: number
  isBroken: boolean
}

/**
 * Reads of many requests over few pipelined connections of a pool. For queries that answer at once:
 * each waits for those asked before it on its connection. With a connection for each read, 32
 * concurrent reads cost 1.4 times the processor time: node bench/reads.bench.mjs.
 */
export class SharedReads {
  readonly #pool: ConnectionPool
  readonly #leases: (Lease | undefined)[] = []
  #asked = 0

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  async run(statement: EngineStatement): Promise<QueryResult<never>> {
    const place = this.#asked++ % CONNECTIONS
    const lease = (this.#leases[place] ??= {
      client: this.#pool.connect(),
      waiting: 0,
      isBroken: false,
    })
    lease.waiting += 1
    try {
      return await askPostgres(await lease.client, statement)
    } catch (error) {
      lease.isBroken = true
      this.#end(place, lease)
      throw error
    } finally {
      lease.waiting -= 1
      if (lease.waiting === 0) {
        this.#end(place, lease)
        await release(lease)
      }
    }
  }

  /** From now on another connection is asked. */
  #end(place: number, lease: Lease): void {
    if (this.#leases[place] === lease) this.#leases[place] = undefined
  }
}

async function release({ client, isBroken }: Lease): Promise<void> {
  try {
    const connected = await client
    connected.release(isBroken)
  } catch {
    // There was no connection: each read has failed with the reason.
  }
}
