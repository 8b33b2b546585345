import { isUnavailable } from './unavailability.js'

/** What a group commit needs of its connection. */
export interface GroupCommitConnection {
  /** Runs one statement without parameters. @throws the engine's error. */
  execute(sql: string): void
}

interface PendingUnit {
  /** Runs the unit inside its savepoint and returns how to tell its caller, once the group is durable. */
  run(): Promise<() => void>
  fail(error: unknown): void
}

/** Bounds how long the first unit of a group waits for its commit. */
const UNITS_PER_COMMIT_MAX = 256

/**
 * Lets concurrent units of work share one durable commit, each in its own savepoint: a unit that fails is undone alone,
 * and nobody is answered before the commit that holds their writes.
 */
export class GroupCommit {
  readonly #connection: GroupCommitConnection
  #waiting: PendingUnit[] = []
  #draining: Promise<void> | undefined

  constructor(connection: GroupCommitConnection) {
    this.#connection = connection
  }

  transact<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({
      fail: reject,
      run: async () => {
        const value = await work()
        return () => {
          resolve(value)
        }
      },
    })
    this.#draining ??= this.#drain()
    return promise
  }

  /** Resolves when no unit is waiting or running. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Not in the caller's turn: a unit may itself enqueue another before this promise is stored.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#commitGroup()
    this.#draining = undefined
  }

  async #commitGroup(): Promise<void> {
    const group: PendingUnit[] = []
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      const answers: (() => void)[] = []
      do {
        const units = this.#waiting.splice(0, UNITS_PER_COMMIT_MAX - group.length)
        group.push(...units)
        for (const unit of units) {
          answers.push(await this.#runInSavepoint(unit))
        }
        // One turn of the event loop: requests that arrived meanwhile join this commit.
        await new Promise((resolve) => setImmediate(resolve))
      } while (this.#waiting.length > 0 && group.length < UNITS_PER_COMMIT_MAX)
      this.#connection.execute('COMMIT')
      for (const answer of answers) answer()
    } catch (error) {
      this.#abandon(group, error)
    }
  }

  /** Returns how to tell the unit's caller, once the group is durable: also of a failure, which may be over what another wrote. */
  async #runInSavepoint(unit: PendingUnit): Promise<() => void> {
    this.#connection.execute('SAVEPOINT unit')
    try {
      const answer = await unit.run()
      this.#connection.execute('RELEASE unit')
      return answer
    } catch (error) {
      this.#undo(error)
      return () => {
        unit.fail(error)
      }
    }
  }

  /** @throws when the engine gave up the whole transaction (full disk, I/O error): then the group fails as one, and is told why. */
  #undo(error: unknown): void {
    try {
      this.#connection.execute('ROLLBACK TO unit')
      this.#connection.execute('RELEASE unit')
    } catch (undoing) {
      throw isUnavailable(error) ? error : undoing
    }
  }

  /** The commit did not happen: every unit of the group is told so. */
  #abandon(group: readonly PendingUnit[], error: unknown): void {
    try {
      this.#connection.execute('ROLLBACK')
    } catch {
      // The engine has already rolled back.
    }
    // BEGIN failed before any unit was taken: those waiting must hear of it, or they would wait for ever.
    const failed = group.length > 0 ? group : this.#waiting.splice(0)
    for (const unit of failed) unit.fail(error)
  }
}
