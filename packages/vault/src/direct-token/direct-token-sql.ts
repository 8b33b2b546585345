import { HOUR_MS } from '@cofre/contracts'
import { columnsOf, prepare, valuesOf } from '@cofre/sql'
import { clockHorizonMs, isPastBy } from '@cofre/work'
import type { AuditRow } from '../audit/audit-entry.js'
import { insertEntry } from '../audit/audit-sql.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import { deleteSession } from '../session/session-store-sql.js'
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

interface OfSession {
  readonly session: string
}

/** The row of a session that may still be spent. The last statement deletes it. */
function unspent(db: VaultConnection, { session }: OfSession) {
  return db.selectFrom('sessions').where('id', '=', session)
}

/**
 * Locks the session: another process that spends it at the same moment waits, and then stores
 * nothing.
 */
const insertRowIfUnspent = prepare(
  (db: VaultConnection, { session, ...row }: DirectToken & OfSession) =>
    db
      .insertInto('direct_tokens')
      .columns(columnsOf(row))
      .expression(unspent(db, { session }).select(valuesOf(row)).forUpdate()),
)

const insertEntryIfUnspent = prepare(
  (db: VaultConnection, { session, ...entry }: AuditRow & OfSession) =>
    db
      .insertInto('audit_log')
      .columns(columnsOf(entry))
      .expression(unspent(db, { session }).select(valuesOf(entry))),
)

export async function findDirectToken(
  db: VaultConnection,
  digest: string,
): Promise<DirectToken | undefined> {
  return (await db.run(findRow({ digest }))).rows[0]
}

/** The number of tokens that hold a card: neither spent nor expired. */
export async function countLiveTokens(db: VaultConnection, nowMs: number): Promise<number> {
  const { live } = await db
    .selectFrom('direct_tokens')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('expires_at_ms', '>', nowMs)
    .where('sealed_card', 'is not', null)
    .executeTakeFirstOrThrow()
  return live
}

/** A token, with the entry of its deposit in the audit log. */
export interface Deposit {
  readonly token: DirectToken
  readonly entry: AuditRow
}

export async function insertDeposit(
  database: VaultDatabase,
  { token, entry }: Deposit,
): Promise<void> {
  await database.commit({ stored: insertRow(token), logged: insertEntry(entry) })
}

/** Spends a session's row on a deposit; false, with nothing changed, if it is gone. */
export async function insertDepositOfRow(
  database: VaultDatabase,
  session: string,
  { token, entry }: Deposit,
): Promise<boolean> {
  const { stored } = await database.commit({
    stored: insertRowIfUnspent({ ...token, session }),
    logged: insertEntryIfUnspent({ ...entry, session }),
    spent: deleteSession({ id: session }),
  })
  return stored.written === 1
}

/**
 * How long a digest outlives its card, so that a late request with the token gets the right answer.
 */
export const DIGEST_REMEMBERED_MS: number = HOUR_MS

/**
 * Erases the cards of expired tokens, and later the rest of the tokens. Returns the number of
 * cards.
 */
export async function eraseExpiredTokens(db: VaultConnection, nowMs: number): Promise<number> {
  const horizonMs = clockHorizonMs(nowMs, DIRECT_TOKEN_LIFETIME_MS)
  const { numUpdatedRows } = await db
    .updateTable('direct_tokens')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where(isPastBy('expires_at_ms', nowMs, horizonMs))
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('direct_tokens')
    .where(isPastBy('expires_at_ms', nowMs - DIGEST_REMEMBERED_MS, horizonMs))
    .execute()
  return Number(numUpdatedRows)
}
