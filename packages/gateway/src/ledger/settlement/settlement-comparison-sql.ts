// Looks for the payments that lines name, and writes what became of each line.
import type { Connection, Database } from '@cofre/sql'
import type { ExpressionBuilder } from 'kysely'
import {
  type Comparison,
  type PaymentFacts,
  compareLine,
} from '../../model/settlement/settlement-comparison.js'
import { LINES_AT_ONCE } from '../../model/settlement/settlement.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { SettlementFileRow, SettlementLineRow } from '../database/settlement-tables.js'
import { lockFile, setFile } from './settlement-file-store-sql.js'
import { LINE_COLUMNS } from './settlement-line-row.js'
import { type NamedPayments, findNamedPayments } from './named-payments-sql.js'

type Db = Connection<GatewayTables>

/**
 * Compares the next lines of a file, in its order, with what was read outside the unit of work that
 * writes: payments wait for that alone. A worker that was faster has done the same.
 */
export async function compareNext(
  database: Database<GatewayTables>,
  file: SettlementFileRow,
): Promise<void> {
  const { reader } = database
  const lines = await linesAfter(reader, file)
  const last = lines.at(-1)
  if (last === undefined) {
    const results = JSON.stringify(await countResults(reader, file.id))
    await writeNext(database, file, (trx) => setFile(trx, file.id, { state: 'ready', results }))
    return
  }
  const compared = await compareLines(reader, file, lines)
  await writeNext(database, file, async (trx) => {
    await writeResults(trx, compared)
    await setFile(trx, file.id, { compared_to: last.line })
  })
}

/** Unless the file has gone on since it was read, or has more lines. */
async function writeNext(
  database: Database<GatewayTables>,
  { id, compared_to, lines }: SettlementFileRow,
  write: (trx: Db) => Promise<void>,
): Promise<void> {
  await database.transact(async (trx) => {
    const file = await lockFile(trx, id)
    const isSame = file?.compared_to === compared_to && file.lines === lines
    if (isSame && file.state === 'comparing') await write(trx)
  })
}

async function linesAfter(
  reader: Db,
  { id, compared_to }: SettlementFileRow,
): Promise<readonly SettlementLineRow[]> {
  return await reader
    .selectFrom('settlement_lines')
    .select(LINE_COLUMNS)
    .where('file_id', '=', id)
    .where('line', '>', compared_to)
    .orderBy('line')
    .limit(LINES_AT_ONCE)
    .execute()
}

async function compareLines(
  reader: Db,
  file: SettlementFileRow,
  lines: readonly SettlementLineRow[],
): Promise<readonly SettlementLineRow[]> {
  const payments = await findNamedPayments(reader, file, lines)
  const [alike, paid] = await Promise.all([
    countAlike(reader, file, lines),
    findPaidParts(reader, file, payments.codes),
  ])
  return lines.map((line) => {
    const left = alike.get(line.fingerprint) ?? 0
    if (left > 0) {
      alike.set(line.fingerprint, left - 1)
      return withResult(line, undefined, { result: 'repeated' })
    }
    const facts = factsOf(line, payments, paid)
    const compared = compareLine(
      {
        kind: line.kind,
        accountId: file.account_id ?? undefined,
        endToEndId: line.end_to_end_id ?? undefined,
        installment: line.installment ?? undefined,
        installments: line.installments ?? undefined,
        grossMinor: line.gross,
      },
      facts,
    )
    if (line.kind === 'sale' && facts !== undefined) paid.add(partOf(line, facts.transaction.code))
    return withResult(line, facts?.transaction.code, compared)
  })
}

function factsOf(
  line: SettlementLineRow,
  payments: NamedPayments,
  paid: ReadonlySet<string>,
): PaymentFacts | undefined {
  const known = payments.of(line)
  if (known === undefined) return undefined
  return { ...known, isPaidBefore: paid.has(partOf(line, known.transaction.code)) }
}

