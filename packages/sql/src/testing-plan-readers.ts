import { type Kysely, sql } from 'kysely'
import type { Database } from './database/database.js'

/** How a plan reads a table. */
export interface Read {
  readonly table: string
  /** Undefined if the table itself is read. */
  readonly index: string | undefined
  /** Columns that bound the search in the index; none if it is read from end to end. */
  readonly bound: readonly string[]
  /** True if rows come in the wanted order, and only as many as are wanted. */
  readonly stopsEarly: boolean
}

export interface TableIndex {
  readonly name: string
  readonly table: string
  readonly leadingColumn: string
  readonly isPartial: boolean
  /**
   * True for an index of a constraint, such as a primary key, or of a partitioned table: it can't
   * be dropped alone.
   */
  readonly isOfConstraint: boolean
}

/**
 * Asks an engine how it would run a query, within a unit of work that is undone. A read of a
 * partition counts as a read of its table.
 */
export interface PlanReader {
  /** On SQLite, all except those of constraints, of which it reads no later column. */
  indexes(): Promise<readonly TableIndex[]>
  /** Makes the engine treat the tables as large, if its plans depend on size. */
  pretendLarge(tables: readonly string[]): Promise<void>
  readsOf(query: string): Promise<readonly Read[]>
}

export function planReaderOf<Tables>(
  { dialect }: Pick<Database<Tables>, 'dialect'>,
  trx: Kysely<Tables>,
): PlanReader {
  return dialect.engine === 'sqlite' ? sqlitePlans(trx) : postgresPlans(trx)
}

let explained = 0

function sqlitePlans<Tables>(trx: Kysely<Tables>): PlanReader {
  return {
    async indexes() {
      const { rows } = await sql<{ name: string; table: string; first: string; part: number }>`
        select i.name, i.tbl_name as "table", c.name as "first", i.sql like '% where %' as part
        from sqlite_master i, pragma_index_info(i.name) c
        where i.type = 'index' and i.sql is not null and c.seqno = 0`.execute(trx)
      return rows.map(({ name, table, first, part }) => ({
        name,
        table,
        leadingColumn: first,
        isPartial: part === 1,
        isOfConstraint: false,
      }))
    },
    pretendLarge: () => Promise.resolve(),
    async readsOf(query) {
      // Prepared anew each time: a cached plan doesn't notice a dropped index.
      const explain = sql.raw(`explain query plan /* ${++explained} */ ${query}`)
      const { rows } = await sql<{ detail: string }>`${explain}`.execute(trx)
      const details = rows.map(({ detail }) => detail)
      const isSorted = details.some((detail) => detail.startsWith('USE TEMP B-TREE'))
      const stopsEarly = /\blimit\b/.test(query) && !isSorted
      return details.flatMap((detail) => sqliteRead(detail, query, stopsEarly))
    },
  }
}

const SQLITE_READ =
  /^(?:SCAN|SEARCH) (?<name>\w+)(?: USING (?:(?:COVERING )?INDEX (?<index>\w+)|.*?PRIMARY KEY))?(?: \((?<bound>.*)\))?$/

