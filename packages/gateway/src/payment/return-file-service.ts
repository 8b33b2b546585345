// Banks' return files of boletos: what they say is kept, and recorded as what a worker reads is.
import { boletoOf } from '../model/transaction/payment-details.js'
import { type Clock, type Log, SettlementFileError, type SettlementLine } from '@cofre/contracts'
import { reasonOf } from '@cofre/work'
import { isUnavailable } from '@cofre/sql'
import { type MatchedLine, answerOf } from '../model/boleto-file/return-answer.js'
import {
  type NamedLine,
  bareNumber,
  namedLines,
  type ReturnFile,
  settledLines,
} from '@cofre/provider-kit/bank'
import { dayInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import type { ArrivedMoney } from '../model/arrived-money/arrived-money.js'
import type { BankChargeStore, ReturnLineStore, TransactionStore } from './ports.js'
import type { RecordCharge } from './charge-record-service.js'

/** What use cases of return files are made with. */
export interface ReturnFileDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly bankCharges: BankChargeStore
  readonly returnLines: ReturnLineStore
  readonly transactions: TransactionStore
  readonly recordCharge: RecordCharge
  readonly money: Pick<ArrivedMoney, 'lastDayOf' | 'keepFile'>
}

type MatchDeps = Pick<ReturnFileDeps, 'returnLines' | 'transactions'>

/** A file that was read, and whose it is. */
export interface GivenFile {
  readonly storeId: string
  readonly accountId: string
  /**
   * Whether the account's bank answers by files alone: then they are its word. Else they are a
   * hint, and the bank is asked.
   */
  readonly isBankByFile: boolean
  /** With which finance would upload it. */
  readonly format: string
  /** As it was called where it came from. */
  readonly name: string
  readonly actor: string
  readonly file: ReturnFile
  readonly sha256: string
  readonly bytes: number
}

/** A line of it, and what became of that. */
export interface TakenLine extends MatchedLine {
  /** No file before it has said so. */
  readonly isNew: boolean
}

export interface TakenFile {
  readonly lines: readonly TakenLine[]
  /** Transactions of which something could not be recorded: it is when the file comes again. */
  readonly unrecorded: readonly TransactionCode[]
  /** Where the console shows it. */
  readonly settlementId: number
}

/** Whose its lines are. Changes nothing. */
export async function matchReturnFile(
  deps: MatchDeps,
  { accountId, file }: Pick<GivenFile, 'accountId' | 'file'>,
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
  const byNumber = new Map([...before, ...numbersToldIn(named)])
  const matched: MatchedLine[] = []
  for (const { line, code } of named) {
    const transactionCode = code ?? (await numberedBoleto(deps, { line, byNumber }))
    matched.push({ line, transactionCode })
  }
  return matched
}

/** What the file's own named lines call their boletos; a number that two have is left out. */
function numbersToldIn(
  named: readonly { readonly line: NamedLine; readonly code: TransactionCode | undefined }[],
): readonly (readonly [string, TransactionCode])[] {
  const told = new Map<string, Set<TransactionCode>>()
  for (const { line, code } of named) {
    const number = bareNumber(line.ourNumber)
    if (number !== undefined && code !== undefined)
      told.set(number, (told.get(number) ?? new Set()).add(code))
  }
  return [...told].flatMap(([number, [code, ...others]]) =>
    code === undefined || others.length > 0 ? [] : [[number, code] as const],
  )
}

interface UnnamedLine {
  readonly line: NamedLine
  readonly byNumber: ReadonlyMap<string, TransactionCode>
}

/** The boleto that an earlier line, or the bank's own answer, has given the line's number. */
async function numberedBoleto(
  deps: MatchDeps,
  { line, byNumber }: UnnamedLine,
): Promise<TransactionCode | undefined> {
  const code = byNumber.get(bareNumber(line.ourNumber) ?? '')
  return code !== undefined && (await isTitleOf(deps, line, code)) ? code : undefined
}

function byNameOf(
  { ourNames }: NamedLine,
  byName: ReadonlyMap<string, TransactionCode>,
): TransactionCode | undefined {
  return ourNames.map((name) => byName.get(name)).find((code) => code !== undefined)
}

