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
}
