import { type Decline, type Environment, declineSchema } from '@cofre/contracts'
import { namedLock } from '@cofre/sql'
import { forgetAll } from '@cofre/work'
import { spendToken } from '../authorization/authorization-begin-sql.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { byEnvironment } from '../model/by-environment.js'
import {
  CHARGED_WITHIN_MS,
  CHECKS_COUNT_FOR_MS,
  CHECK_RETENTION_MS,
  CHECKS_MAX,
  type CheckKey,
  type CheckSubjects,
  type StoredCheck,
} from './card-check.js'

type CheckRow = VaultTables['card_checks']

const keyOf = ({ environment, tokenDigest }: CheckKey) => ({
  environment,
  token_digest: tokenDigest,
})

export async function findCheck(
  db: VaultConnection,
  key: CheckKey,
): Promise<StoredCheck | undefined> {
  const row = await db
    .selectFrom('card_checks')
    .selectAll()
    .where((of) => of.and(keyOf(key)))
    .executeTakeFirst()
  return row && checkOf(row)
}

function checkOf(row: CheckRow): StoredCheck {
  return {
    environment: row.environment,
    tokenDigest: row.token_digest,
    code: row.code,
    merchantId: row.merchant_id,
    payer: row.payer,
    document: row.document,
    address: row.address,
    outcome: row.outcome,
    card: { brand: row.brand, bin: row.bin, lastFour: row.last_four },
    decline: row.decline === null ? undefined : declineSchema.parse(JSON.parse(row.decline)),
    savedCardCode: row.saved_card_code ?? undefined,
    createdAtMs: row.created_at_ms,
  }
}

/** True if one more check of the payer or the address is too much. */
export async function isLimitReached(
  db: VaultConnection,
  subjects: CheckSubjects,
  nowMs: number,
): Promise<boolean> {
  const isReached = async (column: keyof CheckSubjects): Promise<boolean> => {
    const last = await db
      .selectFrom('card_checks')
      .select('created_at_ms')
      .where(column, '=', subjects[column])
      .orderBy('created_at_ms', 'desc')
      .limit(1)
      .offset(CHECKS_MAX - 1)
      .executeTakeFirst()
    return last !== undefined && last.created_at_ms > nowMs - CHECKS_COUNT_FOR_MS
  }
  const reached = await Promise.all((['payer', 'document', 'address'] as const).map(isReached))
  return reached.includes(true)
}

/**
 * Stores a check, and spends its token. The checks of a payer or an address take turns, so that as
 * many pass as the limit allows. `stored` for one caller of each token.
 */
export async function insertCheck(
  trx: VaultConnection,
  check: StoredCheck,
): Promise<'stored' | 'spent' | 'too_many_checks'> {
  // In one order everywhere: two checks never wait for each other.
  for (const subject of [check.payer, check.document, check.address].toSorted())
    await trx.run(namedLock(`card-checks ${subject}`))
  if (await isLimitReached(trx, check, check.createdAtMs))
    // The last one that passed may have been another request with this token.
    return (await findCheck(trx, check)) === undefined ? 'too_many_checks' : 'spent'
  if (!(await spendToken(trx, check.tokenDigest))) return 'spent'
  const { card } = check
  await trx
    .insertInto('card_checks')
    .values({
      ...keyOf(check),
      code: check.code,
      merchant_id: check.merchantId,
      payer: check.payer,
      document: check.document,
      address: check.address,
      outcome: check.outcome,
      brand: card.brand,
      bin: card.bin,
      last_four: card.lastFour,
      decline: declineText(check.decline),
      saved_card_code: null,
      created_at_ms: check.createdAtMs,
    })
    .execute()
  return 'stored'
}

/** Removes a check that no acquirer has made. */
export async function removeCheck(trx: VaultConnection, key: CheckKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('card_checks')
    .where((of) => of.and(keyOf(key)))
    .where('outcome', '=', 'asked')
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Stores the outcome of a check once; false if it has one. */
export async function endCheck(
  trx: VaultConnection,
  key: CheckKey,
  { outcome, decline }: Pick<StoredCheck, 'outcome' | 'decline'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('card_checks')
    .set({ outcome, decline: declineText(decline) })
    .where((of) => of.and(keyOf(key)))
    .where('outcome', '=', 'asked')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function recordCheckedCard(
  trx: VaultConnection,
  key: CheckKey,
  savedCardCode: string,
): Promise<void> {
  await trx
    .updateTable('card_checks')
    .set({ saved_card_code: savedCardCode })
    .where((of) => of.and(keyOf(key)))
    .execute()
}

function declineText(decline: Decline | undefined): string | null {
  return decline === undefined ? null : JSON.stringify(decline)
}

/** The cards that were saved by a check, and not charged for a day. */
export async function countUncharged(
  reader: VaultConnection,
  nowMs: number,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await reader
    .selectFrom('card_checks')
    .select(['environment', ({ fn }) => fn.countAll<number>().as('count')])
    .where('created_at_ms', '<=', nowMs - CHARGED_WITHIN_MS)
    .where('saved_card_code', 'is not', null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('card_charges')
            .select('card_charges.transaction_code')
            .whereRef('card_charges.charged_card_code', '=', 'card_checks.saved_card_code')
            .where('card_charges.state', '=', 'approved'),
        ),
      ),
    )
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

export async function forgetChecks(database: VaultDatabase, nowMs: number): Promise<void> {
  await forgetAll(database, {
    table: 'card_checks',
    key: ['token_digest', 'environment'],
    where: (of) => of('created_at_ms', '<=', nowMs - CHECK_RETENTION_MS),
  })
}
