import process from 'node:process'
import type { QueryResult } from 'kysely'
import pg from 'pg'
import type { PreparedStatement, SqlValue } from '../database/connection.js'

type Result = QueryResult<never>

/** The outcome of statements that were sent together. */
interface Answers {
  /**
   * The results of those before the one that failed, or of all. Each is parsed when it is called,
   * and throws if it cannot be read.
   */
  readonly results: readonly (() => Result)[]
  /** Why the next statement failed. The server skipped those after it. */
  readonly failure: Error | undefined
}

type ReadColumn = (text: string) => unknown
/** The columns of a statement's result, and how to read each. */
type Columns = readonly { readonly name: string; readonly read: ReadColumn }[]

/** A column as the server describes it. */
interface Field {
  readonly name: string
  readonly dataTypeID: Parameters<pg.CustomTypesConfig['getTypeParser']>[0]
}

type Texts = readonly (string | null)[]

/** The statements that the server has prepared, by connection and name. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Columns>>()

/** `INSERT 0 1`, `UPDATE 1`, and not `SELECT 1`. */
const WRITTEN = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/

/** How statements that are sent together are answered. */
export interface Answering {
  /**
   * True to answer each at once: one may wait for long, and the connection must not count as
   * silent.
   */
  readonly eachAtOnce: boolean
}

/**
 * Sends statements that the server answers together. Separate answers would each cost a system call
 * on both sides.
 */
export function askTogether(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
  { eachAtOnce }: Answering = { eachAtOnce: false },
): Promise<Answers> {
  holdWrites(client)
  return new Promise((resolve) => {
    client.query(new StatementBatch(statements, { client, eachAtOnce, answer: resolve }))
  })
}

/**
 * Sends everything that is written in one turn of the event loop together: one system call, one
 * packet.
 */
export function holdWrites({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  // Runs after the promises that this turn has settled, and what they write.
  process.nextTick(() => {
    stream.uncork()
  })
}

interface BatchParts extends Answering {
  readonly client: pg.PoolClient
  readonly answer: (answers: Answers) => void
}

/**
 * pg accepts no other class on a pipelined connection. It calls the methods that begin with
 * `handle`.
 */
export class StatementBatch extends pg.Query {
  readonly statements: readonly PreparedStatement[]
  /** Set by pg if the URL has a `query_timeout`: ends the timeout. */
  declare readonly callback?: () => void
  readonly #parts: BatchParts
  readonly #results: (() => Result)[] = []
  /** By the statement's name. */
  readonly #columns = new Map<string, Columns>()
  #prepared = new Map<string, Columns>()
  #rows: Texts[] = []

  constructor(statements: readonly PreparedStatement[], parts: BatchParts) {
    super({ text: '' })
    this.statements = statements
    this.#parts = parts
  }

  override submit = (connection: pg.Connection): void => {
    this.#prepared = preparedOn.get(connection) ?? new Map<string, Columns>()
    preparedOn.set(connection, this.#prepared)
    for (const { name, sql, parameters } of this.statements) {
      const known = this.#columns.get(name) ?? this.#prepared.get(name)
      this.#columns.set(name, known ?? [])
      if (known === undefined) {
        // The server may know it already, if its first run failed.
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text: sql, types: [] }, true)
        connection.describe({ type: 'S', name }, true)
      }
      connection.bind({ statement: name, values: parameters.map(parameterText) }, true)
      connection.execute({}, true)
      if (this.#parts.eachAtOnce) connection.flush()
    }
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#parts.client.getTypeParser(dataTypeID) as ReadColumn,
    }))
    this.#columns.set(this.#name, columns)
  }

  handleDataRow({ fields }: { readonly fields: Texts }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const columns = this.#columns.get(this.#name) ?? []
    this.#prepared.set(this.#name, columns)
    const rows = this.#rows
    this.#results.push(() => resultOf(columns, rows, text))
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#end(undefined)
  }

  /** Handles a failure of the running statement, or of the connection. */
  handleError(failure: Error): void {
    // The server may or may not know the statements that it did not run.
    for (const { name } of this.statements.slice(this.#results.length)) this.#prepared.delete(name)
    this.#end(failure)
  }

  #end(failure: Error | undefined): void {
    this.callback?.()
    this.#parts.answer({ results: this.#results, failure })
  }

  /** The name of the running statement. */
  get #name(): string {
    return this.statements[this.#results.length]?.name ?? ''
  }
}

function resultOf(columns: Columns, rows: readonly Texts[], completion: string): Result {
  const read = rows.map((texts) => readRow(columns, texts)) as never[]
  const written = WRITTEN.exec(completion)?.[1]
  return written === undefined ? { rows: read } : { rows: read, numAffectedRows: BigInt(written) }
}

function readRow(columns: Columns, texts: Texts): object {
  const row: Record<string, unknown> = {}
  for (const [i, { name, read }] of columns.entries()) {
    const text = texts[i] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}

function parameterText(value: SqlValue): string | null {
  return value === null ? null : String(value)
}
