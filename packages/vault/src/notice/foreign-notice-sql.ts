// Correctly signed notices for merchant accounts that no account of this installation has.
import { DAY_MS } from '@cofre/contracts'
import { forgetAll } from '@cofre/work'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'

/** A merchant account, with its notices at an account's address. */
export interface ForeignNotices {
  /** The account at which they arrived. */
  readonly accountId: string
  /** The acquirer's name for it; {@link OTHERS} for those after the first fifty. */
  readonly name: string
  readonly notices: number
  readonly firstAtMs: number
  readonly lastAtMs: number
}

const OTHERS = 'others'
const NAMES_MAX = 50
/** Names are shown to people, so they must not contain terminal codes. */
const SHOWN_NAME = /^[A-Za-z0-9_.-]{1,80}$/

/** The latest first. */
export async function foreignNotices(reader: VaultConnection): Promise<readonly ForeignNotices[]> {
  const rows = await reader
    .selectFrom('foreign_notices')
    .selectAll()
    .orderBy('last_at_ms', 'desc')
    .orderBy('account_id')
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    name: row.name,
    notices: row.notices,
    firstAtMs: row.first_at_ms,
    lastAtMs: row.last_at_ms,
  }))
}

/**
 * Counts a notice. Returns the name to warn about: for the first notice of a name, and once a day.
 */
export async function countForeignNotice(
  database: VaultDatabase,
  { accountId, name }: Pick<ForeignNotices, 'accountId' | 'name'>,
  nowMs: number,
): Promise<string | undefined> {
  return await database.transact(async (trx) => {
    const counted = await countedName(trx, accountId, name)
    const { warned_at_ms } = await trx
      .insertInto('foreign_notices')
      .values({
        account_id: accountId,
        name: counted,
        notices: 1,
        first_at_ms: nowMs,
        last_at_ms: nowMs,
        warned_at_ms: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name']).doUpdateSet((set) => ({
          notices: set('foreign_notices.notices', '+', 1),
          last_at_ms: nowMs,
        })),
      )
      .returning('warned_at_ms')
      .executeTakeFirstOrThrow()
    if (Math.abs(nowMs - warned_at_ms) < DAY_MS) return undefined
    await trx
      .updateTable('foreign_notices')
      .set({ warned_at_ms: nowMs })
      .where((of) => of.and({ account_id: accountId, name: counted }))
      .execute()
    return counted
  })
}

async function countedName(trx: VaultConnection, accountId: string, name: string): Promise<string> {
  if (!SHOWN_NAME.test(name)) return OTHERS
  const known = await trx
    .selectFrom('foreign_notices')
    .select('name')
    .where('account_id', '=', accountId)
    .where('name', '!=', OTHERS)
    .limit(NAMES_MAX)
    .execute()
  const isNamed = known.length < NAMES_MAX || known.some((one) => one.name === name)
  return isNamed ? name : OTHERS
}

const RETENTION_MS = 90 * DAY_MS

/** Removes names without a recent notice. */
export async function forgetForeignNotices(database: VaultDatabase, nowMs: number): Promise<void> {
  await forgetAll(database, {
    table: 'foreign_notices',
    key: ['account_id', 'name'],
    where: (of) => of('last_at_ms', '<', nowMs - RETENTION_MS),
  })
}
