import { createSqlActsLog, insertAct } from './log/acts-log-sql.js'
import { createSqlChallenges } from './sign-in/challenge-sql.js'
import { createSqlDocumentSearches } from './staff/document-search-sql.js'
import { createSqlLinks } from './link/link-sql.js'
import { createSqlOwnCredentials } from './credential/own-credentials-sql.js'
import { type PasswordCost, createPasswords } from './model/password.js'
import type { People } from './model/people.js'
import { accessOf, endSession, findSession } from './sign-in/session-sql.js'
import { OWN_ACT, signIn, signInWithPasskey } from './sign-in/sign-in-sql.js'
import { createSqlStaff } from './staff/staff-sql.js'
import { stepUp } from './sign-in/step-up-sql.js'
import { createSqlSweep } from './sign-in/sweep-sql.js'
import { type PeopleDeps, inUnit } from './model/unit.js'

export interface PeopleOptions extends Omit<PeopleDeps, 'passwords'> {
  /** Lower in tests. */
  readonly passwordCost?: PasswordCost | undefined
}

/** The people in a gateway's database. */
export function createPeople({ passwordCost, ...options }: PeopleOptions): People {
  const deps: PeopleDeps = { ...options, passwords: createPasswords(passwordCost) }
  return {
    acts: createSqlActsLog(deps),
    challenges: createSqlChallenges(deps),
    links: createSqlLinks(deps),
    staff: createSqlStaff(deps),
    documentSearches: createSqlDocumentSearches(deps),
    own: createSqlOwnCredentials(deps),
    signIn: (attempt) => signIn(deps, attempt),
    signInWithPasskey: (use, from) => signInWithPasskey(deps, use, from),
    find: (idHash, storeId) => findSession(deps, idHash, storeId),
    accessOf: (session, storeId) => accessOf(deps, session, storeId),
    stepUp: (session, proof, from) => stepUp(deps, session, { proof, from }),

    signOut: ({ idHash, personId, address, browser }) =>
      inUnit(deps, async (unit) => {
        await endSession(unit.trx, idHash)
        const actor = `person:${personId}` as const
        const act = { ...OWN_ACT, actor, address, browser } as const
        await insertAct(unit, { ...act, action: 'signed-out', outcome: 'done' })
      }),

    sweep: createSqlSweep(deps),
    rewrap: () => rewrap(deps),
  }
}

/** Replaces each value only while it is unchanged, since another process may be rotating it. */
async function rewrap({ database, sealing }: PeopleDeps): Promise<number> {
  let count = 0
  const people = await database.reader
    .selectFrom('people')
    .select(['id', 'totp'])
    .where('totp', 'is not', null)
    .execute()
  for (const { id, totp } of people) {
    if (totp === null) continue
    const opened = sealing.unwrap(id, totp)
    if (!sealing.isOutdated(totp)) continue
    const { numUpdatedRows } = await database.transact((trx) =>
      trx
        .updateTable('people')
        .set({ totp: sealing.wrap(id, opened) })
        .where('id', '=', id)
        .where('totp', '=', totp)
        .executeTakeFirst(),
    )
    count += Number(numUpdatedRows)
  }
  return count
}
