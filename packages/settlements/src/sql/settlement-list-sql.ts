// Lists settlements for people.
import { type ListPage, cursorBy, pageOf } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type RawBuilder, sql } from 'kysely'
import {
  type Capture,
  archived,
  dayInBrasilia,
  nextBusinessDay,
  timeOfDayInBrasilia,
} from '@cofre/gateway/room'
import {
  CARD_SETTLES_WITHIN_DAYS,
  type CoveredAccount,
  type SettledDay,
  type SettledLine,
  type SettledLinesQuery,
  type SettlementOutcome,
  type SettlementPeriod,
  codesOf,
} from '../model/settlement.js'
import { BANK_LIST } from '../model/settlement-formats.js'
import type { FoundMissing, MissingList, SettlementLists } from '../model/stores.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementFileRow, SettlementLineRow } from './settlement-tables.js'

type Db = Connection<RoomTables>

export function createSqlSettlementLists({ reader }: Database<RoomTables>): SettlementLists {
  return {
    days: (storeId, period) => readDays(reader, storeId, period),
    lines: (storeId, query) => readLines(reader, storeId, query),
    covered: (storeId) => readCovered(reader, storeId),
    coveredByFiles: () => readCoveredByFiles(reader),
    missing: (storeId, account, list) => readMissing(reader, { storeId, account, list }),
  }
}

/** Cast, because a sum is no integer on PostgreSQL. */
function totalOf(of: RawBuilder<unknown>) {
  return sql<number>`cast(sum(${of}) as bigint)`
}

async function readDays(
  reader: Db,
  storeId: string,
  { fromDay, untilDay }: SettlementPeriod,
): Promise<readonly SettledDay[]> {
  const rows = await reader
    .selectFrom('settlement_days')
    .select([
      'day',
      totalOf(sql.ref('lines')).as('lines'),
      totalOf(sql.ref('gross')).as('gross'),
      totalOf(sql.ref('fee')).as('fee'),
      totalOf(sql.ref('net')).as('net'),
      totalOf(sql`case when result in ('different', 'unknown') then lines else 0 end`).as(
        'unsettled',
      ),
    ])
    .where('merchant_id', '=', storeId)
    .where('day', '>=', fromDay)
    .where('day', '<', untilDay)
    .where('result', '<>', 'repeated')
    .where('lines', '>', 0)
    .groupBy('day')
    .orderBy('day', 'desc')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    lines: row.lines,
    grossMinor: row.gross,
    feeMinor: row.fee,
    netMinor: row.net,
    unsettled: row.unsettled,
  }))
}

const LINE_CURSOR = cursorBy({ day: 'integer', fileId: 'bigint', line: 'integer' })

/** Reads each result's part of an index, so that few lines are read, regardless of the total. */
async function readLines(
  reader: Db,
  storeId: string,
  query: SettledLinesQuery,
): Promise<ListPage<SettledLine>> {
  const { results, limit, fileId } = query
  const parts = await Promise.all(
    results.map((result) => readResult(reader, storeId, { ...query, result })),
  )
  const isOfFile = fileId !== undefined
  const found = parts.flat().toSorted((one, other) => {
    if (isOfFile) return one.line - other.line
    return other.day - one.day || other.fileId - one.fileId || other.line - one.line
  })
  return pageOf(found, limit, LINE_CURSOR.of)
}

async function readResult(
  reader: Db,
  storeId: string,
  {
    fileId,
    result,
    period,
    after,
    limit,
  }: SettledLinesQuery & { readonly result: SettlementOutcome },
): Promise<readonly SettledLine[]> {
  const place = LINE_CURSOR.read(after)
  const isOfFile = fileId !== undefined
  const rows = await reader
    .selectFrom('settlement_lines as l')
    .innerJoin('settlement_files as f', 'f.id', 'l.file_id')
    .select(LINE_FIELDS)
    .where('l.merchant_id', '=', storeId)
    .where('l.result', '=', result)
    .where('f.state', '<>', 'removing')
    .$if(isOfFile, (of) => of.where('l.file_id', '=', fileId ?? 0).orderBy('l.line'))
    .$if(isOfFile && place !== undefined, (of) => of.where('l.line', '>', place?.line ?? 0))
    .$if(!isOfFile && period !== undefined, (of) =>
      of.where('l.day', '>=', period?.fromDay ?? 0).where('l.day', '<', period?.untilDay ?? 0),
    )
    .$if(!isOfFile && place !== undefined, (of) =>
      of.where((when) =>
        when(
          when.refTuple('l.day', 'l.file_id', 'l.line'),
          '<',
          when.tuple(place?.day ?? 0, place?.fileId ?? 0, place?.line ?? 0),
        ),
      ),
    )
    .$if(!isOfFile, (of) =>
      of.orderBy('l.day', 'desc').orderBy('l.file_id', 'desc').orderBy('l.line', 'desc'),
    )
    .limit(limit + 1)
    .execute()
  return rows.map((row) => lineOf(row, result))
}

