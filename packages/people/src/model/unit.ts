import type { Clock, Secret } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import type { Passwords } from './password.js'
import type { PeopleTables } from './people-tables.js'

export type Db = Connection<PeopleTables>

/** Seals the secrets of authenticators for the database. */
export interface PeopleSealing {
  /** @param record - The person's id. */
  wrap(record: string, secret: Secret<string>): string
  /** @throws if no available key opens it */
  unwrap(record: string, wrapped: string): Secret<string>
  isOutdated(wrapped: string): boolean
}

/** The dependencies of an installation's people. */
export interface PeopleDeps {
  readonly database: Database<PeopleTables>
  /** The machine's own time. */
  readonly clock: Clock
  readonly sealing: PeopleSealing
  readonly passwords: Passwords
  /**
   * The store whose owner may sign in by a link: that of `npm start`, where only this machine
   * reaches the console. Without it, no such link opens anything.
   */
  readonly demoStoreId?: string | undefined
}

/** A unit of work, and its begin. */
export interface Unit extends Pick<PeopleDeps, 'clock' | 'sealing'> {
  readonly trx: Db
  readonly nowMs: number
}

export async function inUnit<T>(
  { database, clock, sealing }: Omit<PeopleDeps, 'passwords'>,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  return await database.transact((trx) => work({ trx, clock, sealing, nowMs: clock.now() }))
}
