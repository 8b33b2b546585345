import { prepare } from '@cofre/sql'
import type { VaultConnection as Unit } from '../database/vault-database.js'
import { DIRECT_TOKEN_COLUMNS, type VaultTables } from '../database/vault-tables.js'
import { lapseHorizonMs } from '../model/lapse.js'
import { DIRECT_TOKEN_LIFETIME_MS, type DirectToken } from './direct-token.js'

const findRow = prepare((unit: Unit, { digest }: { readonly digest: string }) =>
  unit.selectFrom('direct_tokens').select(DIRECT_TOKEN_COLUMNS).where('digest', '=', digest),
)

const insertRow = prepare((unit: Unit, row: VaultTables['direct_tokens']) =>
  unit.insertInto('direct_tokens').values(row),
)

export async function findDirectToken(
  unit: Unit,
  digest: string,
): Promise<DirectToken | undefined> {
  const row = await findRow.first(unit, { digest })
  return row && { digest, sealedCard: row.sealed_card ?? undefined, expiresAtMs: row.expires_at_ms }
}

/** How many hold a card: neither spent nor expired. */
export async function countLiveTokens(unit: Unit, nowMs: number): Promise<number> {
  const { live } = await unit
    .selectFrom('direct_tokens')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('expires_at_ms', '>', nowMs)
    .where('sealed_card', 'is not', null)
    .executeTakeFirstOrThrow()
  return live
}

export function insertDirectToken(
  unit: Unit,
  { digest, sealedCard, expiresAtMs }: DirectToken,
): void {
  const row = { digest, sealed_card: sealedCard ?? null, expires_at_ms: expiresAtMs }
  insertRow.later(unit, row)
}

/** Forgets the tokens that expired, spent or not. Returns how many. */
export async function eraseExpiredTokens(unit: Unit, nowMs: number): Promise<number> {
  const { numDeletedRows } = await unit
    .deleteFrom('direct_tokens')
    .where((when) =>
      when.or([
        when('expires_at_ms', '<=', nowMs),
        when('expires_at_ms', '>', lapseHorizonMs(nowMs, DIRECT_TOKEN_LIFETIME_MS)),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
