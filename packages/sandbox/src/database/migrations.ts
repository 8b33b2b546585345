import type { Migrations } from '@cofre/sql'

/** The sandbox's own tables, oldest first. A released migration is never edited. */
export const SANDBOX_MIGRATIONS: Migrations = {
  '0001_create_test_clock': {
    async up(database) {
      await database.schema
        .createTable('test_clock')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('offset_ms', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0002_create_requests': {
    async up(database) {
      await database.schema
        .createTable('requests')
        .addColumn('store_id', 'text', (column) => column.notNull())
        .addColumn('id', 'bigint', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('target', 'text', (column) => column.notNull())
        .addColumn('status_code', 'integer', (column) => column.notNull())
        .addColumn('duration_ms', 'integer', (column) => column.notNull())
        .addColumn('transaction_code', 'text')
        .addColumn('request_body', 'text')
        .addColumn('response_body', 'text', (column) => column.notNull())
        .addColumn('error_codes', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('requests_pk', ['store_id', 'id'])
        .execute()
      await database.schema
        .createIndex('requests_of_transaction')
        .on('requests')
        .columns(['store_id', 'transaction_code', 'id'])
        .execute()
      await database.schema
        .createTable('request_milestones')
        .addColumn('store_id', 'text', (column) => column.notNull())
        .addColumn('step', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('request_milestones_pk', ['store_id', 'step'])
        .execute()
    },
  },
  '0003_create_inboxes': {
    async up(database) {
      await database.schema
        .createTable('inboxes')
        .addColumn('store_id', 'text', (column) => column.primaryKey())
        .addColumn('address', 'text', (column) => column.notNull().unique())
        .addColumn('answer', 'integer', (column) => column.notNull())
        .execute()
      await database.schema
        .createTable('inbox_items')
        .addColumn('store_id', 'text', (column) => column.notNull())
        .addColumn('id', 'bigint', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('headers', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('status_code', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('inbox_items_pk', ['store_id', 'id'])
        .execute()
    },
  },
  '0004_create_settlements': {
    async up(database) {
      await database.schema
        .createTable('settlement_modes')
        .addColumn('store_id', 'text', (column) => column.notNull())
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('seconds', 'integer')
        .addPrimaryKeyConstraint('settlement_modes_pk', ['store_id', 'method'])
        .execute()
      await database.schema
        .createTable('bank_events')
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('subject_id', 'bigint', (column) => column.notNull())
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('lease_until', 'bigint')
        .addPrimaryKeyConstraint('bank_events_pk', ['subject', 'subject_id'])
        .execute()
      await database.schema
        .createIndex('bank_events_due')
        .on('bank_events')
        .column('due_at')
        .execute()
    },
  },
}