/** Banks use numbers again after years: the title's value has to agree. */
async function isTitleOf(
  { transactions }: Pick<ReturnFileDeps, 'transactions'>,
  { titleMinor }: NamedLine,
  code: TransactionCode,
): Promise<boolean> {
  return (await transactions.findByCode(code))?.amountMinor === titleMinor
}

/**
 * Takes a file in: keeps its lines, records what they say, and shows its money in the console. May
 * be done again, also after a crash and by several processes at once: what was done stays done.
 * @throws SettlementFileError `bad-value` for a day that is to come; then nothing was done
 * @throws UnknownFormatError
 */
export async function takeReturnFile(deps: ReturnFileDeps, given: GivenFile): Promise<TakenFile> {
  const { accountId } = given
  const matched = await matchReturnFile(deps, given)
  const money = moneyOf(deps, given, matched)
  const machineNowMs = deps.machineClock.now()
  const news = await deps.returnLines.keep({ accountId, lines: matched, machineNowMs })
  warnOfReversals(deps, given, { matched, news })
  const codes = new Set(matched.flatMap(({ transactionCode }) => transactionCode ?? []))
  const unrecorded: TransactionCode[] = []
  for (const code of codes) if (!(await isRecorded(deps, given, code))) unrecorded.push(code)
  const settlementId = await deps.money.keepFile({ ...given, lines: money })
  const lines = matched.map(({ line, transactionCode }) => ({
    line,
    transactionCode,
    isNew: news.has(line.id),
  }))
  return { lines, unrecorded, settlementId }
}

interface KeptLines {
  readonly matched: readonly MatchedLine[]
  readonly news: ReadonlySet<string>
}

/** The order stays as it is, and may be shipped: a person has to decide. */
function warnOfReversals(
  { log }: ReturnFileDeps,
  { accountId }: GivenFile,
  { matched, news }: KeptLines,
): void {
  for (const { line, transactionCode } of matched) {
    if (line.kind !== 'reversed' || !news.has(line.id)) continue
    const facts = { transaction: transactionCode, account: accountId, line: line.line }
    log.warn(facts, 'a bank has taken the payment of a boleto back')
  }
}

/** One that cannot be recorded keeps no other from it. */
async function isRecorded(
  deps: ReturnFileDeps,
  { accountId, isBankByFile }: GivenFile,
  code: TransactionCode,
): Promise<boolean> {
  try {
    if (isBankByFile) await recordReturned(deps, code)
    else await deps.bankCharges.lookAtCharge(code, deps.machineClock.now())
    return true
  } catch (error) {
    if (isUnavailable(error)) throw error
    const facts = { transaction: code, account: accountId, error: reasonOf(error) }
    deps.log.error(facts, 'what a return file says of a boleto could not be recorded')
    return false
  }
}

/** Commits what return files say of a boleto: the word of a bank that gives no other. */
export async function recordReturned(deps: ReturnFileDeps, code: TransactionCode): Promise<void> {
  const transaction = await deps.transactions.findByCode(code)
  const boleto = transaction && boletoOf(transaction)
  if (boleto === undefined) return
  const answer = answerOf(await deps.returnLines.of(code), boleto.dueDate)
  if (answer === undefined) return
  const { payments, state, reason } = answer
  if (state === 'failed')
    deps.log.warn({ transaction: code, reason }, 'a bank has not registered a boleto')
  await deps.recordCharge(code, { payments, ended: ENDS[state], reason })
}

/** How the transaction ends that nobody has paid. */
const ENDS = {
  open: undefined,
  paid: undefined,
  removed: 'CANCELLED',
  failed: 'CANCELLED',
  expired: 'NOT-PAID',
} as const

function moneyOf(
  deps: ReturnFileDeps,
  { file, format, isBankByFile }: GivenFile,
  matched: readonly MatchedLine[],
): readonly SettlementLine[] {
  const day = file.header.writtenOn ?? dayInBrasilia(deps.clock.now(), 0)
  const lines = settledLines(matched, { isBankByFile, day })
  const lastDay = deps.money.lastDayOf(format, lines)
  for (const { line, occurredOn = day } of file.lines)
    if (occurredOn > lastDay) throw new SettlementFileError('bad-value', { line, field: 'date' })
  return lines
}
