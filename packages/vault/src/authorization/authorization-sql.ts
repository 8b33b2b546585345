import {
  type CardSummary,
  type Decline,
  type SavedCardSummary,
  declineSchema,
  minorUnits,
} from '@cofre/contracts'
import { type Database, type Statement, columnsOf, prepare, valuesOf } from '@cofre/sql'
import type { AuditRow } from '../audit/audit-entry.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import {
  type Authorization,
  type AuthorizationKey,
  type KnownOutcome,
  answerTo,
} from './authorization.js'
import { chargeOfRow } from './card-charge.js'

export type Row = VaultTables['authorizations']
type ChargeRow = VaultTables['card_charges']
export type Key = Pick<Row, 'environment' | 'transaction_code'>

export const keyOf = ({ environment, transactionCode }: AuthorizationKey): Key => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** The values of an order that never arrived. */
export const NOTHING = {
  merchant_id: '',
  amount_minor: 0,
  installments: 0,
  brand: '',
  bin: '',
  last_four: '',
  sealed_card: null,
  save_for_payer: null,
  saved_card_code: null,
  saved_card_expiration: null,
  saved_card_created_at_ms: null,
  knows_charges: 0,
  knows_authentication: 0,
  decline: null,
  is_captured_later: 0,
} as const

/** The columns that a charge adds to its authorization. */
const CHARGE_COLUMNS = [
  'installation',
  'account_id',
  'provider',
  'state',
  'first_attempt_at_ms',
  'absent_since_ms',
  'lease_until_ms',
  'next_ask_at_ms',
  'payment_id',
  'nsu',
  'authorization_code',
  'sent_eci',
  'eci',
  'network_transaction_id',
  'transaction_link_id',
  'charged_card_code',
  'is_unlinked',
  'ended_at_ms',
  'capture_days',
  'capture_ends_at_ms',
  'captured_minor',
  'capture_ended_at_ms',
] as const satisfies (keyof ChargeRow)[]

const findRow = prepare((db: VaultConnection, key: Key) =>
  db
    .selectFrom('authorizations')
    .leftJoin('card_charges', (join) =>
      join
        .onRef('card_charges.transaction_code', '=', 'authorizations.transaction_code')
        .onRef('card_charges.environment', '=', 'authorizations.environment'),
    )
    .select([
      ...columnsOf(NOTHING),
      'authorizations.environment',
      'authorizations.transaction_code',
      'outcome',
      'created_at_ms',
    ])
    .select(CHARGE_COLUMNS)
    .where('authorizations.environment', '=', key.environment)
    .where('authorizations.transaction_code', '=', key.transaction_code),
)

