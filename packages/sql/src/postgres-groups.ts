import type { QueryResult } from 'kysely'
import pg from 'pg'
import { askPostgres } from './postgres-transaction.js'
import type { EngineStatement } from './connection.js'
import { SERVER_IS_SILENT } from './unavailability.js'

/** Few, so that units share commits; several, so that one that is slow does not hold all others up. */
const LINES = 4
/** Bounds how long the first unit of a group waits for its commit. */
const UNITS_PER_COMMIT_MAX = 64
/**
 * A group that meets a lock yields, sooner than the server looks for a deadlock (1 s): it holds the locks of many units, and none of
 * them is to wait for what another waits for.
 */
const GROUP_LOCK_TIMEOUT_MS = 200
const LOCK_NOT_AVAILABLE = '55P03'

const BEGIN_ALONE = 'begin'
const BEGIN_GROUP = `begin; set local lock_timeout = ${GROUP_LOCK_TIMEOUT_MS}`

type Results = readonly QueryResult<unknown>[]

interface WaitingUnit {
  readonly statements: readonly EngineStatement[]
  /** What it takes its turn at, if at anything. */
  readonly turn: string | undefined
  readonly begun: () => void
  readonly answer: (results: Results) => void
  readonly fail: (error: unknown) => void
}

/** What became of a transaction. Where its connection failed, nobody knows. */
type Outcome =
  | { readonly kind: 'committed'; readonly units: readonly PromiseSettledResult<Results>[] }
  | { readonly kind: 'undone'; readonly cause: unknown }

/**
 * Commits units of work whose statements are known: those that wait at the same time travel together over one pipelined
 * connection, one after the other, and share a transaction. What the server undoes is run again, each unit on its own: one that
 * fails, or waits for a lock, harms no other.
 */
export class PostgresGroups {
  readonly #pool: pg.Pool
  /** How long a unit waits for a line, in milliseconds. */
  readonly #patienceMs: number
  readonly #waiting = new Set<WaitingUnit>()
  /** The turns of groups that are under way. */
  readonly #turns = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()
  #busyLines = 0

  constructor(pool: pg.Pool, patienceMs: number) {
    this.#pool = pool
    this.#patienceMs = patienceMs
  }

