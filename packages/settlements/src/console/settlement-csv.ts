import { minorUnits } from '@cofre/contracts'
import type { SettlementFormats } from '../model/settlement-formats.js'
import type { MissingPayment, SettledDay, SettledLine } from '../model/settlement.js'
import { partOf } from './line-list.js'
import { sourceText } from './source-text.js'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  type AccountNames,
  type Separator,
  type View,
  csvAmount,
  csvTime,
  dateOf,
} from '@cofre/panel/page'

interface Reader {
  readonly view: View
  readonly separator: Separator
}

/** The days as a table. */
export function daysTable(days: readonly SettledDay[], { view, separator }: Reader) {
  const { columns, day } = SETTLEMENT_TEXTS[view.language].settlements
  return {
    heads: [day, columns.lines, columns.gross, columns.fee, columns.net, columns.unsettled],
    rows: days.map((of) => [
      dateOf(of.day),
      String(of.lines),
      signed(of.grossMinor, separator),
      signed(of.feeMinor, separator),
      signed(of.netMinor, separator),
      String(of.unsettled),
    ]),
  }
}

interface LineReader extends Reader {
  readonly formats: SettlementFormats
}

/** Lines as a table. */
export function linesTable(lines: AsyncIterable<SettledLine>, reader: LineReader) {
  const texts = SETTLEMENT_TEXTS[reader.view.language].settlements
  const heads = [
    texts.lines.code,
    texts.lines.payment,
    texts.lines.result,
    texts.lines.difference,
    texts.lines.expectedHead,
    texts.lines.kind,
    texts.lines.part,
    texts.lines.brand,
    texts.day,
    texts.columns.gross,
    texts.columns.fee,
    texts.columns.net,
    texts.file.format,
    texts.lines.fileHead,
    texts.lines.lineHead,
  ]
  return { heads, rows: lineRows(lines, reader) }
}

async function* lineRows(
  lines: AsyncIterable<SettledLine>,
  { view, separator, formats }: LineReader,
) {
  const texts = SETTLEMENT_TEXTS[view.language].settlements
  for await (const line of lines)
    yield [
      line.transactionCode?.toString() ?? '',
      line.name ?? '',
      texts.results[line.result],
      line.difference === undefined ? '' : texts.differences[line.difference],
      line.expectedMinor === undefined ? '' : signed(line.expectedMinor, separator),
      texts.kinds[line.kind],
      partOf(line),
      line.brand ?? '',
      dateOf(line.day),
      signed(line.grossMinor, separator),
      signed(line.feeMinor, separator),
      signed(line.netMinor, separator),
      sourceText(line.source, view.language, formats),
      String(line.fileId),
      String(line.line),
    ]
}

interface AccountReader extends Reader {
  readonly accounts: AccountNames
}

/** Payments without a line, as a table. */
export function missingTable(payments: AsyncIterable<MissingPayment>, reader: AccountReader) {
  const { account, accountName, amount, paid, payment } =
    SETTLEMENT_TEXTS[reader.view.language].settlements.missing
  const { code } = SETTLEMENT_TEXTS[reader.view.language].settlements.lines
  return {
    heads: [code, payment, paid, account, amount, accountName],
    rows: missingRows(payments, reader),
  }
}

async function* missingRows(
  payments: AsyncIterable<MissingPayment>,
  { accounts, separator }: AccountReader,
) {
  for await (const { code, reference, paidAtMs, accountId, chargedMinor } of payments)
    yield [
      String(code),
      reference,
      csvTime(paidAtMs),
      accountId,
      csvAmount(minorUnits(chargedMinor), separator),
      accounts.of(accountId),
    ]
}

/** A spreadsheet accepts a minus before digits as a number. */
function signed(minor: number, separator: Separator): string {
  const amount = csvAmount(minorUnits(Math.abs(minor)), separator)
  return minor < 0 ? `-${amount}` : amount
}
