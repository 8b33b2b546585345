import { SettlementFileError } from '@cofre/contracts'
import { inTurns } from '@cofre/work'
import { HEADER_400, LAYOUTS_400, RECORD_400 } from './layouts-400.js'
import { type FileRecord, dateOf, nameOf, numberOf, columnText } from '../record/record-field.js'
import type { HeldTotal, ReturnFile, ReturnHeader, ReturnLine } from '@cofre/provider-kit/bank'
import type { Layout400, TrailerTotal } from './return-layout.js'
import { RECORDS_PER_TURN, expectText, widened } from './return-records.js'
import { type TitleRules, kindsByCode, titleLine, unreadLine } from './title-line.js'

const WIDTH = 400
const TRAILER_TYPE = '9'

/** Reads CNAB 400: a header, titles and a trailer, all numbered. */
export async function readReturn400(records: readonly FileRecord[]): Promise<ReturnFile> {
  const wide: FileRecord[] = []
  for await (const record of inTurns(records, RECORDS_PER_TURN)) wide.push(widened(record, WIDTH))
  const [header, ...others] = wide
  if (header === undefined) throw new SettlementFileError('incomplete', { line: 1 })
  const { bank, layout } = layoutOf(header)
  const trailer = others.at(-1)
  const details = others.slice(0, -1)
  if (trailer === undefined || columnText(trailer, RECORD_400.recordType) !== TRAILER_TYPE)
    throw new SettlementFileError('incomplete', { line: records.length, column: 1 })
  for await (const [index, record] of inTurns(wide.entries(), RECORDS_PER_TURN))
    expectNumber(record, index + 1)
  const lines = await linesOf(details, layout)
  const held = layout.totals.map((total) => checkTotal(trailer, total, lines))
  return {
    layout: 400,
    bank,
    header: headerOf(header, details[0], layout),
    lines,
    heldTotals: [{ of: 'records', value: records.length }, ...held],
  }
}

function layoutOf(header: FileRecord): { readonly bank: string; readonly layout: Layout400 } {
  for (const [[, from], expected] of [
    [HEADER_400.recordType, '0'],
    [HEADER_400.direction, '2'],
    [HEADER_400.literal, 'RETORNO'],
  ] as const)
    expectText(header, [from, expected], 'wrong-report')
  const bank = columnText(header, HEADER_400.bank)
  const layout = LAYOUTS_400[bank]
  if (layout !== undefined) return { bank, layout }
  const [, column] = HEADER_400.bank
  throw new SettlementFileError('unknown-bank', { line: header.line, column, found: bank })
}

function expectNumber(record: FileRecord, expected: number): void {
  const found = numberOf(record, RECORD_400.sequence)
  if (found === expected) return
  throw new SettlementFileError('wrong-sequence', {
    line: record.line,
    column: RECORD_400.sequence[1],
    expected: String(expected),
    found: String(found),
  })
}

function headerOf(
  header: FileRecord,
  first: FileRecord | undefined,
  { header: fields, owner }: Layout400,
): ReturnHeader {
  const ofOwner = (field: 'agency' | 'account') =>
    owner && first ? nameOf(first, owner[field]) : nameOf(header, fields[field])
  const fileNumber = numberOf(header, fields.fileNumber)
  return {
    agency: ofOwner('agency'),
    account: ofOwner('account'),
    agreement: nameOf(header, fields.agreement),
    fileNumber: fileNumber === 0 ? undefined : fileNumber,
    writtenOn: dateOf(header, fields.writtenOn),
  }
}

async function linesOf(
  details: readonly FileRecord[],
  layout: Layout400,
): Promise<readonly ReturnLine[]> {
  const rules: TitleRules = {
    kinds: kindsByCode(layout.occurrences),
    reasonLength: layout.reasonLength,
    numbers: { isPadded: false },
    isPaidNetOfFee: layout.isPaidNetOfFee ?? false,
    flags: layout.flags,
  }
  const lines: ReturnLine[] = []
  const [first] = details
  // Without any title, the file's content would be lost.
  if (
    first &&
    !details.some((record) => columnText(record, RECORD_400.recordType) === layout.recordType)
  )
    expectText(first, [1, layout.recordType])
  for await (const record of inTurns(details, RECORDS_PER_TURN)) {
    const type = columnText(record, RECORD_400.recordType)
    const before = lines.at(-1)
    if (type === layout.recordType) lines.push(lineOf(record, layout, rules))
    else if (type === layout.pix?.recordType && before !== undefined)
      lines[lines.length - 1] = { ...before, pixTxid: nameOf(record, layout.pix.txid) }
    // Further records of a title: messages, shares of others, addresses.
    else if (/^[1-8]$/.test(type)) lines.push(unreadLine(record.line, `record ${type}`))
    else expectText(record, [1, layout.recordType])
  }
  return lines
}

function lineOf(record: FileRecord, { detail }: Layout400, rules: TitleRules): ReturnLine {
  return titleLine(
    { titleRecord: record, titleFields: detail, moneyRecord: record, moneyFields: detail },
    rules,
  )
}

function checkTotal(
  trailer: FileRecord,
  { of, field, codes, isSum }: TrailerTotal,
  lines: readonly ReturnLine[],
): HeldTotal {
  const counted = lines.filter(({ code }) => codes?.includes(code) ?? !code.startsWith('record'))
  const value = isSum
    ? counted.reduce((sum, { titleMinor }) => sum + titleMinor, 0)
    : counted.length
  expectTotal(trailer, { field, value })
  return { of, value }
}

/** @throws SettlementFileError `contradiction` if a trailer states something else */
export function expectTotal(
  trailer: FileRecord,
  { field, value }: { readonly field: TrailerTotal['field']; readonly value: number },
): void {
  const stated = numberOf(trailer, field)
  if (stated === value) return
  throw new SettlementFileError('contradiction', {
    line: trailer.line,
    column: field[1],
    expected: String(value),
    found: String(stated),
  })
}
