// Finds the payments that lines name, and writes each line's result.
import type { Connection, Database } from '@cofre/sql'
import type { ExpressionBuilder } from 'kysely'
import { type Comparison, type LineBefore, compareLine } from '../model/settlement-comparison.js'
import type { SettlementFormats } from '../model/settlement-formats.js'
import { LINES_AT_ONCE, UNSETTLED } from '../model/settlement.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementDayRow, SettlementFileRow, SettlementLineRow } from './settlement-tables.js'
import { lockFile, setFile, settlementsLock } from './settlement-file-store-sql.js'
import { LINE_COLUMNS } from './settlement-line-row.js'
import { type NamedPayments, findNamedPayments } from './named-payments-sql.js'

type Db = Connection<RoomTables>

/**
 * Compares the next lines of a file, in its order. Payments are read outside the unit of work that
 * writes. Within it, results are written for one file of a store at a time, in the order of import.
 */
export async function compareNext(
  database: Database<RoomTables>,
  file: SettlementFileRow,
  formats: SettlementFormats,
): Promise<void> {
  const { reader } = database
  // Lines of an unknown format are compared by their other names.
  const { namesCharges = false } = formats.find(file.format) ?? {}
  const named = await linesAfter(reader, file)
  const payments =
    named.length > 0 ? await findNamedPayments(reader, { ...file, namesCharges }, named) : undefined
  await database.transact(async (trx) => {
    await trx.run(settlementsLock(file.merchant_id))
    const locked = await lockFile(trx, file.id)
    // The file has advanced since it was read, or has more lines.
    const isSame = locked?.compared_to === file.compared_to && locked.lines === file.lines
    if (!isSame || locked.state !== 'comparing') return
    // The results of an earlier file are unknown until it is compared.
    if (await isAnotherFirst(trx, file)) return
    // Read again, because the comparison may have ended and restarted meanwhile.
    const lines = await linesAfter(trx, file)
    const last = lines.at(-1)
    if (last === undefined || payments === undefined) {
      await setFile(trx, file.id, { state: 'ready' })
      return
    }
    const compared = await compareLines(trx, file, { lines, payments })
    await writeResults(trx, compared)
    await addUp(trx, lines, compared)
    await setFile(trx, file.id, { compared_to: last.line })
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

async function isAnotherFirst(trx: Db, file: SettlementFileRow): Promise<boolean> {
  const first = await trx
    .selectFrom('settlement_files as f')
    .select('f.id')
    .where('f.merchant_id', '=', file.merchant_id)
    .where('f.state', '=', 'comparing')
    .where(isBefore(file))
    .limit(1)
    .executeTakeFirst()
  return first !== undefined
}

interface Found {
  readonly lines: readonly SettlementLineRow[]
  readonly payments: NamedPayments
}

async function compareLines(
  trx: Db,
  file: SettlementFileRow,
  { lines, payments }: Found,
): Promise<readonly SettlementLineRow[]> {
  const repeated = await findRepeated(trx, file, lines)
  const before = await findLinesBefore(trx, file, payments.codes)
  return lines.map((line) => {
    if (repeated.has(line.fingerprint)) return withResult(line, undefined, { result: 'repeated' })
    const known = payments.of(line)
    const part = partOf(line, known?.transaction.code)
    const earlier = before.get(part) ?? []
    const compared = compareLine(
      {
        kind: line.kind,
        accountId: file.account_id ?? undefined,
        endToEndId: line.end_to_end_id ?? undefined,
        installment: line.installment ?? undefined,
        installments: line.installments ?? undefined,
        grossMinor: line.gross,
      },
      known && { ...known, before: earlier },
    )
    const result = withResult(line, known?.transaction.code, compared)
    if (known !== undefined) {
      earlier.push(lineBefore(result))
      before.set(part, earlier)
    }
    return result
  })
}

function partOf({ installment }: Pick<SettlementLineRow, 'installment'>, code = 0): string {
  return `${code} ${installment ?? 1}`
}

function lineBefore({
  kind,
  gross,
  result,
}: Pick<SettlementLineRow, 'kind' | 'gross' | 'result'>): LineBefore {
  return { kind, grossMinor: gross, isMatched: result === 'matched' }
}

function withResult(
  line: SettlementLineRow,
  code: number | undefined,
  { result, difference, expectedMinor }: Comparison,
): SettlementLineRow {
  const isLookedAt =
    line.resolved_at !== null &&
    line.difference === (difference ?? null) &&
    UNSETTLED.some((unsettled) => unsettled === result)
  return {
    ...line,
    result: isLookedAt ? 'resolved' : result,
    difference: difference ?? null,
    expected: expectedMinor ?? null,
    transaction_code: code ?? null,
  }
}

/** The lines of a store, each with its file's time of import. */
function linesOfStore(reader: Db, storeId: string) {
  return reader
    .selectFrom('settlement_lines as l')
    .innerJoin('settlement_files as f', 'f.id', 'l.file_id')
    .where('l.merchant_id', '=', storeId)
}

/** Matches files that were imported earlier. */
function isBefore({ id, taken_at }: SettlementFileRow) {
  return (of: ExpressionBuilder<{ f: SettlementFileRow }, 'f'>) =>
    of.or([
      of('f.taken_at', '<', taken_at),
      of.and([of('f.taken_at', '=', taken_at), of('f.id', '<', id)]),
    ])
}

/** The fingerprints of those lines that an earlier file has. */
async function findRepeated(
  reader: Db,
  file: SettlementFileRow,
  lines: readonly SettlementLineRow[],
): Promise<ReadonlySet<string>> {
  const rows = await linesOfStore(reader, file.merchant_id)
    .select('l.fingerprint')
    .where(
      'l.fingerprint',
      'in',
      lines.map(({ fingerprint }) => fingerprint),
    )
    .where(isBefore(file))
    .execute()
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

/** More lines than files contain about the payments of one part of a file. */
const LINES_BEFORE_MAX = 10_000

/** Earlier lines of these payments, by part. */
async function findLinesBefore(
  trx: Db,
  file: SettlementFileRow,
  codes: readonly number[],
): Promise<Map<string, LineBefore[]>> {
  if (codes.length === 0) return new Map()
  const { id, merchant_id, compared_to } = file
  const rows = await linesOfStore(trx, merchant_id)
    .select(['l.transaction_code', 'l.installment', 'l.kind', 'l.gross', 'l.result'])
    .where('l.transaction_code', 'in', codes)
    .where('l.result', 'in', ['matched', 'different', 'resolved'])
    .where((of) =>
      of.or([
        isBefore(file)(of),
        of.and([of('l.file_id', '=', id), of('l.line', '<=', compared_to)]),
      ]),
    )
    .limit(LINES_BEFORE_MAX)
    .execute()
  const byPart = Map.groupBy(rows, (row) => partOf(row, row.transaction_code ?? 0))
  return new Map([...byPart].map(([part, lines]) => [part, lines.map(lineBefore)]))
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

/** Adds the lines' results to their days, and subtracts those of an earlier comparison. */
export async function addUp(
  trx: Db,
  before: readonly SettlementLineRow[],
  after: readonly SettlementLineRow[],
): Promise<void> {
  const days = new Map<string, SettlementDayRow>()
  const add = (line: SettlementLineRow, sign: 1 | -1): void => {
    const { merchant_id, day, file_id, result } = line
    if (result === 'new') return
    const key = `${day} ${result}`
    const sum = days.get(key) ?? { merchant_id, day, file_id, result, ...NOTHING }
    days.set(key, {
      ...sum,
      lines: sum.lines + sign,
      gross: sum.gross + sign * line.gross,
      fee: sum.fee + sign * line.fee,
      net: sum.net + sign * line.net,
    })
  }
  for (const line of before) add(line, -1)
  for (const line of after) add(line, 1)
  const changed = [...days.values()].filter(
    ({ lines, gross, fee, net }) => lines !== 0 || gross !== 0 || fee !== 0 || net !== 0,
  )
  if (changed.length === 0) return
  await trx
    .insertInto('settlement_days')
    .values(changed)
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'file_id', 'result']).doUpdateSet((of) => ({
        lines: of('settlement_days.lines', '+', of.ref('excluded.lines')),
        gross: of('settlement_days.gross', '+', of.ref('excluded.gross')),
        fee: of('settlement_days.fee', '+', of.ref('excluded.fee')),
        net: of('settlement_days.net', '+', of.ref('excluded.net')),
      })),
    )
    .execute()
}

const NOTHING = { lines: 0, gross: 0, fee: 0, net: 0 }
