import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Database, Migrations } from './database/database.js'
import { MIGRATION_TABLE } from './database/migrate.js'
import { connectionsTo, openOn, openPostgresDatabase } from './postgres/postgres-database.js'
import type { ConnectionPool } from './postgres/primary-pool.js'

/** A schema whose migrations are applied, and its form at that time. */
interface UsedSchema {
  readonly name: string
  readonly pool: ConnectionPool
  readonly form: string
  /** Insert the rows and set the sequences that the migrations left. */
  readonly refill: readonly string[]
}

/** A schema that has grown beyond this is dropped: deleted rows stay in the files for a while. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

/**
 * Schemas of a PostgreSQL database that tests use one after another. Deleting a test's few rows
 * takes a tenth of the time of the migrations, and leaves the server's catalogue as it is.
 */
export class TestSchemas {
  readonly #free = new Map<Migrations, UsedSchema[]>()
  readonly #url: string
  #client: Promise<pg.Client> | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Opens a schema as the migrations left it, until it is closed. */
  async open<Tables>(migrations: Migrations, attached: unknown): Promise<Database<Tables>> {
    const schema = this.#free.get(migrations)?.pop() ?? (await this.#make(migrations))
    const pool = new LentPool(schema.pool)
    const database = await openOn<Tables>({ pool, preparedPool: pool }, attached)
    return {
      ...database,
      migrated: Object.keys(migrations),
      close: async () => {
        await database.close()
        await this.#giveBack(schema, migrations)
      },
    }
  }

  async #make(migrations: Migrations): Promise<UsedSchema> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const place = { url: this.#url, schema: name, migrations }
    const database = await openPostgresDatabase(place)
    await database.close()
    const client = await this.#connected()
    const [refill, { form }] = [await refillOf(client, name), await stateOf(client, name)]
    return { name, pool: connectionsTo(place), refill, form }
  }

  /** Makes a schema ready for the next test, or drops one that is no longer as it was made. */
  async #giveBack(schema: UsedSchema, migrations: Migrations): Promise<void> {
    const client = await this.#connected()
    const { form, used } = await stateOf(client, schema.name)
    if (form === schema.form) {
      await ask(client, resetOf(used, schema.refill))
      this.#free.set(migrations, [...(this.#free.get(migrations) ?? []), schema])
      return
    }
    await schema.pool.end()
    await ask(client, `drop schema ${schema.name} cascade`)
  }

  /** One connection for all: a new one takes longer than its queries. */
  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#url)
    // The server ends it when the tests are over.
    client.on('error', () => (this.#client = undefined))
    await client.connect()
    return client
  }
}

/**
 * A pool's connections, lent to one test. The next test finds them open: a new connection costs
 * more than most tests' queries.
 */
class LentPool implements ConnectionPool {
  readonly options: object
  readonly #pool: ConnectionPool
  #lent = 0
  #ending: PromiseWithResolvers<void> | undefined

  constructor(pool: ConnectionPool) {
    this.#pool = pool
    this.options = pool.options
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.#ending !== undefined) throw new Error('the pool has ended')
    this.#lent += 1
    try {
      const client = await this.#pool.connect()
      const release = client.release.bind(client)
      client.release = (broken) => {
        release(broken)
        this.#returned()
      }
      return client
    } catch (error) {
      this.#returned()
      throw error
    }
  }

  /** Resolves when every connection is back. */
  async end(): Promise<void> {
    this.#ending ??= Promise.withResolvers()
    if (this.#lent === 0) this.#ending.resolve()
    await this.#ending.promise
  }

  #returned(): void {
    this.#lent -= 1
    if (this.#lent === 0) this.#ending?.resolve()
  }
}

/**
 * The statements that restore the rows as the migrations left them, past triggers and foreign keys.
 * @param used - The tables with rows, or with deleted ones.
 */
function resetOf(used: readonly string[], refill: readonly string[]): string {
  return [
    'set session_replication_role = replica',
    ...used.map((table) => `delete from ${table}`),
    ...refill,
  ].join(';')
}

async function refillOf(client: pg.Client, name: string): Promise<readonly string[]> {
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
  return [...filled, ...sequences.rows.map(({ statement }) => statement)]
}

/**
 * Records every change to a schema of the database. Comparing the catalogue takes longer than
 * everything else between two tests.
 */
export const NOTE_CHANGES = `
  create table public.changed_schemas (name text);
  create index on public.changed_schemas (name);
  create function public.note_change() returns event_trigger language plpgsql as $$ begin
    if tg_event = 'sql_drop' then
      insert into public.changed_schemas select schema_name from pg_event_trigger_dropped_objects();
    else
      insert into public.changed_schemas select schema_name from pg_event_trigger_ddl_commands();
    end if;
  end $$;
  create event trigger made on ddl_command_end execute function public.note_change();
  create event trigger dropped on sql_drop execute function public.note_change();
  alter event trigger made enable always;
  alter event trigger dropped enable always`

interface SchemaState {
  /** A text that changes with the schema, and with the planner's statistics of its tables. */
  readonly form: string
  /** The tables whose files have content. The others, most of them, need no statement. */
  readonly used: readonly string[]
}

async function stateOf(client: pg.Client, name: string): Promise<SchemaState> {
  const { rows } = await ask<SchemaState>(
    client,
    `select concat_ws(' ', (select count(*) from public.changed_schemas where name = '${name}'),
      sum(reltuples), sum(bytes) > ${KEPT_BYTES_MAX}) as form,
      coalesce(array_agg(name order by name) filter (where bytes > 0), '{}') as used
    from (
      select reltuples, format('%I.%I', '${name}', relname) as name,
        case when relkind = 'r' and relname not like '${MIGRATION_TABLE}%'
          then pg_relation_size(oid) end as bytes
      from pg_class where relnamespace = '${name}'::regnamespace
    ) as relations`,
  )
  return rows[0] ?? { form: '', used: [] }
}

/** Tests record queries by their first word, so the comment keeps these out. */
function ask<Row extends object>(client: pg.Client, text: string): Promise<pg.QueryResult<Row>> {
  return client.query<Row>(`/* of the test engine */ ${text}`)
}
