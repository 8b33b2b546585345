// Imports banks' return files of boletos: lines are stored, then recorded like the answers that a
// worker reads.
import { type Clock, type Log, SettlementFileError, type SettlementLine } from '@cofre/contracts'
import { reasonOf } from '@cofre/work'
import { type Database, isUnavailable } from '@cofre/sql'
import type { ArrivedMoney, ChargeRecords } from '@cofre/banks/room'
import {
  type GatewayTables,
  type TransactionCode,
  boletoOf,
  dayInBrasilia,
} from '@cofre/gateway/room'
import { type MatchedLine, answerOf } from './model/return-answer.js'
import type { Codes, ReturnLineStore } from './model/stores.js'
import { createSqlReturnLineStore } from './sql/return-line-store-sql.js'
import {
  type NamedLine,
  bareNumber,
  namedLines,
  type ReturnFile,
  settledLines,
} from '@cofre/provider-kit/bank'

interface ReturnFileParts {
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly money: Pick<ArrivedMoney, 'lastDayOf' | 'recordFile'>
  readonly charges: ChargeRecords
}

/** The dependencies of a serving process or a command. */
export interface ReturnFilesOptions extends ReturnFileParts {
  readonly database: Database<GatewayTables>
}

interface ReturnFileDeps extends ReturnFileParts {
  readonly returnLines: ReturnLineStore
}

type MatchDeps = Pick<ReturnFileDeps, 'returnLines' | 'charges'>

/** Imports banks' return files. */
export interface ReturnFiles {
  /** Assigns the lines to transactions. Changes nothing. */
  match(file: Pick<ReturnFileUpload, 'accountId' | 'file'>): Promise<readonly MatchedLine[]>
  /**
   * Stores a file's lines, records their reports, and shows their money in the console. May be
   * repeated, also after a crash or by several processes at once.
   * @throws SettlementFileError `bad-value` for a day in the future; then nothing was done
   * @throws UnknownFormatError
   */
  importFile(file: ReturnFileUpload): Promise<ReturnFileImport>
}

export function createReturnFiles({ database, ...parts }: ReturnFilesOptions): ReturnFiles {
  const deps = { ...parts, returnLines: createSqlReturnLineStore(database) }
  return {
    match: (file) => matchReturnFile(deps, file),
    importFile: (file) => processReturnFile(deps, file),
  }
}

/** A parsed file of an account. */
export interface ReturnFileUpload {
  readonly storeId: string
  readonly accountId: string
  /**
   * True if the account's bank answers by files alone, so that the lines are its answer. Otherwise
   * they are a hint, and the bank is asked.
   */
  readonly isBankByFile: boolean
  /** The format that finance would choose for an upload. */
  readonly format: string
  /** The file's name at its source. */
  readonly name: string
  readonly actor: string
  readonly file: ReturnFile
  readonly sha256: string
  readonly bytes: number
}

/** A line of the file, and its result. */
export interface ImportedLine extends MatchedLine {
  /** True if no earlier file has reported it. */
  readonly isNew: boolean
}

export interface ReturnFileImport {
  readonly lines: readonly ImportedLine[]
  /** Transactions with a report that could not be recorded; a repeated import records it. */
  readonly unrecorded: readonly TransactionCode[]
  /** The file's id in the console. */
  readonly settlementId: number
}

async function matchReturnFile(
  deps: MatchDeps,
  { accountId, file }: Pick<ReturnFileUpload, 'accountId' | 'file'>,
): Promise<readonly MatchedLine[]> {
  const lines = await namedLines(accountId, file.lines)
  const byName = await deps.returnLines.ofNames(
    accountId,
    lines.flatMap(({ ourNames }) => ourNames),
  )
  const named = lines.map((line) => ({ line, code: byNameOf(line, byName) }))
  const numbers = named.flatMap(({ line, code }) =>
    code === undefined ? (bareNumber(line.ourNumber) ?? []) : [],
  )
  const before = await deps.returnLines.ofNumbers(accountId, numbers)
  const byNumber = new Map([...before, ...numbersReportedIn(named)])
  const matched: MatchedLine[] = []
  for (const { line, code } of named) {
    const transactionCode = code ?? (await numberedBoleto(deps, { line, byNumber }))
    matched.push({ line, transactionCode })
  }
  return matched
}

/** The boletos by the numbers in the file's own named lines; a number of two boletos is omitted. */
function numbersReportedIn(
  named: readonly { readonly line: NamedLine; readonly code: TransactionCode | undefined }[],
): readonly (readonly [string, TransactionCode])[] {
  const transactionsByNumber = new Map<string, Set<TransactionCode>>()
  for (const { line, code } of named) {
    const number = bareNumber(line.ourNumber)
    if (number !== undefined && code !== undefined)
      transactionsByNumber.set(number, (transactionsByNumber.get(number) ?? new Set()).add(code))
  }
  return [...transactionsByNumber].flatMap(([number, [code, ...others]]) =>
    code === undefined || others.length > 0 ? [] : [[number, code] as const],
  )
}

