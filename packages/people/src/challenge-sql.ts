import { randomBytes } from 'node:crypto'
import { type Clock, MINUTE_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { digestOf } from './digest.js'
import type { Challenges } from './people.js'
import type { PeopleTables } from './people-tables.js'

const CHALLENGE_BYTES = 32
const CHALLENGE_LIVES_MS = 5 * MINUTE_MS

/** What passkeys answer: bound to a browser, a purpose and whoever is signed in. */
export function createSqlChallenges({
  database,
  clock,
}: {
  readonly database: Database<PeopleTables>
  readonly clock: Clock
}): Challenges {
  return {
    async make({ purpose, visitId, personId }) {
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
      await database.transact((trx) =>
        trx
          .insertInto('console_challenges')
          .values({
            challenge_hash: digestOf(challenge),
            purpose,
            visit_hash: digestOf(visitId),
            person_id: personId ?? null,
            expires_at: clock.now() + CHALLENGE_LIVES_MS,
          })
          .execute(),
      )
      return challenge
    },

    async take(challenge, { purpose, visitId, personId }) {
      const taken = await database.transact((trx) =>
        trx
          .deleteFrom('console_challenges')
          .where('challenge_hash', '=', digestOf(challenge))
          .where('purpose', '=', purpose)
          .where('visit_hash', '=', digestOf(visitId))
          .where('person_id', personId === undefined ? 'is' : '=', personId ?? null)
          .where('expires_at', '>', clock.now())
          .returning('challenge_hash')
          .execute(),
      )
      return taken.length > 0
    },
  }
}
