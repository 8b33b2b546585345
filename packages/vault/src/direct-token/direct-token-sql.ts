import { HOUR_MS } from '@cofre/contracts'
import { prepare } from '@cofre/sql'
import type { VaultConnection } from '../database/vault-database.js'
import { lapseHorizonMs } from '../model/lapse.js'
import { DIRECT_TOKEN_LIFETIME_MS, type DirectToken } from './direct-token.js'

const findRow = prepare((db: VaultConnection, { digest }: { readonly digest: string }) =>
  db
    .selectFrom('direct_tokens')
    .select(['digest', 'sealed_card', 'expires_at_ms'])
    .where('digest', '=', digest),
)

const insertRow = prepare((db: VaultConnection, row: DirectToken) =>
  db.insertInto('direct_tokens').values(row),
)

export async function findDirectToken(
  db: VaultConnection,
  digest: string,
): Promise<DirectToken | undefined> {
  return (await db.run(findRow({ digest }))).rows[0]
}

/** How many hold a card: neither spent nor expired. */
export async function countLiveTokens(db: VaultConnection, nowMs: number): Promise<number> {
  const { live } = await db
    .selectFrom('direct_tokens')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('expires_at_ms', '>', nowMs)
    .where('sealed_card', 'is not', null)
    .executeTakeFirstOrThrow()
  return live
}

export async function insertDirectToken(db: VaultConnection, token: DirectToken): Promise<void> {
  await db.run(insertRow(token))
}

/** How long a digest outlives its card, so that who sends the token too late is told so. */
export const DIGEST_REMEMBERED_MS: number = HOUR_MS

/**
 * Erases the cards of tokens that expired, and later what is left of the tokens. Returns how many
 * cards.
 */
export async function eraseExpiredTokens(db: VaultConnection, nowMs: number): Promise<number> {
  const horizonMs = lapseHorizonMs(nowMs, DIRECT_TOKEN_LIFETIME_MS)
  const { numUpdatedRows } = await db
    .updateTable('direct_tokens')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where((when) =>
      when.or([when('expires_at_ms', '<=', nowMs), when('expires_at_ms', '>', horizonMs)]),
    )
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('direct_tokens')
    .where((when) =>
      when.or([
        when('expires_at_ms', '<=', nowMs - DIGEST_REMEMBERED_MS),
        when('expires_at_ms', '>', horizonMs),
      ]),
    )
    .execute()
  return Number(numUpdatedRows)
}
