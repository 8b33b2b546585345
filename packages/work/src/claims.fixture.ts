// A table of errands: when each is due, until when it is leased, and how often it failed.
import { type Database, type Migrations, openDatabase } from '@cofre/sql'
import { type Kysely, sql } from 'kysely'
import { type Claim, type Due, claim } from './claim.js'
import { growingMs } from './growing.js'

export interface ErrandRow {
  id: number
  subject: string
  next_at: number | null
  lease_until: number | null
  attempts: number
  done_at: number | null
}

export interface ErrandTables {
  errands: ErrandRow
}

export const ERRAND_MIGRATIONS: Migrations = {
  '0001_create_errands': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('errands')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('lease_until', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('done_at', 'bigint')
        .execute()
      await sql`create index errands_by_time on errands (next_at) where done_at is null`.execute(db)
    },
  },
}

export const FIRST_PAUSE_MS = 60_000
export const LONGEST_ERRAND_PAUSE_MS = 3_600_000

type Errands = Database<ErrandTables>

type ErrandClaim = Claim<ErrandTables, 'errands', ErrandRow>

/** Claims errands; one that isn't ended is due again after pauses that double. */
export function claimErrands(
  database: Pick<Errands, 'reader' | 'transact'>,
  nowMs: number,
  {
    limit = 20,
    lease,
    key = ['id'],
    ...turns
  }: Partial<Pick<Due, 'limit' | 'lease'> & Pick<ErrandClaim, 'key' | 'turns'>> = {},
): Promise<readonly ErrandRow[]> {
  return claim(database, {
    ...turns,
    table: 'errands',
    key,
    rows: (db) => db.selectFrom('errands').selectAll().where('done_at', 'is', null),
    due: {
      at: 'next_at',
      longestMs: LONGEST_ERRAND_PAUSE_MS,
      nowMs,
      limit,
      ...(lease && { lease }),
    },
    take: ({ attempts }) => ({
      attempts: attempts + 1,
      next_at: nowMs + growingMs(FIRST_PAUSE_MS, LONGEST_ERRAND_PAUSE_MS, attempts),
      ...(lease && { lease_until: (lease.nowMs ?? nowMs) + lease.longestMs }),
    }),
  })
}

/** Claims an errand if no other of its subject is under way. */
export function claimOneOfSubject(
  database: Pick<Errands, 'reader' | 'transact'>,
  nowMs: number,
): Promise<readonly ErrandRow[]> {
  return claim(database, {
    turns: 'errands',
    table: 'errands',
    key: ['id'],
    rows: (db) =>
      db.selectFrom('errands').selectAll().where(sql<boolean>`not exists (
        select 1 from errands as other
        where other.subject = errands.subject and other.lease_until > ${nowMs})`),
    due: { at: 'next_at', longestMs: LONGEST_ERRAND_PAUSE_MS, nowMs, limit: 1 },
    take: () => ({ lease_until: nowMs + FIRST_PAUSE_MS }),
  })
}

export async function endErrand(
  database: Pick<Errands, 'transact'>,
  id: number,
  nowMs: number,
): Promise<void> {
  await database.transact((trx) =>
    trx
      .updateTable('errands')
      .set({ done_at: nowMs, next_at: null, lease_until: null })
      .where('id', '=', id)
      .execute(),
  )
}

/** Errands with ids from the given one, all due since the same time. */
export async function addErrands(
  database: Errands,
  {
    from,
    count,
    dueAtMs,
  }: { readonly from: number; readonly count: number; readonly dueAtMs: number },
): Promise<void> {
  await database.transact(async (trx) => {
    await sql`
      with recursive numbers(id) as (
        select cast(${from} as bigint)
        union all
        select id + 1 from numbers where id < ${from + count - 1}
      )
      insert into errands (id, subject, next_at, attempts)
      select id, 'a', cast(${dueAtMs} as bigint), 0 from numbers
    `.execute(trx)
  })
}

export const openErrands = (url: string, schema: string): Promise<Errands> =>
  openDatabase<ErrandTables>({ url, schema, migrations: ERRAND_MIGRATIONS })
