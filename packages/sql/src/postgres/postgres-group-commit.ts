import type { QueryResult } from 'kysely'
import pg from 'pg'
import type { PreparedStatement } from '../database/connection.js'
import { SERVER_IS_SILENT, STANDBY_IS_BEHIND } from '../errors/unavailability.js'
import { isReadOnly } from './postgres-transaction.js'
import type { ConnectionPool } from './primary-pool.js'
import { type Answering, askTogether, holdWrites } from './statement-batch.js'
import { isUnreplicated } from './unreplicated.js'

/** While one group waits for the disk, the next is sent. With more, groups would be smaller. */
const CONNECTIONS = 2
/** Bounds how long the first unit of work of a group waits for its commit. */
const WORKS_PER_COMMIT_MAX = 64
/**
 * A group that meets a lock gives way before the server looks for a deadlock (1 s). It holds the
 * locks of many units of work, and none of them should wait for another's lock.
 */
const GROUP_LOCK_TIMEOUT_MS = 200
const LOCK_NOT_AVAILABLE = '55P03'

interface Committing extends Answering {
  readonly begin: string
}
const ALONE: Committing = { begin: 'begin', eachAtOnce: true }
const IN_GROUP: Committing = {
  begin: `begin; set local lock_timeout = ${GROUP_LOCK_TIMEOUT_MS}`,
  eachAtOnce: false,
}

type Results = readonly QueryResult<unknown>[]

/** A unit of work whose statements are known. */
export interface KnownWork {
  readonly statements: readonly PreparedStatement[]
  /** The name that it locks, if any. */
  readonly lock: string | undefined
  /** Called when the wait for others is over. Never throws. */
  readonly begun: () => void
}

interface WaitingWork extends KnownWork {
  readonly resolve: (results: Results) => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits units of work whose statements are known. Those that wait at the same time share one
 * pipelined connection and one transaction, one after another. Those that the server undoes run
 * again, each on its own: one that fails, or waits for a lock, harms no other.
 */
export class PostgresGroupCommit {
  readonly #pool: ConnectionPool
  readonly #alonePool: ConnectionPool
  readonly #waitMaxMs: number
  readonly #waiting = new Set<WaitingWork>()
  /** The named locks of groups that are under way. */
  readonly #locks = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()
  #busy = 0

  /**
   * @param alonePool - For units of work that left a group: many may wait long for a lock, and no
   * group waits for their connections.
   * @param waitMaxMs - How long a unit of work waits for a connection.
   */
  constructor(pool: ConnectionPool, alonePool: ConnectionPool, waitMaxMs: number) {
    this.#pool = pool
    this.#alonePool = alonePool
    this.#waitMaxMs = waitMaxMs
  }

