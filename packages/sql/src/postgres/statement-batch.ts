import process from 'node:process'
import type { QueryResult } from 'kysely'
import pg from 'pg'
import type { PreparedStatement, SqlValue } from '../database/connection.js'

type Result = QueryResult<never>

/** What became of statements that were asked together. */
export interface Answers {
  /** Of those before the one that failed, or of all. */
  readonly results: readonly Result[]
  /** Why the next one failed. The server skipped those after it. */
  readonly failure: Error | undefined
}

type ReadColumn = (text: string) => unknown
/** The columns of what a statement returns, and how to read each. */
type Columns = readonly { readonly name: string; readonly read: ReadColumn }[]

/** A column as the server describes it. */
interface Field {
  readonly name: string
  readonly dataTypeID: Parameters<pg.CustomTypesConfig['getTypeParser']>[0]
}

/** What the server has prepared, by connection and name. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Columns>>()

/** `INSERT 0 1`, `UPDATE 1`, and not `SELECT 1`. */
const WRITTEN = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/

/**
 * Asks for statements that the server answers together: one by one, each answer would be a system
 * call of the server and one of ours.
 */
export function askTogether(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<Answers> {
  holdWrites(client)
  return new Promise((resolve) => {
    client.query(new StatementBatch(statements, client, resolve))
  })
}

/** What is written in one turn of the event loop leaves together: one system call, one packet. */
export function holdWrites({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  // After the promises that this turn has settled, and what they write.
  process.nextTick(() => {
    stream.uncork()
  })
}

/** pg takes no other class on a pipelined connection. It calls what begins with `handle`. */
export class StatementBatch extends pg.Query {
  readonly statements: readonly PreparedStatement[]
  readonly #types: pg.CustomTypesConfig
  readonly #answer: (answers: Answers) => void
  readonly #results: Result[] = []
  #prepared = new Map<string, Columns>()
  #columns: Columns | undefined
  #rows: object[] = []

  constructor(
    statements: readonly PreparedStatement[],
    types: pg.CustomTypesConfig,
    answer: (answers: Answers) => void,
  ) {
    super({ text: '' })
    this.statements = statements
    this.#types = types
    this.#answer = answer
  }

  override submit = (connection: pg.Connection): void => {
    this.#prepared = preparedOn.get(connection) ?? new Map<string, Columns>()
    preparedOn.set(connection, this.#prepared)
    const preparing = new Set<string>()
    for (const { name, sql, parameters } of this.statements) {
      if (!this.#prepared.has(name) && !preparing.has(name)) {
        preparing.add(name)
        // Where it failed when it ran first, the server may know it.
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text: sql, types: [] }, true)
        connection.describe({ type: 'S', name }, true)
      }
      connection.bind({ statement: name, values: parameters.map(textOf) }, true)
      connection.execute({}, true)
    }
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#types.getTypeParser(dataTypeID) as ReadColumn,
    }))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#columns ??= this.#prepared.get(this.#name) ?? []
    try {
      this.#rows.push(readRow(this.#columns, fields))
    } catch (error) {
      this.handleError(error as Error)
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (!this.#prepared.has(this.#name)) this.#prepared.set(this.#name, this.#columns ?? [])
    const written = WRITTEN.exec(text)?.[1]
    const rows = this.#rows as never[]
    this.#results.push(
      written === undefined ? { rows } : { rows, numAffectedRows: BigInt(written) },
    )
    this.#columns = undefined
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#answer({ results: this.#results, failure: undefined })
  }

  /** Of the statement that is run, or of the connection. The first one counts. */
  handleError(failure: Error): void {
    this.#answer({ results: [...this.#results], failure })
  }

  /** Of the statement that is run. */
  get #name(): string {
    return this.statements[this.#results.length]?.name ?? ''
  }
}

function readRow(columns: Columns, texts: readonly (string | null)[]): object {
  const row: Record<string, unknown> = {}
  for (const [i, { name, read }] of columns.entries()) {
    const text = texts[i] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}

function textOf(value: SqlValue): string | null {
  return value === null ? null : String(value)
}