function partOf({ installment }: Pick<SettlementLineRow, 'installment'>, code: number): string {
  return `${code} ${installment ?? 1}`
}

function withResult(
  line: SettlementLineRow,
  code: number | undefined,
  { result, difference, expectedMinor }: Comparison,
): SettlementLineRow {
  return {
    ...line,
    result,
    difference: difference ?? null,
    expected: expectedMinor ?? null,
    transaction_code: code ?? null,
  }
}

/** The lines of a store, each with when its file was taken. */
function linesOfStore(reader: Db, storeId: string) {
  return reader
    .selectFrom('settlement_lines as l')
    .innerJoin('settlement_files as f', 'f.id', 'l.file_id')
    .where('l.merchant_id', '=', storeId)
}

/** Of a file that was taken before. */
function isBefore({ id, taken_at }: SettlementFileRow) {
  return (of: ExpressionBuilder<{ f: SettlementFileRow }, 'f'>) =>
    of.or([
      of('f.taken_at', '<', taken_at),
      of.and([of('f.taken_at', '=', taken_at), of('f.id', '<', id)]),
    ])
}

/**
 * How many of the lines that say the same stand in files before this one and are not counted in it
 * yet: that many of this file's are repeated.
 */
async function countAlike(
  reader: Db,
  file: SettlementFileRow,
  lines: readonly SettlementLineRow[],
): Promise<Map<string, number>> {
  const { id, merchant_id, compared_to } = file
  const fingerprints = [...new Set(lines.map(({ fingerprint }) => fingerprint))]
  const rows = await linesOfStore(reader, merchant_id)
    .select(({ fn }) => ['l.fingerprint', 'l.file_id', fn.countAll<number>().as('count')])
    .where('l.fingerprint', 'in', fingerprints)
    .where((of) =>
      of.or([
        of.and([isBefore(file)(of), of('l.result', '<>', 'repeated')]),
        of.and([of('l.file_id', '=', id), of('l.line', '<=', compared_to)]),
      ]),
    )
    .groupBy(['l.fingerprint', 'l.file_id'])
    .execute()
  const left = new Map<string, number>()
  for (const { fingerprint, file_id, count } of rows) {
    const more = file_id === id ? -count : count
    left.set(fingerprint, (left.get(fingerprint) ?? 0) + more)
  }
  return left
}

/** Which parts of these payments lines before the next ones have paid. */
async function findPaidParts(
  reader: Db,
  file: SettlementFileRow,
  codes: readonly number[],
): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const { id, merchant_id, compared_to } = file
  const rows = await linesOfStore(reader, merchant_id)
    .select(['l.transaction_code', 'l.installment'])
    .where('l.transaction_code', 'in', codes)
    .where('l.kind', '=', 'sale')
    .where('l.result', 'in', ['matched', 'different'])
    .where((of) =>
      of.or([
        isBefore(file)(of),
        of.and([of('l.file_id', '=', id), of('l.line', '<=', compared_to)]),
      ]),
    )
    .execute()
  return new Set(rows.map((row) => partOf(row, row.transaction_code ?? 0)))
}

async function writeResults(trx: Db, lines: readonly SettlementLineRow[]): Promise<void> {
  await trx
    .insertInto('settlement_lines')
    .values(lines)
    .onConflict((conflict) =>
      conflict.columns(['file_id', 'line']).doUpdateSet((of) => ({
        result: of.ref('excluded.result'),
        difference: of.ref('excluded.difference'),
        expected: of.ref('excluded.expected'),
        transaction_code: of.ref('excluded.transaction_code'),
      })),
    )
    .execute()
}

async function countResults(reader: Db, fileId: number): Promise<Readonly<Record<string, number>>> {
  const rows = await reader
    .selectFrom('settlement_lines')
    .select(({ fn }) => ['result', fn.countAll<number>().as('count')])
    .where('file_id', '=', fileId)
    .groupBy('result')
    .execute()
  return Object.fromEntries(rows.map(({ result, count }) => [result, count]))
}
