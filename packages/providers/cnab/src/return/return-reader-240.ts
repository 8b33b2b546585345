import { SettlementFileError } from '@cofre/contracts'
import { inTurns } from '@cofre/work'
import {
  FILE_TRAILER_240,
  HEADER_240,
  LAYOUTS_240,
  LOT_TRAILER_240,
  RECORD_240,
} from './layouts-240.js'
import {
  type FileRecord,
  dateOf,
  lastColumnOf,
  nameOf,
  numberOf,
  columnText,
} from '../record/record-field.js'
import type { HeldTotal, ReturnFile, ReturnHeader, ReturnLine } from '@cofre/provider-kit/bank'
import type { Layout240 } from './return-layout.js'
import { RECORDS_PER_TURN, expectText, widened } from './return-records.js'
import { expectTotal } from './return-reader-400.js'
import { type TitleRules, kindsByCode, titleLine, unreadLine } from './title-line.js'

const WIDTH = 240
/** The width of the records around titles. */
const FRAME_WIDTH = Math.max(
  lastColumnOf(RECORD_240),
  lastColumnOf(LOT_TRAILER_240),
  lastColumnOf(FILE_TRAILER_240),
)
/** Types of records. */
const TYPE = { lotHeader: '1', detail: '3', lotTrailer: '5', fileTrailer: '9' } as const

interface Lot {
  readonly header: FileRecord
  readonly details: readonly FileRecord[]
  readonly trailer: FileRecord
}

/** Reads CNAB 240: a header, lots of titles, a trailer. */
export async function readReturn240(records: readonly FileRecord[]): Promise<ReturnFile> {
  const [first, ...others] = records
  if (first === undefined) throw new SettlementFileError('incomplete', { line: 1 })
  const header = widened(first, WIDTH, lastColumnOf(HEADER_240))
  const { bank, layout } = layoutOf(header)
  const wide: FileRecord[] = []
  for await (const record of inTurns(others, RECORDS_PER_TURN)) {
    wide.push(widened(record, WIDTH, neededOf(record, layout)))
    expectText(record, [1, bank])
  }
  const { lots, trailer } = await partsOf(wide)
  expectTitles(lots)
  const lines: (readonly ReturnLine[])[] = []
  for (const lot of lots) lines.push(await linesOf(lot, layout))
  return {
    layout: 240,
    bank,
    header: headerOf(widened(header, WIDTH, lastColumnOf({ ...layout.header })), layout),
    lines: lines.flat(),
    heldTotals: [
      ...lots.flatMap((lot) => checkLotTotal(lot, layout)),
      ...checkFileTotals(trailer, { lots: lots.length, records: records.length }, layout),
    ],
  }
}

function layoutOf(header: FileRecord): { readonly bank: string; readonly layout: Layout240 } {
  for (const [[, from], expected] of [
    [HEADER_240.lot, '0000'],
    [HEADER_240.recordType, '0'],
    [HEADER_240.direction, '2'],
  ] as const)
    expectText(header, [from, expected], 'wrong-report')
  const bank = columnText(header, HEADER_240.bank)
  const layout = LAYOUTS_240[bank]
  if (layout !== undefined) return { bank, layout }
  const [, column] = HEADER_240.bank
  throw new SettlementFileError('unknown-bank', { line: header.line, column, found: bank })
}

function neededOf(record: FileRecord, { title, money, pixTxid }: Layout240): number {
  if (columnText(record, RECORD_240.recordType) !== TYPE.detail) return FRAME_WIDTH
  switch (segmentOf(record)) {
    case 'T':
      return lastColumnOf({ ...title })
    case 'U':
      return lastColumnOf({ ...money })
    case 'Y':
      return isPixPart(record) ? lastColumnOf({ pixTxid }) : FRAME_WIDTH
    default:
      return FRAME_WIDTH
  }
}

/** In capitals, whatever the bank writes. */
function segmentOf(record: FileRecord): string {
  return columnText(record, RECORD_240.segment).toUpperCase()
}

function isPixPart(record: FileRecord): boolean {
  return columnText(record, RECORD_240.part) === '03'
}

