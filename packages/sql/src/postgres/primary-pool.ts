import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_IS_SILENT, isUnavailable } from '../errors/unavailability.js'
import { type PostgresServers, postgresServers } from './postgres-hosts.js'
import { noPrimary, placeOfPrimary, probe, refuseStandby } from './probe.js'
import { watchReplication } from './unreplicated.js'

/** Connections that are lent out and given back. */
export interface ConnectionPool {
  /** Required by Kysely. */
  readonly options: object
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

const ROUND_PAUSE_MS = 200

/** A server of the URL, with the connections to it. */
interface Server {
  readonly name: string
  readonly config: pg.PoolConfig
  readonly pool: pg.Pool
  readonly clients: Set<pg.PoolClient>
}

/** The settings of connections; the URL may name several servers. */
export interface ServerConfig extends pg.PoolConfig {
  readonly connectionString: string
}

/** Opens no connection yet. */
export function createPool(config: ServerConfig): ConnectionPool {
  const servers = postgresServers(config.connectionString)
  return servers.findsPrimary ? new PrimaryPool(config, servers) : poolOf(config)
}

function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  // Without a listener, a connection that breaks would end the process. The pool replaces an idle
  // one; one in use fails its queries and its unit of work.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    watchReplication(client)
  })
  return pool
}

/**
 * Connections to the one of several servers that takes writes. A connection that breaks, or can't
 * be made, starts a new search for that server.
 */
class PrimaryPool implements ConnectionPool {
  readonly options: pg.PoolConfig
  readonly #servers: readonly Server[]
  readonly #waitMaxMs: number
  #primary: Server | undefined
  /** The previous primary, whose connections are closed once there is another. */
  #former: Server | undefined
  #finding: Promise<Server> | undefined

  constructor(config: pg.PoolConfig, { hosts }: PostgresServers) {
    this.options = config
    this.#waitMaxMs = config.connectionTimeoutMillis ?? 0
    this.#servers = hosts.map(({ name, url }) =>
      this.#serverOf(name, { ...config, connectionString: url }),
    )
  }

  #serverOf(name: string, config: pg.PoolConfig): Server {
    const pool = poolOf({
      ...config,
      verify(client, done) {
        refuseStandby(client).then(() => {
          done()
        }, done)
      },
    })
    const server: Server = { name, config, pool, clients: new Set() }
    const doubt = (): void => {
      if (this.#primary === server) this.#primary = undefined
    }
    pool.on('connect', (client) => {
      server.clients.add(client)
      client.on('error', doubt)
    })
    pool.on('remove', (client) => server.clients.delete(client))
    return server
  }

  /**
   * Waits while no server takes writes, as during a fail-over: no query has been sent yet.
   * @throws why no server was found in time
   */
  async connect(): Promise<pg.PoolClient> {
    const untilMs = performance.now() + this.#waitMaxMs
    for (;;) {
      try {
        const server = this.#primary ?? (await this.#find())
        return await this.#connectTo(server)
      } catch (error) {
        if (!isUnavailable(error) || performance.now() >= untilMs) throw error
      }
      await pause(ROUND_PAUSE_MS)
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map(({ pool }) => pool.end()))
  }

  async #connectTo(server: Server): Promise<pg.PoolClient> {
    try {
      return await server.pool.connect()
    } catch (error) {
      if (this.#primary === server) this.#primary = undefined
      throw error
    }
  }

  #find(): Promise<Server> {
    this.#finding ??= this.#findOnce().finally(() => (this.#finding = undefined))
    return this.#finding
  }

  async #findOnce(): Promise<Server> {
    const probes = await Promise.all(this.#servers.map(({ config }) => probe(config)))
    const server = this.#servers[placeOfPrimary(probes)]
    if (server === undefined) {
      const names = this.#servers.map(({ name }) => name)
      throw noPrimary(names, probes)
    }
    this.#take(server)
    return server
  }

  #take(server: Server): void {
    if (this.#former !== undefined && this.#former !== server) leave(this.#former)
    this.#primary = this.#former = server
  }
}

/** Its connections don't learn of the new primary, and their queries may wait for long. */
function leave({ clients }: Server): void {
  for (const { connection } of clients)
    connection.stream.destroy(new Error(`${SERVER_IS_SILENT}: another server takes writes`))
}