type LineOfList = Omit<
  SettlementLineRow,
  'merchant_id' | 'authorization_code' | 'fingerprint' | 'result'
> &
  Pick<SettlementFileRow, 'format'>

function lineOf(row: LineOfList, result: SettlementOutcome): SettledLine {
  return {
    fileId: row.file_id,
    line: row.line,
    kind: row.kind,
    source: row.format,
    name: row.reference ?? row.acquirer_id ?? row.nsu ?? row.end_to_end_id ?? undefined,
    installment: row.installment ?? undefined,
    installments: row.installments ?? undefined,
    brand: row.brand ?? undefined,
    day: row.day,
    grossMinor: row.gross,
    feeMinor: row.fee,
    netMinor: row.net,
    result,
    difference: row.difference ?? undefined,
    expectedMinor: row.expected ?? undefined,
    transactionCode: row.transaction_code ?? row.named_code ?? undefined,
    resolution:
      result === 'resolved'
        ? { actor: row.resolved_by ?? '', note: row.note ?? '', atMs: row.resolved_at ?? 0 }
        : undefined,
  }
}

const LINE_FIELDS = [
  'l.file_id',
  'l.line',
  'l.kind',
  'f.format',
  'l.reference',
  'l.acquirer_id',
  'l.nsu',
  'l.end_to_end_id',
  'l.named_code',
  'l.installment',
  'l.installments',
  'l.brand',
  'l.day',
  'l.gross',
  'l.fee',
  'l.net',
  'l.difference',
  'l.expected',
  'l.transaction_code',
  'l.resolved_at',
  'l.resolved_by',
  'l.note',
] as const

/** By then, the bank's list contains the payments of a day. */
const PIX_LISTED_AFTER_DAYS = 1

/**
 * The maximum days without a payout between two files: weekends, holidays, and days without an
 * upload.
 */
const GAP_DAYS = 7

/** True if a payment that is in neither file counts as missing. */
function isNear(day: number, next: number): boolean {
  return next <= day + GAP_DAYS
}

/** True if no chargeback can be in a file between them. */
function isNextBusinessDay(day: number, next: number): boolean {
  const textOf = (one: number): string => dayInBrasilia(timeOfDayInBrasilia(one))
  return nextBusinessDay(textOf(day + 1)) >= textOf(next)
}

async function readCovered(reader: Db, storeId: string): Promise<readonly CoveredAccount[]> {
  const stretches = stretchesOf(
    await readyFiles(reader).where('merchant_id', '=', storeId).execute(),
    isNear,
  )
  return stretches.flatMap(({ accountId, isPix, from, to }) => {
    const settlesWithin = isPix ? PIX_LISTED_AFTER_DAYS : CARD_SETTLES_WITHIN_DAYS
    // The first day may be listed only in part.
    const covered = { fromDay: from + 1, untilDay: to + 1 - settlesWithin }
    return covered.fromDay < covered.untilDay ? [{ accountId, ...covered }] : []
  })
}

async function readCoveredByFiles(reader: Db): Promise<readonly CoveredAccount[]> {
  const files = await readyFiles(reader).where('format', '<>', BANK_LIST).execute()
  const stretches = stretchesOf(files, isNextBusinessDay)
  const last = new Map(stretches.map((stretch) => [stretch.accountId, stretch]))
  return [...last.values()].map(({ accountId, from, to }) => ({
    accountId,
    // The first day may be listed only in part.
    fromDay: from + 1,
    untilDay: to + 1,
  }))
}

function readyFiles(reader: Db) {
  return reader
    .selectFrom('settlement_files')
    .select(['account_id', 'format', 'from_day', 'to_day'])
    .where('state', '=', 'ready')
    .where('account_id', 'is not', null)
    .orderBy('account_id')
    .orderBy('from_day')
}

type ReadyFile = Pick<SettlementFileRow, 'account_id' | 'format' | 'from_day' | 'to_day'>

