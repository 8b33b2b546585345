import { type Clock, SECOND_MS, SettlementFileError, type SettlementLine } from '@cofre/contracts'
import { pause } from '@cofre/work'
import { LINES_AT_ONCE, type NewSettlementFile } from './model/settlement.js'
import type { FileContent, UploadEnd, UploadedFile } from './model/settlements.js'
import { type SettlementFormats, UnknownFormatError } from './model/settlement-formats.js'
import { dayInBrasilia, drawTransactionCode } from '@cofre/gateway/room'
import type { SettlementFileStore, SettlementWork } from './model/stores.js'

interface FormatDeps {
  readonly clock: Clock
  readonly formats: SettlementFormats
}

interface ImportDeps extends FormatDeps {
  readonly machineClock: Clock
  readonly randomBelow: (limit: number) => number
  readonly settlementFiles: SettlementFileStore
}

interface WorkDeps {
  readonly machineClock: Clock
  readonly settlementWork: SettlementWork
}

/**
 * Imports a file: all of its lines, or none.
 * @throws UnknownFormatError before anything is stored
 * @throws every error of reading except a SettlementFileError; then nothing of the file is stored
 */
async function importSettlement(
  deps: ImportDeps,
  uploaded: UploadedFile,
  content: FileContent,
): Promise<UploadEnd> {
  const { settlementFiles } = deps
  const lastDay = lastDayOf(deps, uploaded.format)
  const file = await begin(deps, uploaded)
  const { id } = file
  try {
    for await (const lines of inBatches(content.lines, lastDay))
      await settlementFiles.insertLines(file, lines)
  } catch (error) {
    if (!(error instanceof SettlementFileError)) {
      await settlementFiles.abandon(file)
      throw error
    }
    const refusal = { problem: error.problem, ...error.place }
    await settlementFiles.refuse(file, refusal, content.read().bytes)
    return { kind: 'refused', id, refusal }
  }
  const read = { ...content.read(), atMs: deps.machineClock.now() }
  const end = await settlementFiles.finish(file, read)
  if (end === 'gone') return { kind: 'refused', id, refusal: { problem: 'interrupted' } }
  return end === 'taken' ? { kind: 'taken', id } : { kind: 'known', id: end }
}

/** Imports settlement files. */
export interface SettlementImport {
  /**
   * The last day that a file of that format may contain, `YYYY-MM-DD`. @throws UnknownFormatError
   */
  readonly lastDayOf: (format: string) => string
  /** See {@link importSettlement}. */
  readonly importFile: (uploaded: UploadedFile, content: FileContent) => Promise<UploadEnd>
  /** Compares a file's lines again. */
  readonly compareAgain: (storeId: string, id: number) => Promise<boolean>
  /** Compares waiting lines, as far as a short run allows. */
  readonly compare: () => Promise<void>
}

export function createSettlementImport(deps: ImportDeps & WorkDeps): SettlementImport {
  return {
    lastDayOf: (format) => lastDayOf(deps, format),
    importFile: (uploaded, content) => importSettlement(deps, uploaded, content),
    compareAgain: (storeId, id) => deps.settlementFiles.compareAgain(storeId, id),
    compare: () => workOnSettlements(deps),
  }
}

async function begin(
  { machineClock, randomBelow, settlementFiles }: ImportDeps,
  uploaded: UploadedFile,
): Promise<NewSettlementFile> {
  for (;;) {
    const uploadedAtMs = machineClock.now()
    const id = drawTransactionCode(uploadedAtMs, randomBelow)
    const file = { ...uploaded, id, uploadedAtMs }
    if (await settlementFiles.begin(file)) return file
  }
}

const FIRST_DAY = '2000-01-01'

/**
 * The last day that a file of that format may contain, `YYYY-MM-DD`.
 * @throws UnknownFormatError
 */
function lastDayOf({ clock, formats }: FormatDeps, format: string): string {
  const known = formats.find(format)
  if (known === undefined) throw new UnknownFormatError(format, formats)
  return dayInBrasilia(clock.now(), known.daysAhead)
}

/** @throws SettlementFileError `bad-value` for a day on which nothing can have been paid out yet */
export function checkDay({ line, paidOn }: SettlementLine, lastDay: string): void {
  if (paidOn < FIRST_DAY || paidOn > lastDay)
    throw new SettlementFileError('bad-value', { line, field: 'date' })
}

async function* inBatches(lines: AsyncIterable<SettlementLine>, lastDay: string) {
  let batch: SettlementLine[] = []
  for await (const line of lines) {
    checkDay(line, lastDay)
    batch.push(line)
    if (batch.length < LINES_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The worker learns at this interval that its job is alive. */
const RUN_MS = 2 * SECOND_MS

/**
 * Compares lines, and removes refused ones, as far as a short run allows. After each part it rests
 * for the same time, because payments have priority.
 */
export async function workOnSettlements(
  { machineClock, settlementWork }: WorkDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS
  for (;;) {
    const startedAt = performance.now()
    const mayGoOn = await settlementWork.round(machineClock.now())
    const endedAt = performance.now()
    if (!mayGoOn || signal.aborted || endedAt > endsAt) return
    await pause(endedAt - startedAt, signal)
  }
}
