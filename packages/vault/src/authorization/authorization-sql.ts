import { type CardSummary, type SavedCardSummary, minorUnits } from '@cofre/contracts'
import { type Database, prepare } from '@cofre/sql'
import type { AuditRow } from '../audit/audit-entry.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type {
  Authorization,
  AuthorizationKey,
  KnownOutcome,
  OpenAuthorization,
  OrderTerms,
} from './authorization.js'

type Row = VaultTables['authorizations']
type Key = Pick<Row, 'environment' | 'transaction_code'>

const keyOf = ({ environment, transactionCode }: AuthorizationKey): Key => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** What a row holds of an order that never arrived. */
const NOTHING = {
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
  decline: null,
} as const

/** The columns of a row that is whole, as every value of a prepared query is. */
const columnsOf = <Whole extends object>(row: Whole) => Object.keys(row) as (keyof Whole & string)[]

const findRow = prepare((db: VaultConnection, key: Key) =>
  db
    .selectFrom('authorizations')
    .select([...columnsOf(NOTHING), 'environment', 'transaction_code', 'outcome', 'created_at_ms'])
    .where((authorization) => authorization.and(key)),
)

const insertAbsent = prepare((db: VaultConnection, row: Row) =>
  db
    .insertInto('authorizations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

interface Spending {
  /** Of the token. */
  readonly digest: string
}

/** An authorization is stored only while its token is unspent. Locks the token. */
const insertIfTokenIsUnspent = prepare((db: VaultConnection, { digest, ...row }: Row & Spending) =>
  db
    .insertInto('authorizations')
    .columns(columnsOf(row))
    .expression(
      db
        .selectFrom('direct_tokens')
        .select((of) => columnsOf(row).map((column) => of.val(row[column]).as(column)))
        .where('digest', '=', digest)
        .where('direct_tokens.sealed_card', 'is not', null)
        .forUpdate(),
    )
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

/** A token is spent only by the authorization that was stored: no other has this sealed card. */
const spendTokenIfBegun = prepare(
  (db: VaultConnection, { digest, ...begun }: Pick<Row, keyof Key | 'sealed_card'> & Spending) =>
    db
      .updateTable('direct_tokens')
      .set({ sealed_card: null })
      .where('digest', '=', digest)
      .where((token) =>
        token.exists(
          db
            .selectFrom('authorizations')
            .select('transaction_code')
            .where((authorization) => authorization.and(begun)),
        ),
      ),
)

interface EntryOfOrder extends AuditRow {
  readonly order_environment: Row['environment']
  readonly order_code: number
}

/** An outcome is logged only while its authorization is open. Locks the authorization. */
const insertEntryIfOpen = prepare(
  (db: VaultConnection, { order_environment, order_code, ...entry }: EntryOfOrder) =>
    db
      .insertInto('audit_log')
      .columns(columnsOf(entry))
      .expression(
        db
          .selectFrom('authorizations')
          .select((of) => columnsOf(entry).map((column) => of.val(entry[column]).as(column)))
          .where('authorizations.environment', '=', order_environment)
          .where('transaction_code', '=', order_code)
          .where('sealed_card', 'is not', null)
          .forUpdate(),
      ),
)

const settleOpen = prepare((db: VaultConnection, { outcome, ...key }: Key & Pick<Row, 'outcome'>) =>
  db
    .updateTable('authorizations')
    .set({ outcome, sealed_card: null })
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

/** Takes the key for an order that never arrived, so that it never will; false when it is taken. */
export async function insertVoid(
  db: VaultConnection,
  key: AuthorizationKey,
  atMs: number,
): Promise<boolean> {
  const row: Row = { ...NOTHING, ...keyOf(key), outcome: 'void', created_at_ms: atMs }
  return (await db.run(insertAbsent(row))).written === 1
}

/** Like {@link settleAuthorization}, as part of a larger transaction. */
export async function settleWithin(
  db: VaultConnection,
  key: AuthorizationKey,
  outcome: KnownOutcome,
): Promise<boolean> {
  return (await db.run(settleOpen({ ...keyOf(key), outcome }))).written > 0
}

/** Remembers the saved card that the order is answered with. */
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

/**
 * Stores an authorization and spends the token that pays for it, if one does; false, and nothing
 * changed, when the authorization's key is taken or the token is spent. True for exactly one
 * caller, even when called concurrently.
 */
export async function beginAuthorization(
  database: Database<VaultTables>,
  authorization: OpenAuthorization,
  digest?: string,
): Promise<boolean> {
  const row = rowOf(authorization)
  const { environment, transaction_code, sealed_card } = row
  const { begun } = await database.commit(
    digest === undefined
      ? { begun: insertAbsent(row) }
      : {
          begun: insertIfTokenIsUnspent({ ...row, digest }),
          spent: spendTokenIfBegun({ environment, transaction_code, sealed_card, digest }),
        },
  )
  return begun.written === 1
}

/** What the acquirer answered, and what the audit log says of it. */
interface AnsweredOutcome {
  readonly outcome: KnownOutcome
  readonly entry: AuditRow
}

/**
 * Stores the outcome of an authorization with what the audit log says of it, and erases the card.
 * True for exactly one caller, even when called concurrently.
 */
export async function settleAuthorization(
  database: Database<VaultTables>,
  authorization: AuthorizationKey,
  { outcome, entry }: AnsweredOutcome,
): Promise<boolean> {
  const key = keyOf(authorization)
  const { environment: order_environment, transaction_code: order_code } = key
  const { settled } = await database.commit({
    logged: insertEntryIfOpen({ ...entry, order_environment, order_code }),
    settled: settleOpen({ ...key, outcome }),
  })
  return settled.written === 1
}

function rowOf(authorization: OpenAuthorization): Row {
  const { card } = authorization
  return {
    ...NOTHING,
    ...keyOf(authorization),
    merchant_id: authorization.merchantId,
    amount_minor: authorization.amountMinor,
    installments: authorization.installments,
    outcome: 'unknown',
    brand: card.brand,
    bin: card.bin,
    last_four: card.lastFour,
    sealed_card: authorization.sealedCard,
    save_for_payer: authorization.saveForPayer ?? null,
    created_at_ms: authorization.createdAtMs,
  }
}

function authorizationOf(row: Row): Authorization {
  const card: CardSummary = { brand: row.brand, bin: row.bin, lastFour: row.last_four }
  const { outcome } = row
  if (outcome === 'void') return { state: 'void' }
  const terms: OrderTerms = {
    merchantId: row.merchant_id,
    amountMinor: minorUnits(row.amount_minor),
    installments: row.installments,
  }
  if (row.sealed_card === null) {
    return {
      ...terms,
      state: 'settled',
      answer: { kind: 'answered', outcome, card, savedCard: savedCardOf(row) },
    }
  }
  return {
    ...terms,
    state: 'open',
    environment: row.environment,
    transactionCode: String(row.transaction_code),
    card,
    sealedCard: row.sealed_card,
    saveForPayer: row.save_for_payer ?? undefined,
    createdAtMs: row.created_at_ms,
  }
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
