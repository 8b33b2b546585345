import { isUnavailable } from '../errors/unavailability.js'

interface Waiting {
  reject(error: unknown): void
}

/** A unit of work whose statements are known: once undone, it can run again. */
interface KnownWork extends Waiting {
  readonly isKnown: true
  /**
   * Runs it. Returns a function that answers its caller, to be called once the group is durable.
   */
  run(): () => void
}

interface OpenWork extends Waiting {
  readonly isKnown: false
  run(): Promise<() => void>
}

type WaitingWork = KnownWork | OpenWork

/** Bounds how long the first unit of work of a group waits for its commit. */
const WORKS_PER_COMMIT_MAX = 256

/**
 * Turns of the event loop that a commit waits for others, once several share it. With one turn, 64
 * connections needed a quarter more commits, and each waits for the disk.
 */
const TURNS_SHARED = 4

/** A unit of work without a savepoint failed. */
class UnguardedFailure extends Error {}

/**
 * Lets concurrent units of work share one durable commit; a failed one is undone alone. No caller
 * is answered before the commit that holds its writes.
 *
 * Savepoints make a commit a tenth dearer. Units of work whose statements are known have none, and
 * run before the others. If one of them fails, which is rare, all are undone and run again, each in
 * its own savepoint.
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
    return this.#wait((answerWith) => ({
      isKnown: false,
      run: async () => answerWith(await work()),
    }))
  }

  /** @param work - May be called again, after it was undone. */
  commit<T>(work: () => T): Promise<T> {
    return this.#wait((answerWith) => ({ isKnown: true, run: () => answerWith(work()) }))
  }

  #wait<T>(
    workOf: (
      answerWith: (value: T) => () => void,
    ) => Omit<KnownWork, 'reject'> | Omit<OpenWork, 'reject'>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const answerWith = (value: T) => (): void => {
      resolve(value)
    }
    this.#waiting.push({ ...workOf(answerWith), reject })
    this.#draining ??= this.#drain()
    return promise
  }

  /** Resolves when no unit of work is waiting or running. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Deferred: a unit of work may itself ask for another before this promise is stored.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#commitGroup()
    this.#draining = undefined
  }

  /** @param isGuarded - True if each has a savepoint from the beginning. */
  async #commitGroup(isGuarded = false): Promise<void> {
    const group: WaitingWork[] = []
    const guarded: WaitingWork[] = []
    const answers: (() => void)[] = []
    const mayJoin = (): boolean => this.#waiting.length > 0 && group.length < WORKS_PER_COMMIT_MAX
    try {
      this.#execute('BEGIN IMMEDIATE')
      do {
        const works = this.#waiting.splice(0, WORKS_PER_COMMIT_MAX - group.length)
        group.push(...works)
        for (const work of works)
          if (work.isKnown && !isGuarded) answers.push(runBare(work))
          else guarded.push(work)
        // Requests that arrive meanwhile join this commit.
        await quietTurns(group.length > 1 ? TURNS_SHARED : 1, mayJoin)
        if (mayJoin()) continue
        // Units of work that join while these run are guarded too: these cannot run again.
        isGuarded ||= guarded.length > 0
        for (const work of guarded.splice(0)) answers.push(await this.#runInSavepoint(work))
      } while (mayJoin())
      this.#execute('COMMIT')
      for (const answer of answers) answer()
    } catch (error) {
      this.#rollBack()
      if (!(error instanceof UnguardedFailure)) {
        this.#fail(group, error)
        return
      }
      this.#waiting.unshift(...group)
      await this.#commitGroup(true)
    }
  }

  /** A failure too is reported once the group is durable: another's writes may have caused it. */
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

  /**
   * @throws when the engine rolled back the whole transaction (full disk): the group fails as one
   */
  #undo(error: unknown): void {
    try {
      this.#execute('ROLLBACK TO work')
      this.#execute('RELEASE work')
    } catch (undoing) {
      throw isUnavailable(error) ? error : undoing
    }
  }

  #rollBack(): void {
    try {
      this.#execute('ROLLBACK')
    } catch {
      // The engine has already rolled back.
    }
  }

  /** The commit did not happen: the whole group fails. */
  #fail(group: readonly WaitingWork[], error: unknown): void {
    // BEGIN failed before any was taken: the waiting ones fail too, or they would wait for ever.
    const failed = group.length > 0 ? group : this.#waiting.splice(0)
    for (const work of failed) work.reject(error)
  }
}

/** Waits some turns of the event loop, or until a unit of work may join. */
async function quietTurns(turns: number, mayJoin: () => boolean): Promise<void> {
  for (let turn = 0; turn < turns && !mayJoin(); turn++)
    await new Promise((resolve) => setImmediate(resolve))
}

/** @throws UnguardedFailure */
function runBare(work: KnownWork): () => void {
  try {
    return work.run()
  } catch (cause) {
    throw new UnguardedFailure('to be run again', { cause })
  }
}