async function partsOf(records: readonly FileRecord[]) {
  const lots: Lot[] = []
  const trailer = records.at(-1)
  let open: { header: FileRecord; details: FileRecord[] } | undefined
  for await (const record of inTurns(records.slice(0, -1), RECORDS_PER_TURN)) {
    const type = columnText(record, RECORD_240.recordType)
    if (open === undefined) {
      expectText(record, [8, TYPE.lotHeader])
      open = { header: record, details: [] }
      continue
    }
    // A lot's header may have another lot's number, as BTG Pactual's does.
    expectText(record, [4, columnText(open.details[0] ?? record, RECORD_240.lot)])
    if (type === TYPE.lotTrailer) {
      lots.push({ ...open, trailer: record })
      open = undefined
      continue
    }
    expectText(record, [8, TYPE.detail])
    expectNumber(record, open.details.length + 1)
    open.details.push(record)
  }
  const isWhole =
    open === undefined &&
    trailer !== undefined &&
    columnText(trailer, RECORD_240.recordType) === TYPE.fileTrailer
  if (!isWhole) throw new SettlementFileError('incomplete', { line: records.length + 1, column: 8 })
  return { lots, trailer }
}

/** Refuses a file without any title, whose content would be lost. */
function expectTitles(lots: readonly Lot[]): void {
  const details = lots.flatMap((lot) => lot.details)
  const [first] = details
  if (first && !details.some((record) => segmentOf(record) === 'T'))
    expectText(first, [RECORD_240.segment[1], 'T'])
}

function expectNumber(record: FileRecord, expected: number): void {
  const found = numberOf(record, RECORD_240.sequence)
  if (found === expected) return
  throw new SettlementFileError('wrong-sequence', {
    line: record.line,
    column: RECORD_240.sequence[1],
    expected: String(expected),
    found: String(found),
  })
}

function headerOf(header: FileRecord, { header: fields }: Layout240): ReturnHeader {
  return {
    agency: nameOf(header, fields.agency),
    account: nameOf(header, fields.account),
    agreement: nameOf(header, fields.agreement),
    fileNumber: numberOf(header, fields.fileNumber),
    writtenOn: dateOf(header, fields.writtenOn),
  }
}

/** A title is a segment T and the U after it. */
async function linesOf({ details }: Lot, layout: Layout240): Promise<readonly ReturnLine[]> {
  const rules: TitleRules = {
    kinds: kindsByCode(layout.occurrences),
    reasonLength: 2,
    numbers: { isPadded: layout.isPadded },
    isPaidNetOfFee: false,
  }
  const lines: ReturnLine[] = []
  for await (const [index, record] of inTurns(details.entries(), RECORDS_PER_TURN)) {
    const segment = segmentOf(record)
    const before = lines.at(-1)
    if (segment === 'T') lines.push(lineOf([record, details[index + 1]], layout, rules))
    else if (segment === 'U') expectAfterTitle(record, details[index - 1])
    else if (segment === 'Y' && isPixPart(record) && layout.pixTxid && before)
      lines[lines.length - 1] = { ...before, pixTxid: nameOf(record, layout.pixTxid) }
    else if (/^[A-Z]$/.test(segment)) lines.push(unreadLine(record.line, `segment ${segment}`))
    else expectText(record, [RECORD_240.segment[1], 'T'])
  }
  return lines
}

function lineOf(
  [title, money]: readonly [FileRecord, FileRecord | undefined],
  layout: Layout240,
  rules: TitleRules,
): ReturnLine {
  if (money === undefined) throw new SettlementFileError('incomplete', { line: title.line })
  const code = columnText(title, layout.title.code)
  expectText(money, [RECORD_240.segment[1], 'U'])
  expectText(money, [layout.title.code[1], code])
  return titleLine(
    {
      titleRecord: title,
      titleFields: layout.title,
      moneyRecord: money,
      moneyFields: layout.money,
    },
    rules,
  )
}

function expectAfterTitle(record: FileRecord, before: FileRecord | undefined): void {
  const isAfter = before !== undefined && segmentOf(before) === 'T'
  if (!isAfter) expectText(record, [RECORD_240.segment[1], 'T'])
}

function checkLotTotal({ details, trailer }: Lot, { lotCount }: Layout240): readonly HeldTotal[] {
  if (lotCount === 'not-held') return []
  const field = LOT_TRAILER_240.records
  const all = details.length + 2
  const isOfTitles = lotCount === 'all-or-titles' && numberOf(trailer, field) === details.length
  const value = isOfTitles ? details.length : all
  expectTotal(trailer, { field, value })
  return [{ of: 'records of the lot', value }]
}

function checkFileTotals(
  trailer: FileRecord,
  { lots, records }: { readonly lots: number; readonly records: number },
  { isRecordCountHeld }: Layout240,
): readonly HeldTotal[] {
  expectTotal(trailer, { field: FILE_TRAILER_240.lots, value: lots })
  if (isRecordCountHeld) expectTotal(trailer, { field: FILE_TRAILER_240.records, value: records })
  return [
    { of: 'lots', value: lots },
    ...(isRecordCountHeld ? [{ of: 'records', value: records } as const] : []),
  ]
}
