import type { Migrations } from '@cofre/sql'
import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** The vault's tables. */
export const VAULT_MIGRATIONS: Migrations = {
  '0001_create_vault': {
    async up(database) {
      await createDataKeys(database)
      await createSessions(database)
      await createDirectTokens(database)
      await createAuthorizations(database)
      await createSavedCards(database)
    },
  },
  '0002_audit_and_bind': {
    async up(database) {
      await createAuditLog(database)
      await indexOpenAuthorizations(database)
      await noteWrappingTimes(database)
      await nameFingerprintKeys(database)
      // Sealed in the way of before. They live for 15 minutes, and a page opens another session by itself.
      await sql`delete from sessions`.execute(database)
      await sql`delete from direct_tokens`.execute(database)
    },
  },
}

// Kysely's Migration declares its database as Kysely<any>; the tables do not exist yet, so none is named here.
type Schema = Kysely<unknown>

async function createDataKeys({ schema }: Schema): Promise<void> {
  await schema
    .createTable('data_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('scope', 'text', (column) => column.notNull().unique())
    .addColumn('wrapped_key', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}

/** Unlogged on PostgreSQL: private keys, even wrapped, reach neither its write-ahead log nor its replicas and backups. */
async function createSessions(database: Schema): Promise<void> {
  const hasUnloggedTables = database.getExecutor().adapter instanceof PostgresAdapter
  await database.schema
    .createTable('sessions')
    .$call((table) => (hasUnloggedTables ? table.modifyFront(sql`unlogged`) : table))
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('sealed_private_key', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(database, 'sessions', 'expires_at_ms')
}

async function createDirectTokens(database: Schema): Promise<void> {
  await database.schema
    .createTable('direct_tokens')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('sealed_card', 'text')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(database, 'direct_tokens', 'expires_at_ms')
}

async function createAuthorizations({ schema }: Schema): Promise<void> {
  await schema
    .createTable('authorizations')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('transaction_code', 'text', (column) => column.notNull())
    .addColumn('merchant_id', 'text', (column) => column.notNull())
    .addColumn('amount_minor', 'bigint', (column) => column.notNull())
    .addColumn('installments', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('bin', 'text', (column) => column.notNull())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('sealed_card', 'text')
    .addColumn('save_for_payer', 'text')
    .addColumn('saved_card_code', 'text')
    .addColumn('saved_card_expiration', 'text')
    .addColumn('saved_card_created_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    // Transaction codes are ordered by time, so the table grows at its end.
    .addPrimaryKeyConstraint('authorizations_key', ['environment', 'transaction_code'])
    .execute()
}

async function createSavedCards({ schema }: Schema): Promise<void> {
  await schema
    .createTable('saved_cards')
    .addColumn('code', 'text', (column) => column.primaryKey())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('merchant_id', 'text', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull().unique())
    .addColumn('sealed_card', 'text', (column) => column.notNull())
    .addColumn('activated_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}

async function createAuditLog(database: Schema): Promise<void> {
  const { schema } = database
  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('environment', 'text')
    .addColumn('merchant_id', 'text')
    .addColumn('record', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint')
    .addColumn('mac', 'text')
    .execute()
  // Finds the entries that wait for their place, in order, and those that have one.
  await schema
    .createIndex('audit_log_position')
    .on('audit_log')
    .columns(['position', 'id'])
    .execute()
  await schema
    .createTable('audit_head')
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute()
  await sql`insert into audit_head (position, mac) values (0, '')`.execute(database)
}

/** Tells which data keys are still needed, without reading every authorization there ever was. */
async function indexOpenAuthorizations({ schema }: Schema): Promise<void> {
  await schema
    .createIndex('authorizations_open')
    .on('authorizations')
    .column('created_at_ms')
    .where(sql.ref('sealed_card'), 'is not', null)
    .execute()
}

async function noteWrappingTimes(database: Schema): Promise<void> {
  await database.schema
    .alterTable('data_keys')
    .addColumn('wrapped_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update data_keys set wrapped_at_ms = created_at_ms`.execute(database)
}

/** Digests of payers and cards name the key that made them, so that another key can take over. */
async function nameFingerprintKeys(database: Schema): Promise<void> {
  const keyId = sql`(select id from data_keys where scope = 'fingerprints')`
  await sql`update saved_cards set payer = ${keyId} || '.' || payer,
    fingerprint = ${keyId} || '.' || fingerprint`.execute(database)
  await sql`update authorizations set save_for_payer = ${keyId} || '.' || save_for_payer
    where save_for_payer is not null`.execute(database)
}

async function createIndex({ schema }: Schema, table: string, column: string): Promise<void> {
  await schema.createIndex(`${table}_${column}`).on(table).column(column).execute()
}
