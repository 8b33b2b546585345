import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Migrations } from './database/database.js'
import { MIGRATION_TABLE } from './database/migrate.js'

/** A schema to which migrations are applied, and how it was then. */
interface UsedSchema {
  readonly name: string
  readonly form: string
  /** Brings its rows back to what they were. */
  readonly reset: string
}

/** What has grown beyond is dropped: what is deleted stays in the files for a while. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

/**
 * Schemas of a PostgreSQL database that tests use one after another. To delete the few rows of a
 * test takes a tenth of what it takes to apply the migrations once more, and leaves the server's
 * catalogue as it is.
 */
export class TestSchemas {
  private readonly free = new Map<Migrations, UsedSchema[]>()
  private readonly used = new Map<string, UsedSchema>()
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** The name of a schema as the migrations have left it, or of one that is not there yet. */
  take(migrations: Migrations): string {
    const schema = this.free.get(migrations)?.pop()
    if (schema === undefined) return `test_${randomUUID().replaceAll('-', '')}`
    this.used.set(schema.name, schema)
    return schema.name
  }

  /** Looks at a schema that has just been opened. */
  async opened(name: string): Promise<void> {
    if (this.used.has(name)) return
    this.used.set(name, await onConnection(this.url, (client) => describe(client, name)))
  }

  /** Makes a schema ready for the next test, or drops one that is no longer as it was made. */
  async giveBack(name: string, migrations: Migrations): Promise<void> {
    const schema = this.used.get(name)
    this.used.delete(name)
    await onConnection(this.url, async (client) => {
      const form = await formOf(client, name)
      if (schema?.form === form) {
        await ask(client, schema.reset)
        this.free.set(migrations, [...(this.free.get(migrations) ?? []), schema])
      } else await ask(client, `drop schema ${name} cascade`)
    })
  }
}

async function describe(client: pg.Client, name: string): Promise<UsedSchema> {
  const reset = await resetOf(client, name)
  return { name, reset, form: await formOf(client, name) }
}

/** Leaves what the migrations have left, past triggers and foreign keys. */
async function resetOf(client: pg.Client, name: string): Promise<string> {
  const tables = await ask<{ table: string }>(
    client,
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
    where schemaname = '${name}' and tablename not like '${MIGRATION_TABLE}%'`,
  )
  const sequences = await ask<{ statement: string }>(
    client,
    `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
      coalesce(last_value, start_value), last_value is not null) as statement
    from pg_sequences where schemaname = '${name}'`,
  )
  const filled: string[] = []
  for (const { table } of tables.rows) {
    const { rows } = await ask<{ rows: string | null }>(
      client,
      `select quote_literal(jsonb_agg(t)::text) as rows from ${table} as t`,
    )
    const left = rows[0]?.rows ?? undefined
    if (left === undefined) continue
    filled.push(`insert into ${table} overriding system value
      select * from jsonb_populate_recordset(null::${table}, ${left})`)
  }
  return [
    'set session_replication_role = replica',
    ...tables.rows.map(({ table }) => `delete from ${table}`),
    ...filled,
    ...sequences.rows.map(({ statement }) => statement),
  ].join(';')
}

/** Changes with every change to the schema, and with what the planner knows of its tables. */
async function formOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await ask<{ form: string }>(
    client,
    `with relations as (
      select oid, xmin, reltuples, relkind from pg_class where relnamespace = '${name}'::regnamespace
    ), parts as (
      select concat_ws(' ', oid, xmin, reltuples) as part from relations
      union all select concat_ws(' ', attrelid, attnum, a.xmin)
        from pg_attribute as a join relations on relations.oid = attrelid
      union all select concat_ws(' ', c.oid, c.xmin)
        from pg_constraint as c where connamespace = '${name}'::regnamespace
      union all select concat_ws(' ', t.oid, t.xmin)
        from pg_trigger as t join relations on relations.oid = tgrelid
      union all select concat_ws(' ', p.oid, p.xmin)
        from pg_proc as p where pronamespace = '${name}'::regnamespace
    )
    select md5(string_agg(part, ',' order by part)) || (
      select sum(pg_relation_size(oid)) > ${KEPT_BYTES_MAX} from relations where relkind = 'r'
    ) as form from parts`,
  )
  return rows[0]?.form ?? ''
}

/** Tests record queries, which begin with other words. */
function ask<Row extends object>(client: pg.Client, text: string): Promise<pg.QueryResult<Row>> {
  return client.query<Row>(`/* of the test engine */ ${text}`)
}

async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