function sqliteRead(detail: string, query: string, stopsEarly: boolean): Read[] {
  const { name, index, bound = '' } = SQLITE_READ.exec(detail)?.groups ?? {}
  if (name === undefined) return []
  const table = new RegExp(`"(\\w+)" as "${name}"`).exec(query)?.[1] ?? name
  const columns = [...bound.matchAll(/(\w+)[=<>]/g)].map(([, column = '']) => column)
  return [{ table, index, bound: columns, stopsEarly }]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

const LARGE_ROWS = 2_000_000

function postgresPlans<Tables>(trx: Kysely<Tables>): PlanReader {
  let knownIndexes: Promise<readonly TableIndex[]> | undefined
  let knownPartitions: Promise<ReadonlyMap<string, string>> | undefined
  const indexes = async (): Promise<readonly TableIndex[]> => {
    const { rows } = await sql<{
      name: string
      table: string
      first: string
      part: boolean
      constrains: boolean
    }>`select i.relname as name, ${tableOfPartition} as "table", a.attname as "first",
        x.indpred is not null as part, i.relispartition or
          exists (select from pg_constraint c where c.conindid = i.oid) as constrains
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class t on t.oid = x.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where i.relnamespace = current_schema()::regnamespace`.execute(trx)
    return rows.map(({ name, table, first, part, constrains }) => ({
      name,
      table,
      leadingColumn: first,
      isPartial: part,
      isOfConstraint: constrains,
    }))
  }
  const partitions = async (): Promise<ReadonlyMap<string, string>> => {
    const { rows } = await sql<{ name: string; table: string }>`
      select t.relname as name, ${tableOfPartition} as "table" from pg_class t
      where t.relnamespace = current_schema()::regnamespace and t.relispartition
        and t.relkind = 'r'`.execute(trx)
    return new Map(rows.map(({ name, table }) => [name, table]))
  }
  return {
    indexes,
    async pretendLarge(tables) {
      await forgetRows(trx, tables)
      // The planner expects these rows on the table's one page. Without sequential scans, it also
      // uses indexes that are nearly empty.
      await sql`update pg_class t set reltuples = ${LARGE_ROWS}, relpages = 1
        where relnamespace = current_schema()::regnamespace
          and ${tableOfPartition} in (${sql.join(tables)})`.execute(trx)
      await sql`set local enable_seqscan = off`.execute(trx)
    },
    async readsOf(query) {
      const explained = await sql<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>`
        explain (generic_plan, format json) ${sql.raw(query)}`.execute(trx)
      const [plan] = explained.rows[0]?.['QUERY PLAN'] ?? []
      const known = await (knownIndexes ??= indexes())
      const partitioned = await (knownPartitions ??= partitions())
      const tableOf = ({ 'Relation Name': table, 'Index Name': index }: PlanNode) =>
        table === undefined
          ? known.find(({ name }) => name === index)?.table
          : (partitioned.get(table) ?? table)
      return plan === undefined ? [] : postgresReads(plan.Plan, { tableOf, stopsEarly: false })
    },
  }
}

/** The partitioned table that the relation `t` is a part of, else itself. */
const tableOfPartition = sql`coalesce(
  (select root.relname from pg_class root where root.oid = pg_partition_root(t.oid)), t.relname)`

/**
 * Makes plans depend on the schema alone, not on an earlier test, a vacuum or an analysis. A table
 * has one row, because one without a page is known to be empty. In a partition's row, each bigint
 * column has the number that its range begins with.
 */
async function forgetRows<Tables>(trx: Kysely<Tables>, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ table: string; of: string; row: string }>`
    select t.relname as "table", ${tableOfPartition} as "of", jsonb_object_agg(a.attname,
      case a.atttypid when 'bigint'::regtype then coalesce(
        substring(pg_get_expr(t.relpartbound, t.oid) from 'FROM \\(''(\\d+)''\\)'), '1') else '1' end
      )::text as "row"
    from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.attnotnull
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
    group by t.oid`.execute(trx)
  await sql`truncate ${sql.join(rows.map(({ table }) => sql.table(table)))}`.execute(trx)
  await sql`delete from pg_statistic where starelid in (
    select oid from pg_class where relnamespace = current_schema()::regnamespace)`.execute(trx)
  // The row refers to rows that don't exist.
  await sql`set local session_replication_role = replica`.execute(trx)
  for (const { table, row } of rows.filter(({ of }) => tables.includes(of)))
    await sql`/* of the test engine */ insert into ${sql.table(table)} overriding system value
      select * from jsonb_populate_record(null::${sql.table(table)}, ${row}::jsonb)`.execute(trx)
}

/** Nodes that must have all rows before they return one. */
const GATHERING = /Sort|Aggregate|Hash|Bitmap|Materialize/

function postgresReads(
  node: PlanNode,
  context: {
    readonly tableOf: (node: PlanNode) => string | undefined
    readonly stopsEarly: boolean
  },
): Read[] {
  const type = node['Node Type']
  const index = node['Index Name']
  const stopsEarly = type === 'Limit' || (context.stopsEarly && !GATHERING.test(type))
  const below = (node.Plans ?? []).flatMap((child) =>
    postgresReads(child, { ...context, stopsEarly }),
  )
  // A bitmap's scan of the table reads only what the index scans below it have found.
  if (!type.endsWith('Scan') || type === 'Bitmap Heap Scan') return below
  const table = context.tableOf(node)
  if (table === undefined) return below
  const conditions = node['Index Cond'] ?? ''
  const bound = [...conditions.matchAll(/(\w+)"?\)?(?:::[\w ]+)? (?:=|<|>|<=|>=|IS) /g)]
  return [
    ...below,
    { table, index, bound: bound.map(([, column = '']) => column), stopsEarly: context.stopsEarly },
  ]
}