export const insertAbsent: (row: Row) => Statement = prepare((db: VaultConnection, row: Row) =>
  db
    .insertInto('authorizations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

export interface EntryOfOrder extends AuditRow {
  readonly order_environment: Row['environment']
  readonly order_code: number
}

/** Logs an outcome only while its authorization is open. Locks the authorization. */
const insertEntryIfOpen = prepare(
  (db: VaultConnection, { order_environment, order_code, ...entry }: EntryOfOrder) =>
    db
      .insertInto('audit_log')
      .columns(columnsOf(entry))
      .expression(
        db
          .selectFrom('authorizations')
          .select(valuesOf(entry))
          .where('authorizations.environment', '=', order_environment)
          .where('transaction_code', '=', order_code)
          .where('sealed_card', 'is not', null)
          .forUpdate(),
      ),
)

const settleOpen = prepare(
  (db: VaultConnection, { outcome, decline, ...key }: Key & Pick<Row, 'outcome' | 'decline'>) =>
    db
      .updateTable('authorizations')
      .set({ outcome, decline, sealed_card: null })
      .where((authorization) => authorization.and(key))
      .where('sealed_card', 'is not', null),
)

export async function findAuthorization(
  db: VaultConnection,
  key: AuthorizationKey,
): Promise<Authorization | undefined> {
  const [row] = (await db.run(findRow(keyOf(key)))).rows
  return row && authorizationOf(row)
}

/**
 * Takes the key of an order that never arrived, so that it never will; false if the key is taken.
 */
export async function insertVoid(
  db: VaultConnection,
  key: AuthorizationKey,
  atMs: number,
): Promise<boolean> {
  const row: Row = { ...NOTHING, ...keyOf(key), outcome: 'void', created_at_ms: atMs }
  return (await db.run(insertAbsent(row))).written === 1
}

/** The known end of an order, as its row stores it. */
export interface KnownEnd {
  readonly outcome: KnownOutcome
  readonly decline: Decline | undefined
}

export const endColumns = ({ outcome, decline }: KnownEnd): Pick<Row, 'outcome' | 'decline'> => ({
  outcome,
  decline: decline === undefined ? null : JSON.stringify(decline),
})

/** Like {@link settleAuthorization}, as part of a larger transaction. */
export async function settleWithin(
  db: VaultConnection,
  key: AuthorizationKey,
  end: KnownEnd,
): Promise<boolean> {
  return (await db.run(settleOpen({ ...keyOf(key), ...endColumns(end) }))).written > 0
}

/**
 * Stores the end of an authorization whose acquirer decided later; false if it had ended before.
 */
export async function settlePending(
  db: VaultConnection,
  key: AuthorizationKey,
  end: KnownEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('authorizations')
    .set(endColumns(end))
    .where((authorization) => authorization.and(keyOf(key)))
    .where('outcome', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Stores the outcome of an authorization whose charge has ended, and erases the card. */
export async function recordOutcome(
  db: VaultConnection,
  key: AuthorizationKey,
  end: KnownEnd,
): Promise<void> {
  await db
    .updateTable('authorizations')
    .set({ ...endColumns(end), sealed_card: null })
    .where((authorization) => authorization.and(keyOf(key)))
    .execute()
}

/** Records the saved card in the order's answer. */
export async function recordSavedCard(
  db: VaultConnection,
  key: AuthorizationKey,
  savedCard: SavedCardSummary,
): Promise<void> {
  await db
    .updateTable('authorizations')
    .set({
      saved_card_code: savedCard.code,
      saved_card_expiration: savedCard.expirationDate,
      saved_card_created_at_ms: savedCard.createdAtMs,
    })
    .where((authorization) => authorization.and(keyOf(key)))
    .execute()
}

/** An outcome, with its entry in the audit log. */
export interface AnsweredOutcome extends KnownEnd {
  readonly entry: AuditRow
}

/**
 * Stores the outcome of an authorization with its entry in the audit log, and erases the card. True
 * for exactly one caller, even when called concurrently.
 */
export async function settleAuthorization(
  database: Database<VaultTables>,
  authorization: AuthorizationKey,
  { entry, ...end }: AnsweredOutcome,
): Promise<boolean> {
  const key = keyOf(authorization)
  const { environment: order_environment, transaction_code: order_code } = key
  const { settled } = await database.commit({
    logged: insertEntryIfOpen({ ...entry, order_environment, order_code }),
    settled: settleOpen({ ...key, ...endColumns(end) }),
  })
  return settled.written === 1
}

/**
 * Erases the cards of authorizations that are open and older than the given time. Returns their
 * number.
 */
export async function eraseOpenCards(
  trx: VaultConnection,
  createdBeforeMs: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('authorizations')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where('created_at_ms', '<', createdBeforeMs)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The time since which the oldest card waits for its order's outcome; undefined if none waits. */
export async function oldestOpenCardMs(db: VaultConnection): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('authorizations')
    .select('created_at_ms')
    .where('sealed_card', 'is not', null)
    .orderBy('created_at_ms')
    .limit(1)
    .executeTakeFirst()
  return oldest?.created_at_ms
}

type MaybeCharged = Row & {
  [Column in (typeof CHARGE_COLUMNS)[number]]: ChargeRow[Column] | null
}

function authorizationOf(row: MaybeCharged): Authorization {
  const { outcome, environment } = row
  if (outcome === 'void') return { state: 'void' }
  const card: CardSummary = { brand: row.brand, bin: row.bin, lastFour: row.last_four }
  const order = {
    environment,
    transactionCode: String(row.transaction_code),
    merchantId: row.merchant_id,
    amountMinor: minorUnits(row.amount_minor),
    installments: row.installments,
    card,
    knowsCharges: row.knows_charges === 1,
    knowsAuthentication: row.knows_authentication === 1,
    isCapturedLater: row.is_captured_later === 1 ? (true as const) : undefined,
    charge: isCharged(row) ? chargeOfRow(row) : undefined,
  }
  if (outcome !== 'unknown') {
    const decline = row.decline === null ? undefined : declineSchema.parse(JSON.parse(row.decline))
    const answer = answerTo(order, { outcome, decline, savedCard: savedCardOf(row) })
    return { ...order, state: 'settled', answer }
  }
  if (row.sealed_card === null) return { ...order, state: 'erased' }
  return {
    ...order,
    state: 'open',
    sealedContent: row.sealed_card,
    saveForPayer: row.save_for_payer ?? undefined,
    createdAtMs: row.created_at_ms,
  }
}

function isCharged(
  row: MaybeCharged,
): row is MaybeCharged & Row & Omit<ChargeRow, 'release_check_at_ms'> {
  return row.account_id !== null
}

function savedCardOf(row: Row): SavedCardSummary | undefined {
  const {
    saved_card_code: code,
    saved_card_expiration: expirationDate,
    saved_card_created_at_ms: createdAtMs,
  } = row
  if (code === null || expirationDate === null || createdAtMs === null) return undefined
  return { code, brand: row.brand, lastFour: row.last_four, expirationDate, createdAtMs }
}
