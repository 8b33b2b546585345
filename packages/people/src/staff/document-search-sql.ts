import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { digestOf } from '../model/digest.js'
import { DOCUMENT_MISSES, countFailure, uncountFailure } from '../sign-in/lockout-sql.js'
import type { DocumentSearches } from '../model/people.js'
import { type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

const KEY_NAME = 'document-digest'
const KEY_BYTES = 32

/** Searches by document, for people who see documents masked. */
export function createSqlDocumentSearches(deps: PeopleDeps): DocumentSearches {
  return {
    begin: (personId, document) =>
      inUnit(deps, async (unit) => {
        const count = { key: keyOf(personId), limit: DOCUMENT_MISSES }
        const { waitMs } = await countFailure(unit.trx, count, unit.nowMs)
        const key = await keyIn(unit)
        const digest = createHmac('sha256', key.reveal()).update(document).digest('base64url')
        return { isAllowed: waitMs === 0, digest }
      }),

    found: (personId) => inUnit(deps, ({ trx }) => uncountFailure(trx, keyOf(personId))),
  }
}

function keyOf(personId: string): string {
  return digestOf(personId, 'documents')
}

/** Drawn once per installation, and again if no available key opens it any more. */
async function keyIn({ trx, sealing }: Unit): Promise<Secret<string>> {
  const row = await trx
    .selectFrom('people_keys')
    .select('sealed')
    .where('name', '=', KEY_NAME)
    .executeTakeFirst()
  const known = row && opened(() => sealing.unwrap(KEY_NAME, row.sealed))
  if (row !== undefined && known !== undefined && !sealing.isOutdated(row.sealed)) return known
  const key = known ?? new Secret(randomBytes(KEY_BYTES).toString('base64url'))
  const sealed = sealing.wrap(KEY_NAME, key)
  await trx
    .insertInto('people_keys')
    .values({ name: KEY_NAME, sealed })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ sealed })
        .where('people_keys.sealed', '=', row?.sealed ?? ''),
    )
    .execute()
  const kept = await trx
    .selectFrom('people_keys')
    .select('sealed')
    .where('name', '=', KEY_NAME)
    .executeTakeFirstOrThrow()
  return sealing.unwrap(KEY_NAME, kept.sealed)
}

function opened(open: () => Secret<string>): Secret<string> | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
