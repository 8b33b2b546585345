import { isUnavailable } from '../errors/unavailability.js'

interface WaitingWork {
  /** Runs it and returns what answers its caller, once the group is durable. */
  run(): Promise<() => void>
  reject(error: unknown): void
}

/** Bounds how long the first unit of work of a group waits for its commit. */
const WORKS_PER_COMMIT_MAX = 256

/**
 * Lets concurrent units of work share one durable commit, each in its own savepoint: one that fails
 * is undone alone. Nobody is answered before the commit that holds their writes.
 */
export class GroupCommit {
  readonly #execute: (sql: string) => unknown
  #waiting: WaitingWork[] = []
  #draining: Promise<void> | undefined

  /** @param execute - Runs one statement without parameters. Throws the engine's error. */
  constructor(execute: (sql: string) => unknown) {
    this.#execute = execute
  }

  transact<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({
      reject,
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

  /** Resolves when no unit of work is waiting or running. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Later: a unit of work may itself ask for another before this promise is stored.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#commitGroup()
    this.#draining = undefined
  }

  async #commitGroup(): Promise<void> {
    const group: WaitingWork[] = []
    try {
      this.#execute('BEGIN IMMEDIATE')
      const answers: (() => void)[] = []
      do {
        const works = this.#waiting.splice(0, WORKS_PER_COMMIT_MAX - group.length)
        group.push(...works)
        for (const work of works) answers.push(await this.#runInSavepoint(work))
        // One turn of the event loop: requests that arrived meanwhile join this commit.
        await new Promise((resolve) => setImmediate(resolve))
      } while (this.#waiting.length > 0 && group.length < WORKS_PER_COMMIT_MAX)
      this.#execute('COMMIT')
      for (const answer of answers) answer()
    } catch (error) {
      this.#abandon(group, error)
    }
  }

  /** A failure too is reported once the group is durable: what another wrote may have caused it. */
  async #runInSavepoint(work: WaitingWork): Promise<() => void> {
    this.#execute('SAVEPOINT work')
    try {
      const answer = await work.run()
      this.#execute('RELEASE work')
      return answer
    } catch (error) {
      this.#undo(error)
      return () => {
        work.reject(error)
      }
    }
  }

  /** @throws when the engine gave up the whole transaction (full disk): the group fails as one */
  #undo(error: unknown): void {
    try {
      this.#execute('ROLLBACK TO work')
      this.#execute('RELEASE work')
    } catch (undoing) {
      throw isUnavailable(error) ? error : undoing
    }
  }

  /** The commit did not happen: the whole group fails. */
  #abandon(group: readonly WaitingWork[], error: unknown): void {
    try {
      this.#execute('ROLLBACK')
    } catch {
      // The engine has already rolled back.
    }
    // BEGIN failed before any was taken: those that wait fail too, or they would wait for ever.
    const failed = group.length > 0 ? group : this.#waiting.splice(0)
    for (const work of failed) work.reject(error)
  }
}