  /** @param begun - Is called when the unit has waited for others, and never throws. @throws the error of its first statement that failed */
  transact(
    statements: readonly EngineStatement[],
    turn: string | undefined,
    begun: () => void,
  ): Promise<Results> {
    const { promise, resolve, reject } = Promise.withResolvers<Results>()
    const impatient = setTimeout(() => {
      if (this.#waiting.delete(unit)) reject(new Error(SERVER_IS_SILENT))
    }, this.#patienceMs)
    const unit: WaitingUnit = {
      statements,
      turn,
      begun() {
        clearTimeout(impatient)
        begun()
      },
      answer: resolve,
      fail(error) {
        clearTimeout(impatient)
        reject(error)
      },
    }
    this.#waiting.add(unit)
    this.#useLine()
    return promise
  }

  #useLine(): void {
    if (this.#busyLines === LINES) return
    this.#busyLines += 1
    this.#follow(this.#work())
  }

  /** Resolves when no unit is waiting or running. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#underWay.delete(followed))
    this.#underWay.add(followed)
  }

  async #work(): Promise<void> {
    // Requests of the same turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve))
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup()) {
      await this.#commitGroup(group)
    }
    this.#busyLines -= 1
  }

  /**
   * Takes the units of the next group. One whose turn is another group's waits here, where it holds no locks, line or connection.
   * Groups take turns in one order, so that those of two processes do not wait for each other.
   */
  #nextGroup(): readonly WaitingUnit[] {
    const group = [...this.#waiting]
      .filter(({ turn }) => turn === undefined || !this.#turns.has(turn))
      .slice(0, UNITS_PER_COMMIT_MAX)
    for (const unit of group) {
      this.#waiting.delete(unit)
      if (unit.turn !== undefined) this.#turns.add(unit.turn)
    }
    return group.toSorted((a, b) => compareTexts(a.turn ?? '', b.turn ?? ''))
  }

  async #commitGroup(group: readonly WaitingUnit[]): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      // Those that wait would fare no better: they are not to wait for it in turn.
      for (const unit of [...group, ...this.#waiting]) unit.fail(error)
      this.#waiting.clear()
      this.#endTurns(group)
      return
    }
    for (const unit of group) unit.begun()
    await this.#tell(group, async () => {
      const outcome = await transactOn(client, BEGIN_GROUP, group)
      if (outcome.kind === 'committed' || !isWorthRunningAlone(group, outcome.cause)) return outcome
      // The line does not wait for them: one may wait long for a lock.
      for (const units of Map.groupBy(group, (unit) => unit.turn ?? unit).values())
        this.#follow(this.#runEach(units))
      return undefined
    })
  }

  async #runAlone(unit: WaitingUnit): Promise<void> {
    await this.#tell([unit], async () => {
      const client = await this.#pool.connect()
      return await transactOn(client, BEGIN_ALONE, [unit])
    })
  }

  /** Units of one turn run one after the other: none of them is to hold a connection while it waits for another. */
  async #runEach(units: readonly WaitingUnit[]): Promise<void> {
    const untilMs = performance.now() + this.#patienceMs
    for (const [index, unit] of units.entries()) {
      if (index === 0 || performance.now() < untilMs) await this.#runAlone(unit)
      else unit.fail(new Error(SERVER_IS_SILENT))
    }
    this.#useLine()
  }

  /** Tells units what became of them, and ends their turns, unless that is not known yet. */
  async #tell(
    units: readonly WaitingUnit[],
    commit: () => Promise<Outcome | undefined>,
  ): Promise<void> {
    try {
      const outcome = await commit()
      if (outcome === undefined) return
      for (const [index, unit] of units.entries()) {
        const result = outcome.kind === 'committed' ? outcome.units[index] : undefined
        if (result?.status === 'fulfilled') unit.answer(result.value)
        else unit.fail(outcome.kind === 'undone' ? outcome.cause : result?.reason)
      }
    } catch (error) {
      for (const unit of units) unit.fail(error)
    }
    this.#endTurns(units)
  }

  #endTurns(units: readonly WaitingUnit[]): void {
    for (const { turn } of units) if (turn !== undefined) this.#turns.delete(turn)
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Of several units any may be the one that failed; a single one may only have yielded to a lock. */
function isWorthRunningAlone(group: readonly WaitingUnit[], cause: unknown): boolean {
  return (
    group.length > 1 || (cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE)
  )
}

/** Runs units one after the other in one transaction, and releases the client. @throws the error of a connection that failed */
async function transactOn(
  client: pg.PoolClient,
  begin: string,
  units: readonly WaitingUnit[],
): Promise<Outcome> {
  let isBroken = true
  try {
    const begun = client.query(begin)
    const asked = units.map(({ statements }) =>
      statements.map((statement) => askPostgres(client, statement)),
    )
    const committed = client.query('commit')
    const settled = await Promise.allSettled([begun, ...asked.flat(), committed])
    // In the order in which they ran: those after the first only say that it failed.
    const failure = settled.find((each) => each.status === 'rejected')
    // Without it every statement would have been a transaction of its own.
    await begun
    const isUndone = await isUndoneBy(committed)
    isBroken = false
    if (isUndone) return { kind: 'undone', cause: failure?.reason }
    return {
      kind: 'committed',
      units: await Promise.allSettled(asked.map((all) => Promise.all(all))),
    }
  } finally {
    client.release(isBroken)
  }
}

/** Whether the server undid what it was to commit. @throws the error of a connection that failed: then that is not known */
async function isUndoneBy(committed: Promise<pg.QueryResult>): Promise<boolean> {
  try {
    return (await committed).command === 'ROLLBACK'
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.severity === 'ERROR') return true
    throw error
  }
}