/** The days of files without a gap between them, account by account. */
function stretchesOf(rows: readonly ReadyFile[], follows: (day: number, next: number) => boolean) {
  const stretches: { accountId: string; isPix: boolean; from: number; to: number }[] = []
  for (const { account_id, format, from_day, to_day } of rows) {
    if (account_id === null || from_day === null || to_day === null) continue
    const last = stretches.at(-1)
    const isPix = format === BANK_LIST
    if (last?.accountId === account_id && follows(last.to, from_day))
      last.to = Math.max(last.to, to_day)
    else stretches.push({ accountId: account_id, isPix, from: from_day, to: to_day })
  }
  return stretches
}

/** The number of payments that one query checks. */
const WINDOW = 2000

interface MissingQuestion {
  readonly storeId: string
  readonly account: CoveredAccount
  readonly list: MissingList
}

/** A refunded payment may never have been paid out. */
const OWED_STATUSES = ['COMPLETE', 'CHARGEBACK'] as const

/** Payments of the account, latest first. */
function paymentsOfAccount(reader: Db, { storeId, account, list }: MissingQuestion) {
  const codes = codesOf(account)
  return reader
    .selectFrom('payment_terms')
    .select('code')
    .where('merchant_id', '=', storeId)
    .where('kind', '=', 'account')
    .where('term', '=', account.accountId)
    .where('code', '>=', codes.from)
    .where('code', '<', Math.min(list.before ?? Infinity, codes.until))
    .orderBy('code', 'desc')
    .limit(WINDOW)
}

/**
 * Reads a limited number of payments at a time, like the walk of terms: few or none are missing.
 */
async function readMissing(reader: Db, question: MissingQuestion): Promise<FoundMissing> {
  const { limit } = question.list
  const outside = await readMissingIn(reader, question)
  const inside = await readMissingIn(archived(reader), question)
  const readTo = Math.max(outside.readTo ?? 0, inside.readTo ?? 0)
  const found = [...outside.items, ...inside.items].filter(({ code }) => code >= readTo)
  // A payment that is archived between both reads is found twice.
  const items = [...new Map(found.map((item) => [item.code, item])).values()]
    .toSorted((one, other) => other.code - one.code)
    .slice(0, limit)
  if (items.length === limit) return { items, readTo: items.at(-1)?.code }
  return { items, readTo: readTo === 0 ? undefined : readTo }
}

/** The captured part of a charge that was captured later; null otherwise. */
function capturedOf(capture: string | null): number | undefined {
  return capture === null ? undefined : (JSON.parse(capture) as Capture).chargedMinor
}

async function readMissingIn(reader: Db, question: MissingQuestion): Promise<FoundMissing> {
  const { storeId, account, list } = question
  const window = paymentsOfAccount(reader, question)
  const rows = await reader
    .selectFrom(window.as('d'))
    .innerJoin('transactions as t', 't.code', 'd.code')
    .select(['t.code', 't.reference', 't.paid_at', 't.charged', 't.capture', 't.installments'])
    .where('t.status', 'in', OWED_STATUSES)
    // A bank's list of PIX contains no boleto that was paid by its line.
    .where('t.payment_type', '<>', 'postpay')
    .where('t.paid_at', '>=', timeOfDayInBrasilia(account.fromDay))
    .where('t.paid_at', '<', timeOfDayInBrasilia(account.untilDay))
    .where((of) =>
      of(
        // Runs row by row: see the walk of terms.
        of
          .selectFrom('settlement_lines as l')
          .select('l.line')
          .where('l.merchant_id', '=', storeId)
          .whereRef('l.transaction_code', '=', 'd.code')
          .where('l.kind', '=', 'sale')
          .where('l.result', 'in', ['matched', 'different', 'resolved'])
          .limit(1),
        'is',
        null,
      ),
    )
    .orderBy('t.code', 'desc')
    .limit(list.limit)
    .execute()
  const items = rows.map((row) => ({
    code: row.code,
    reference: row.reference,
    accountId: account.accountId,
    paidAtMs: row.paid_at ?? 0,
    chargedMinor: capturedOf(row.capture) ?? row.charged,
    installments: row.installments,
  }))
  if (items.length === list.limit) return { items, readTo: items.at(-1)?.code }
  const { count, last } = await reader
    .selectFrom(window.as('d'))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number>('d.code').as('last')])
    .executeTakeFirstOrThrow()
  return { items, readTo: count < WINDOW ? undefined : last }
}
