import type { DatabaseSync } from 'node:sqlite'

/**
 * Lets the reads of one turn of the event loop look at one state of the database: to begin and end a read for each costs as
 * much as the read.
 */
export class SqliteSnapshot {
  readonly #begin: () => void
  readonly #end: () => void
  #isOpen = false

  /** @param connection - Only reads. */
  constructor(connection: DatabaseSync) {
    const begin = connection.prepare('BEGIN')
    const end = connection.prepare('COMMIT')
    this.#begin = () => {
      begin.run()
    }
    this.#end = () => {
      try {
        // A read that failed may have ended it.
        if (connection.isTransaction) end.run()
      } catch {
        // It has ended, and says again what a read of this turn has failed with: whoever asked for that was told.
      }
    }
  }

  /** To be called before each read. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#begin()
    setImmediate(() => {
      this.close()
    })
  }

  /**
   * To be called before each commit of this process, so that whoever reads next sees it, and that no reader keeps the write-ahead
   * log from beginning anew.
   */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#end()
  }
}
