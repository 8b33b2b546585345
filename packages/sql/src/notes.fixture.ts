import type { Migrations } from './database/database.js'

export interface Note {
  id: number
  text: string
}

export interface NotesTables {
  notes: Note
}

export const NOTES_MIGRATIONS: Migrations = {
  '0001_create_notes': {
    up: (schema) =>
      schema.schema
        .createTable('notes')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute(),
  },
}
