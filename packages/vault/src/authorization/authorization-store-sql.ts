import { type CardSummary, type SavedCardSummary, minorUnits } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import { auditRowOf } from '../audit/audit-store-sql.js'
import type { AnsweredOutcome } from '../vault-store.js'
import { AUDIT_COLUMNS, AUTHORIZATION_COLUMNS, type VaultTables } from '../vault-tables.js'
import type {
  Authorization,
  AuthorizationKey,
  OpenAuthorization,
  OrderTerms,
} from './authorization.js'
import type { AuthorizationStore } from './authorization-store.js'

type Row = VaultTables['authorizations']
type AuditRow = VaultTables['audit_log']
type Db = Connection<VaultTables>
type Key = Pick<Row, 'environment' | 'transaction_code'>

const findRow = prepare((db: Db, { environment, transaction_code }: Key) =>
  db
    .selectFrom('authorizations')
    .select(AUTHORIZATION_COLUMNS)
    .where('environment', '=', environment)
    .where('transaction_code', '=', transaction_code),
)

const insertAbsent = prepare((db: Db, row: Row) =>
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
const insertIfTokenIsUnspent = prepare((db: Db, { digest, ...row }: Row & Spending) =>
  db
    .insertInto('authorizations')
    .columns(AUTHORIZATION_COLUMNS)
    .expression(
      db
        .selectFrom('direct_tokens')
        .select((of) => AUTHORIZATION_COLUMNS.map((column) => of.val(row[column]).as(column)))
        .where('digest', '=', digest)
        .where('direct_tokens.sealed_card', 'is not', null)
        .forUpdate(),
    )
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

/** A token is spent only by the authorization that was stored: no other has this sealed card. */
const spendTokenIfBegun = prepare(
  (db: Db, spending: Pick<Row, keyof Key | 'sealed_card'> & Spending) =>
    db
      .updateTable('direct_tokens')
      .set({ sealed_card: null })
      .where('digest', '=', spending.digest)
      .where((of) =>
        of.exists(
          of
            .selectFrom('authorizations')
            .select('transaction_code')
            .where('environment', '=', spending.environment)
            .where('transaction_code', '=', spending.transaction_code)
            .where('authorizations.sealed_card', '=', spending.sealed_card),
        ),
      ),
)

interface EntryOfOrder extends AuditRow {
  readonly order_environment: Row['environment']
  readonly order_code: number
}

/** An outcome is logged only while its authorization is open. Locks the authorization. */
const insertEntryIfOpen = prepare((db: Db, entry: EntryOfOrder) =>
  db
    .insertInto('audit_log')
    .columns(AUDIT_COLUMNS)
    .expression(
      db
        .selectFrom('authorizations')
        .select((of) => AUDIT_COLUMNS.map((column) => of.val(entry[column]).as(column)))
        .where('authorizations.environment', '=', entry.order_environment)
        .where('transaction_code', '=', entry.order_code)
        .where('sealed_card', 'is not', null)
        .forUpdate(),
    ),
)

const settleOpen = prepare(
  (db: Db, { environment, transaction_code, outcome }: Key & Pick<Row, 'outcome'>) =>
    db
      .updateTable('authorizations')
      .set({ outcome, sealed_card: null })
      .where('environment', '=', environment)
      .where('transaction_code', '=', transaction_code)
      .where('sealed_card', 'is not', null),
)

export function createAuthorizationStore(trx: Db): AuthorizationStore {
  return {
    async find(environment, transactionCode) {
      const key = { environment, transaction_code: Number(transactionCode) }
      const [row] = (await trx.run(findRow(key))).rows
      return row && authorizationOf(row)
    },

    insertVoid: async (key, atMs) =>
      (await trx.run(insertAbsent(voidRowOf(key, atMs)))).written === 1,

    async settle({ environment, transactionCode }, outcome) {
      const key = { environment, transaction_code: Number(transactionCode) }
      return (await trx.run(settleOpen({ ...key, outcome }))).written > 0
    },

    async recordSavedCard({ environment, transactionCode }, savedCard) {
      await trx
        .updateTable('authorizations')
        .set({
          saved_card_code: savedCard.code,
          saved_card_expiration: savedCard.expirationDate,
          saved_card_created_at_ms: savedCard.createdAtMs,
        })
        .where('environment', '=', environment)
        .where('transaction_code', '=', Number(transactionCode))
        .execute()
    },
  }
}

/** See {@link VaultStore.beginAuthorization}. */
export async function beginAuthorization(
  database: Database<VaultTables>,
  authorization: OpenAuthorization,
  digest: string | undefined,
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

/** See {@link VaultStore.settleAuthorization}. */
export async function settleAuthorization(
  database: Database<VaultTables>,
  { environment, transactionCode }: AuthorizationKey,
  { outcome, entry }: AnsweredOutcome,
): Promise<boolean> {
  const key = { environment, transaction_code: Number(transactionCode) }
  const { settled } = await database.commit({
    logged: insertEntryIfOpen({
      ...auditRowOf(entry),
      order_environment: environment,
      order_code: Number(transactionCode),
    }),
    settled: settleOpen({ ...key, outcome }),
  })
  return settled.written === 1
}

function voidRowOf({ environment, transactionCode }: AuthorizationKey, atMs: number): Row {
  return {
    environment,
    transaction_code: Number(transactionCode),
    merchant_id: '',
    amount_minor: 0,
    installments: 0,
    outcome: 'void',
    brand: '',
    bin: '',
    last_four: '',
    sealed_card: null,
    save_for_payer: null,
    saved_card_code: null,
    saved_card_expiration: null,
    saved_card_created_at_ms: null,
    created_at_ms: atMs,
  }
}

function rowOf(authorization: OpenAuthorization): Row {
  return {
    environment: authorization.environment,
    transaction_code: Number(authorization.transactionCode),
    merchant_id: authorization.merchantId,
    amount_minor: authorization.amountMinor,
    installments: authorization.installments,
    outcome: 'unknown',
    brand: authorization.card.brand,
    bin: authorization.card.bin,
    last_four: authorization.card.lastFour,
    sealed_card: authorization.sealedCard,
    save_for_payer: authorization.saveForPayer ?? null,
    saved_card_code: null,
    saved_card_expiration: null,
    saved_card_created_at_ms: null,
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