interface UnnamedLine {
  readonly line: NamedLine
  readonly byNumber: Codes
}

/** The boleto to which an earlier line, or the bank's own answer, gave the line's number. */
async function numberedBoleto(
  deps: MatchDeps,
  { line, byNumber }: UnnamedLine,
): Promise<TransactionCode | undefined> {
  const code = byNumber.get(bareNumber(line.ourNumber) ?? '')
  return code !== undefined && (await isTitleOf(deps, line, code)) ? code : undefined
}

function byNameOf({ ourNames }: NamedLine, byName: Codes): TransactionCode | undefined {
  return ourNames.map((name) => byName.get(name)).find((code) => code !== undefined)
}

/** Banks reuse numbers after years, so the title's value must match. */
async function isTitleOf(
  { charges }: Pick<ReturnFileDeps, 'charges'>,
  { titleMinor }: NamedLine,
  code: TransactionCode,
): Promise<boolean> {
  return (await charges.find(code))?.amountMinor === titleMinor
}

async function processReturnFile(
  deps: ReturnFileDeps,
  given: ReturnFileUpload,
): Promise<ReturnFileImport> {
  const { accountId } = given
  const matched = await matchReturnFile(deps, given)
  const money = moneyOf(deps, given, matched)
  const machineNowMs = deps.machineClock.now()
  const news = await deps.returnLines.insert({ accountId, lines: matched, machineNowMs })
  warnOfReversals(deps, given, { matched, news })
  const codes = new Set(matched.flatMap(({ transactionCode }) => transactionCode ?? []))
  const unrecorded: TransactionCode[] = []
  for (const code of codes) if (!(await isRecorded(deps, given, code))) unrecorded.push(code)
  const settlementId = await deps.money.recordFile({ ...given, lines: money })
  const lines = matched.map(({ line, transactionCode }) => ({
    line,
    transactionCode,
    isNew: news.has(line.id),
  }))
  return { lines, unrecorded, settlementId }
}

interface StoredLines {
  readonly matched: readonly MatchedLine[]
  readonly news: ReadonlySet<string>
}

/** The order stays as it is, and may be shipped: a person must decide. */
function warnOfReversals(
  { log }: ReturnFileDeps,
  { accountId }: ReturnFileUpload,
  { matched, news }: StoredLines,
): void {
  for (const { line, transactionCode } of matched) {
    if (line.kind !== 'reversed' || !news.has(line.id)) continue
    const facts = { transaction: transactionCode, account: accountId, line: line.line }
    log.warn(facts, 'bank reversed a boleto payment; decide whether to ship')
  }
}

/** A line that cannot be recorded does not block the others. */
async function isRecorded(
  deps: ReturnFileDeps,
  { accountId, isBankByFile }: ReturnFileUpload,
  code: TransactionCode,
): Promise<boolean> {
  try {
    if (isBankByFile) await recordReturned(deps, code)
    else await deps.charges.readAgain(code, deps.machineClock.now())
    return true
  } catch (error) {
    if (isUnavailable(error)) throw error
    const facts = { transaction: code, account: accountId, error: reasonOf(error) }
    deps.log.error(facts, "a return file's report on a boleto could not be recorded")
    return false
  }
}

/** Commits the return files' reports on a boleto, for a bank that answers by files alone. */
async function recordReturned(deps: ReturnFileDeps, code: TransactionCode): Promise<void> {
  const transaction = await deps.charges.find(code)
  const boleto = transaction && boletoOf(transaction)
  if (boleto === undefined) return
  const answer = answerOf(await deps.returnLines.of(code), boleto.dueDate)
  if (answer === undefined) return
  const { payments, state, reason } = answer
  if (state === 'failed')
    deps.log.warn({ transaction: code, reason }, 'a bank has not registered a boleto')
  await deps.charges.record(code, { payments, ended: ENDS[state], reason })
}

/** The end of an unpaid transaction. */
const ENDS = {
  open: undefined,
  paid: undefined,
  removed: 'CANCELLED',
  failed: 'CANCELLED',
  expired: 'NOT-PAID',
} as const

function moneyOf(
  deps: ReturnFileDeps,
  { file, format, isBankByFile }: ReturnFileUpload,
  matched: readonly MatchedLine[],
): readonly SettlementLine[] {
  const day = file.header.writtenOn ?? dayInBrasilia(deps.clock.now(), 0)
  const lines = settledLines(matched, { isBankByFile, day })
  const lastDay = deps.money.lastDayOf(format, lines)
  for (const { line, occurredOn = day } of file.lines)
    if (occurredOn > lastDay) throw new SettlementFileError('bad-value', { line, field: 'date' })
  return lines
}