  /** @throws the error of the first statement that failed */
  transact(work: KnownWork): Promise<Results> {
    const { promise, resolve, reject } = Promise.withResolvers<Results>()
    const expiry = setTimeout(() => {
      if (this.#waiting.delete(waiting)) reject(new Error(SERVER_IS_SILENT))
    }, this.#waitMaxMs)
    const waiting: WaitingWork = {
      ...work,
      begun() {
        clearTimeout(expiry)
        work.begun()
      },
      resolve,
      reject(error) {
        clearTimeout(expiry)
        reject(error)
      },
    }
    this.#waiting.add(waiting)
    this.#start()
    return promise
  }

  /** Resolves when no unit of work is waiting or running. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #start(): void {
    if (this.#busy === CONNECTIONS) return
    this.#busy += 1
    this.#follow(this.#commitGroups())
  }

  #follow(running: Promise<void>): void {
    const followed = running.finally(() => this.#underWay.delete(followed))
    this.#underWay.add(followed)
  }

  async #commitGroups(): Promise<void> {
    // Requests of the same turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve))
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup())
      await this.#commit(group)
    this.#busy -= 1
  }

  /**
   * A unit of work whose lock another group has waits here, without locks or a connection. Groups
   * lock in one order, so that two processes don't wait for each other.
   */
  #nextGroup(): readonly WaitingWork[] {
    const group = [...this.#waiting]
      .filter(({ lock }) => lock === undefined || !this.#locks.has(lock))
      .slice(0, WORKS_PER_COMMIT_MAX)
    for (const work of group) {
      this.#waiting.delete(work)
      if (work.lock !== undefined) this.#locks.add(work.lock)
    }
    return group.toSorted((a, b) => compareTexts(a.lock ?? '', b.lock ?? ''))
  }

  #unlock(group: readonly WaitingWork[]): void {
    for (const { lock } of group) if (lock !== undefined) this.#locks.delete(lock)
  }

  async #commit(group: readonly WaitingWork[]): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      // The waiting ones would fail too, so they don't wait for a connection one after another.
      for (const work of [...group, ...this.#waiting]) work.reject(error)
      this.#waiting.clear()
      this.#unlock(group)
      return
    }
    for (const work of group) work.begun()
    const undone = await commitOn(client, IN_GROUP, group)
    if (undone !== undefined && isWorthRunningAlone(group, undone.cause)) {
      // This connection does not wait for them: one may wait long for a lock.
      for (const works of Map.groupBy(group, (work) => work.lock ?? work).values())
        this.#follow(this.#commitEach(works))
      return
    }
    for (const work of group) if (undone !== undefined) work.reject(undone.cause)
    this.#unlock(group)
  }

  /**
   * Units of work with the same lock run in turn: none holds a connection while it waits for
   * another.
   */
  async #commitEach(works: readonly WaitingWork[]): Promise<void> {
    const untilMs = performance.now() + this.#waitMaxMs
    for (const [index, work] of works.entries()) {
      try {
        if (index > 0 && performance.now() >= untilMs) throw new Error(SERVER_IS_SILENT)
        const undone = await commitOn(await this.#alonePool.connect(), ALONE, [work])
        if (undone !== undefined) work.reject(undone.cause)
      } catch (error) {
        work.reject(error)
      }
    }
    this.#unlock(works)
    this.#start()
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Any of a group may be the one that failed. A single one is worth it only if it gave way to a
 * lock, or met a server that was the primary.
 */
function isWorthRunningAlone(group: readonly WaitingWork[], cause: unknown): boolean {
  if (group.length > 1 || isReadOnly(cause)) return true
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE
}

/**
 * Runs units of work one after another in one transaction, settles them, and releases the client.
 * If the connection fails, their outcome is unknown: they fail.
 * @returns why the server undid them; then they are not settled
 */
async function commitOn(
  client: pg.PoolClient,
  { begin, ...answering }: Committing,
  works: readonly WaitingWork[],
): Promise<{ readonly cause: unknown } | undefined> {
  let isBroken = true
  try {
    holdWrites(client)
    const begun = client.query(begin)
    const asked = askTogether(
      client,
      works.flatMap(({ statements }) => statements),
      answering,
    )
    const committed = client.query('commit')
    await Promise.allSettled([begun, asked, committed])
    // Without BEGIN, every statement would have been a transaction of its own.
    await begun
    const { results, failure } = await asked
    const undone = await whyUndone(committed, failure)
    if (isUnreplicated(client)) throw new Error(STANDBY_IS_BEHIND)
    isBroken = isReadOnly(undone?.cause)
    if (undone) return undone
    let next = 0
    for (const { statements, resolve, reject } of works) {
      const own = results.slice(next, (next += statements.length))
      Promise.resolve()
        .then(() => own.map((result) => result()))
        .then(resolve, reject)
    }
  } catch (error) {
    for (const work of works) work.reject(error)
  } finally {
    client.release(isBroken)
  }
  return undefined
}

/**
 * Why the server undid the transaction, if it did.
 * @param failure - The failure of an earlier statement.
 * @throws the error of a failed connection
 */
async function whyUndone(
  committed: Promise<pg.QueryResult>,
  failure: Error | undefined,
): Promise<{ readonly cause: unknown } | undefined> {
  try {
    const { command } = await committed
    return command === 'ROLLBACK' ? { cause: failure } : undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.severity === 'ERROR') return { cause: error }
    throw error
  }
}
