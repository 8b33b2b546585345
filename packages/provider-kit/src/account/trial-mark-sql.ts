import type { Clock } from '@cofre/contracts'
import type { AccountKind } from './account.js'
import { type Connection, type Database, namedLock } from '@cofre/sql'
import type { AccountTables } from './account-tables.js'

type Db = Connection<AccountTables>

/** Refuses accounts that move money to a database that served a public trial. */
export class TrialDatabaseError extends Error {
  constructor() {
    super('the database is marked as a trial, for good')
    this.name = 'TrialDatabaseError'
  }
}

/** Kinds of accounts that no simulator serves. */
export const UNSIMULATED = ['live', 'test'] as const satisfies readonly AccountKind[]

/** True if the database was ever served as a trial; its copies are marked, too. */
export async function isTrial(db: Db): Promise<boolean> {
  const mark = await db.selectFrom('trial_marks').select('marked_at').executeTakeFirst()
  return mark !== undefined
}

/** The id of an account of one of these kinds; undefined if there is none. */
export async function findAccountOf(
  db: Db,
  kinds: readonly AccountKind[],
): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('kind', 'in', kinds)
    .orderBy('id')
    .executeTakeFirst()
  return account?.id
}

/**
 * Marks the database as a trial's, for good.
 * @returns the id of an account that prevents it; undefined if the mark is set
 */
export async function markTrial(
  database: Database<AccountTables>,
  clock: Clock,
): Promise<string | undefined> {
  return await database.transact(async (trx) => {
    await lockMark(trx)
    if (await isTrial(trx)) return undefined
    const unsimulated = await findAccountOf(trx, UNSIMULATED)
    if (unsimulated === undefined)
      await trx
        .insertInto('trial_marks')
        .values({ mark: 'trial', marked_at: clock.now() })
        .execute()
    return unsimulated
  })
}

/**
 * Call it before adding an account without a simulator.
 * @throws TrialDatabaseError
 */
export async function refuseTrial(trx: Db): Promise<void> {
  await lockMark(trx)
  if (await isTrial(trx)) throw new TrialDatabaseError()
}

/** Serializes the mark and such an account, which exclude each other. */
async function lockMark(trx: Db): Promise<void> {
  await trx.run(namedLock('trial mark'))
}
