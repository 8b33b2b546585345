import type { Migrations } from '@cofre/sql'
import { type Kysely, sql } from 'kysely'

/** The gateway's tables, oldest first. A released migration is never edited. */
export const GATEWAY_MIGRATIONS: Migrations = {
  '0001_create_merchants': {
    up: (database) =>
      database.schema
        .createTable('merchants')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('secret', 'text', (column) => column.notNull())
        .addColumn('enabled', 'integer', (column) => column.notNull())
        .addColumn('raw_cards', 'integer', (column) => column.notNull())
        .addColumn('refunds', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute(),
  },
  '0002_create_transactions': {
    async up(database) {
      await createTransactions(database)
      await indexTransactions(database)
    },
  },
  '0003_create_refunds': {
    async up(database) {
      await database.schema
        .createTable('refunds')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('transaction_code', 'bigint', (column) =>
          column.notNull().references('transactions.code'),
        )
        .addColumn('merchant_id', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('amount', 'bigint', (column) => column.notNull())
        .addColumn('reference', 'text')
        .addColumn('notify_url', 'text', (column) => column.notNull())
        .addColumn('requested_at', 'bigint', (column) => column.notNull())
        .addColumn('next_ask_at', 'bigint', (column) => column.notNull())
        .addColumn('asks', 'integer', (column) => column.notNull())
        .addColumn('processed_at', 'bigint')
        .execute()
      await database.schema
        .createIndex('refunds_transaction')
        .on('refunds')
        .column('transaction_code')
        .execute()
      await database.schema
        .createIndex('refunds_in_process')
        .on('refunds')
        .column('transaction_code')
        .unique()
        .where(sql<boolean>`status = 'PROCESSING'`)
        .execute()
    },
  },
  '0004_create_blocked_payers': {
    up: (database) =>
      database.schema
        .createTable('blocked_payers')
        .addColumn('payer', 'text', (column) => column.primaryKey())
        .addColumn('by_provider', 'integer', (column) => column.notNull())
        .execute(),
  },
  '0005_create_idempotency_keys': {
    async up(database) {
      await database.schema
        .createTable('idempotency_keys')
        .addColumn('merchant_id', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('claimed_at', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotency_keys_pk', ['merchant_id', 'key'])
        .execute()
      await database.schema
        .createIndex('idempotency_keys_created_at')
        .on('idempotency_keys')
        .column('created_at')
        .execute()
    },
  },
  '0006_create_notifications': {
    async up(database) {
      await database.schema
        .createTable('notifications')
        .addColumn('transaction_code', 'bigint', (column) => column.notNull())
        .addColumn('position', 'integer', (column) => column.notNull())
        .addColumn('merchant_id', 'text', (column) => column.notNull())
        .addColumn('refund_id', 'bigint')
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
        .addColumn('lease_until', 'bigint')
        .addColumn('acknowledged_at', 'bigint')
        .addColumn('searched_at', 'bigint')
        .addColumn('done_at', 'bigint')
        .addPrimaryKeyConstraint('notifications_pk', ['transaction_code', 'position'])
        .execute()
      await database.schema
        .createIndex('notifications_due')
        .on('notifications')
        .column('next_attempt_at')
        .where(sql<boolean>`done_at is null`)
        .execute()
      await database.schema
        .createTable('notification_attempts')
        .addColumn('transaction_code', 'bigint', (column) => column.notNull())
        .addColumn('position', 'integer', (column) => column.notNull())
        .addColumn('attempt', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('status_code', 'integer')
        .addColumn('error', 'text')
        .addColumn('duration_ms', 'integer', (column) => column.notNull())
        .addColumn('response_excerpt', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('notification_attempts_pk', [
          'transaction_code',
          'position',
          'attempt',
        ])
        .execute()
    },
  },
  '0007_index_notifications_by_store': {
    async up(database) {
      await database.schema.dropIndex('notifications_due').execute()
      // What is due for one store; what is under way for it.
      await database.schema
        .createIndex('notifications_due_of_store')
        .on('notifications')
        .columns(['merchant_id', 'next_attempt_at'])
        .where(sql<boolean>`done_at is null`)
        .execute()
      await database.schema
        .createIndex('notifications_leased')
        .on('notifications')
        .columns(['merchant_id', 'lease_until'])
        .where(sql<boolean>`lease_until is not null`)
        .execute()
    },
  },
  '0008_add_previous_secrets': {
    async up(database) {
      await database.schema.alterTable('merchants').addColumn('previous_secret', 'text').execute()
      await database.schema.alterTable('merchants').addColumn('previous_until', 'bigint').execute()
    },
  },
  '0009_add_first_statuses': {
    up: (database) =>
      database.schema.alterTable('transactions').addColumn('first_status', 'text').execute(),
  },
  '0010_index_by_store': {
    async up(database) {
      await database.schema
        .createIndex('notifications_of_store')
        .on('notifications')
        .columns(['merchant_id', 'created_at', 'transaction_code', 'position'])
        .execute()
      await database.schema
        .createIndex('refunds_of_store')
        .on('refunds')
        .columns(['merchant_id', 'id'])
        .execute()
    },
  },
  '0011_block_later_notifications': {
    async up(database) {
      await database.schema
        .alterTable('notifications')
        .addColumn('blocked', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await sql`update notifications set blocked = 1 where done_at is null and exists (
        select 1 from notifications as earlier
        where earlier.transaction_code = notifications.transaction_code
          and earlier.position < notifications.position and earlier.done_at is null
      )`.execute(database)
      await database.schema.dropIndex('notifications_due_of_store').execute()
      // What is due for one store; what is unfinished.
      await database.schema
        .createIndex('notifications_due')
        .on('notifications')
        .columns(['merchant_id', 'next_attempt_at'])
        .where(sql<boolean>`done_at is null and blocked = 0`)
        .execute()
      await database.schema
        .createIndex('notifications_unfinished')
        .on('notifications')
        .column('merchant_id')
        .where(sql<boolean>`done_at is null`)
        .execute()
    },
  },
  '0012_create_acknowledging_stores': {
    up: (database) =>
      database.schema
        .createTable('acknowledging_stores')
        .addColumn('merchant_id', 'text', (column) => column.primaryKey())
        .execute(),
  },
  '0013_add_card_activations': {
    async up(database) {
      await database.schema.alterTable('transactions').addColumn('activate_at', 'bigint').execute()
      // What the worker looks for: few rows of a large table.
      await database.schema
        .createIndex('transactions_activating')
        .on('transactions')
        .column('activate_at')
        .where(sql<boolean>`activate_at is not null`)
        .execute()
    },
  },
  '0014_index_transactions_under_review': {
    up: (database) =>
      database.schema
        .createIndex('transactions_under_review')
        .on('transactions')
        .columns(['status_changed_at', 'code', 'open'])
        .where(sql<boolean>`status = 'UNDER-REVIEW'`)
        .execute(),
  },
  '0015_count_purchases': {
    async up(database) {
      await database.schema
        .createTable('payer_purchases')
        .addColumn('payer_document', 'text', (column) => column.notNull())
        .addColumn('day', 'integer', (column) => column.notNull())
        .addColumn('bought', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('payer_purchases_pk', ['payer_document', 'day'])
        .execute()
      // What is old enough to be deleted.
      await database.schema
        .createIndex('payer_purchases_day')
        .on('payer_purchases')
        .column('day')
        .execute()
      // By days of 86,400,000 ms, of the newest 31.
      await sql`insert into payer_purchases (payer_document, day, bought)
        select payer_document, created_at / 86400000, sum(amount) from transactions
        where status not in ('CANCELLED', 'EXPIRED', 'NOT-PAID')
          and created_at / 86400000 >= (select max(created_at) / 86400000 - 30 from transactions)
        group by payer_document, created_at / 86400000`.execute(database)
    },
  },
  '0016_add_store_rules_and_changes': {
    async up(database) {
      await database.schema
        .alterTable('merchants')
        .addColumn('rules', 'text', (column) => column.notNull().defaultTo('specification'))
        .execute()
      await database.schema
        .alterTable('merchants')
        .addColumn('refuses_card_references', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await database.schema
        .createTable('store_changes')
        .addColumn('merchant_id', 'text', (column) => column.notNull())
        .addColumn('position', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('settings', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('store_changes_pk', ['merchant_id', 'position'])
        .execute()
    },
  },
  '0017_create_failing_stores': {
    async up(database) {
      await database.schema
        .createTable('failing_stores')
        .addColumn('merchant_id', 'text', (column) => column.primaryKey())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('probe_at', 'bigint')
        .addColumn('probes', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      // Statuses and refunds no longer wait for each other.
      await sql`update notifications set blocked = 0 where done_at is null and blocked = 1 and not exists (
        select 1 from notifications as earlier
        where earlier.transaction_code = notifications.transaction_code
          and earlier.position < notifications.position and earlier.done_at is null
          and (earlier.refund_id is null) = (notifications.refund_id is null)
      )`.execute(database)
    },
  },
}

async function createTransactions(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('transactions')
    .addColumn('code', 'bigint', (column) => column.primaryKey())
    .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('open', 'integer', (column) => column.notNull())
    .addColumn('payment_type', 'text', (column) => column.notNull())
    .addColumn('sub_type', 'text')
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('charged', 'bigint', (column) => column.notNull())
    .addColumn('installments', 'integer', (column) => column.notNull())
    .addColumn('payer_email', 'text', (column) => column.notNull())
    .addColumn('payer_document', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('notification_url', 'text', (column) => column.notNull())
    .addColumn('saved_card', 'text')
    .addColumn('card_bin', 'text')
    .addColumn('card_last_four', 'text')
    .addColumn('public_id', 'text', (column) => column.notNull())
    .addColumn('payment_details', 'text')
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('paid_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('next_ask_at', 'bigint')
    .addColumn('status_changed_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function indexTransactions(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createIndex('transactions_reference')
    .on('transactions')
    .columns(['merchant_id', 'reference'])
    .unique()
    .execute()
  await database.schema
    .createIndex('transactions_public_id')
    .on('transactions')
    .column('public_id')
    .unique()
    .execute()
  // What the worker looks for: few rows of a large table.
  await database.schema
    .createIndex('transactions_open')
    .on('transactions')
    .column('next_ask_at')
    .where(sql<boolean>`open = 1`)
    .execute()
  await database.schema
    .createIndex('transactions_expiring')
    .on('transactions')
    .column('expires_at')
    .where(sql<boolean>`status = 'PENDING' and expires_at is not null`)
    .execute()
  // What a payer has bought lately.
  await database.schema
    .createIndex('transactions_payer_document')
    .on('transactions')
    .columns(['payer_document', 'created_at'])
    .execute()
  // Each date filter of the search, in the order of its results.
  for (const date of ['created_at', 'paid_at', 'status_changed_at'] as const) {
    await database.schema
      .createIndex(`transactions_${date}`)
      .on('transactions')
      .columns(['merchant_id', date, 'code'])
      .execute()
  }
}
