import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GATEWAY_MIGRATIONS } from '../packages/gateway/src/ledger/database/open-gateway-database.js'
import { VAULT_MIGRATIONS } from '../packages/vault/src/database/vault-database.js'

const DATABASES = [
  {
    name: 'gateway',
    migrations: GATEWAY_MIGRATIONS,
    /** Tables that grow with every payment, with the column that orders them by time. */
    partitionable: {
      transactions: 'code',
      refunds: 'transaction_code',
      notifications: 'transaction_code',
      notification_attempts: 'transaction_code',
      bank_charges: 'transaction_code',
      bank_payments: 'transaction_code',
      card_changes: 'transaction_code',
      payment_facts: 'code',
      settlement_lines: 'file_id',
      archived_transactions: 'code',
      archived_refunds: 'transaction_code',
      archived_notifications: 'transaction_code',
      archived_notification_attempts: 'transaction_code',
      archived_bank_charges: 'transaction_code',
      archived_bank_payments: 'transaction_code',
      archived_card_changes: 'transaction_code',
      archived_refund_notes: 'transaction_code',
      archived_payment_facts: 'code',
    },
    whole: [
      // Small rows, which stay when a transaction is archived.
      ...['transaction_keys', 'refund_keys', 'charge_names'],
      // A row for each store or blocked payer, or for each change of a store.
      ...[
        'merchants',
        'store_keys',
        'operator_keys',
        'store_changes',
        'acknowledging_stores',
        'failing_stores',
        'blocked_payers',
      ],
      ...['digest_keys', 'example_sets', 'failing_lanes', 'people_keys'],
      'field_announcements',
      // At most one row.
      'trial_marks',
      // A row for each contract of a store with a provider, its position in an order, its reading.
      ...['accounts', 'account_routes', 'bank_sweeps'],
      // A row for each person, or for each credential and act of a person.
      ...['people', 'memberships', 'sandbox_memberships', 'passkeys', 'recovery_codes'],
      ...['known_browsers', 'acts'],
      ...['console_sessions', 'console_challenges', 'console_links', 'sign_in_failures'],
      ...['store_blocked_payers', 'refund_notes'],
      // Read by term, not by time.
      ...['payment_terms', 'archived_payment_terms'],
      // A row for each figure of a day, each pass of the index, each file; deleted within minutes.
      ...[
        'daily_figures',
        'index_progress',
        'settlement_days',
        'settlement_files',
        'index_requests',
      ],
      // Identified by their content, which has no order: a few for each boleto.
      'boleto_file_lines',
      // Ordered by their own numbers: a few small rows for each boleto, one for each file.
      ...['boleto_instructions', 'boleto_remittances', 'boleto_counters'],
      // Deleted after minutes, an hour, a day, and a month.
      ...['request_nonces', 'card_declines', 'idempotency_keys', 'payer_purchases'],
      // Deleted after thirty days; a row for each endpoint of a store, ten at most.
      ...['events', 'event_deliveries', 'event_endpoints'],
      // Deleted when an authorized payment is captured or released.
      'captures',
      // Few compared with the transactions that they create.
      ...['payment_links', 'payment_link_tries', 'link_card_pauses'],
    ],
  },
  {
    name: 'vault',
    migrations: VAULT_MIGRATIONS,
    partitionable: {
      authorizations: 'transaction_code',
      audit_log: 'id',
      card_charges: 'transaction_code',
      card_cancels: 'transaction_code',
      card_captures: 'transaction_code',
      card_looks: 'transaction_code',
    },
    whole: [
      // Identified by acquirers' names or random ones: no order by time.
      ...['card_returns', 'card_events', 'card_changes'],
      // A row for each contract of a store with an acquirer, and its position in an order.
      ...['accounts', 'account_routes'],
      // A few rows for each contract: its reading position, and events of other contracts.
      ...['card_readings', 'covered_accounts', 'foreign_notices'],
      // Deleted after a month, and after a week.
      ...['card_declines', 'unheard_charges', 'card_checks'],
      // A row or two for each store, and at most one.
      ...['store_field_settings', 'trial_marks'],
      // A row for each saved card, for each key, and for the head of the log.
      ...['saved_cards', 'data_keys', 'audit_head'],
      // Deleted after minutes, and after an hour.
      ...['sessions', 'direct_tokens', 'card_authentications'],
    ],
  },
]

interface UniqueKey {
  readonly table: string
  readonly first: string
}

const UNIQUE_KEYS = {
  sqlite: sql<UniqueKey>`
    select t.name as "table", c.name as "first"
    from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    where t.type = 'table' and i."unique" = 1 and c.seqno = 0`,
  postgres: sql<UniqueKey>`
    select t.relname as "table", a.attname as "first" from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where i.indisunique and t.relnamespace = current_schema()::regnamespace`,
}

const TABLES = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table'`,
  postgres: sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`,
}

async function schemaOf({ reader, dialect }: Database<unknown>) {
  const keys = await UNIQUE_KEYS[dialect.engine].execute(reader)
  const tables = await TABLES[dialect.engine].execute(reader)
  const names = tables.rows.map(({ name }) => name)
  return {
    keys: keys.rows,
    tables: names.filter((name) => !/^(?:kysely|sqlite)_/.test(name)).toSorted(),
  }
}

describe.each(TEST_ENGINES)('Partitions by time on $name', (engine) => {
  it.each(DATABASES)(
    'stay possible in the $name: unique keys of large tables begin with the code',
    async ({ migrations, partitionable, whole }) => {
      const database = await engine.open<unknown>(migrations)
      onTestFinished(() => database.close())
      const { keys, tables } = await schemaOf(database)
      // Every new table must be in one of the two lists.
      expect(tables).toEqual([...Object.keys(partitionable), ...whole].toSorted())
      for (const [table, column] of Object.entries(partitionable)) {
        const own = keys.filter((key) => key.table === table)
        expect(own.length, table).toBeGreaterThan(0)
        expect([...new Set(own.map(({ first }) => first))], table).toEqual([column])
      }
    },
  )
})
