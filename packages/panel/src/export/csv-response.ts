import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SECOND_MS } from '@cofre/contracts'
import { stringify } from 'csv-stringify'
import type { PanelParts } from '../frame/panel-parts.js'
import { type EndAct, actOf } from '../frame/page-act.js'
import { type PanelContext, type Visit, requireStillSignedIn } from '../frame/visit.js'
import { renderNotice } from '../frame/render-page.js'
import type { Separator } from './csv-format.js'

/** A table as a file. */
export interface CsvFile {
  /** Without its ending: `payments-2026-11-21`. */
  readonly name: string
  readonly heads: readonly string[]
  readonly rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>
  readonly separator: Separator
}

const DELIMITERS: Readonly<Record<Separator, string>> = { semicolon: ';', comma: ',' }
/** After so many rows or so long it is asked again whether the reader is still signed in. */
const ROWS_BETWEEN_CHECKS = 5000
const CHECK_EVERY_MS = SECOND_MS
/** What waits for a slow reader: without it Node takes thousands of rows ahead. */
const AHEAD = new ByteLengthQueuingStrategy({ highWaterMark: 16 * 1024 })
/** That a session is sent at once. */
const FILES_MAX = 2

/**
 * Sends a table row by row, as fast as it is taken, in UTF-8 with its mark. A spreadsheet runs no
 * cell as a formula. A file whose reader is signed out meanwhile, or whose rows fail, breaks off.
 */
export async function csvResponse(
  visit: Visit,
  parts: PanelParts,
  file: CsvFile,
): Promise<Response> {
  const { c } = visit
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file.name}.csv"`,
  }
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  // Before anything is awaited: requests that arrive together count each other.
  const giveBack = parts.limited(`export ${sessionOf(c)}`, FILES_MAX)
  if (giveBack === undefined) return renderNotice(c, parts, 'tooManyFiles')
  let end: EndAct
  try {
    end = await actOf(parts, visit, { action: 'export', detail: detailOf(visit) })
  } catch (error) {
    giveBack()
    throw error
  }
  const delimiter = DELIMITERS[file.separator]
  const csv = stringify({
    bom: true,
    delimiter,
    record_delimiter: 'windows',
  })
  const sent = { rows: 0 }
  const checkedAtMs = parts.clock.now()
  const rows = Readable.from(cellsOf(visit, parts, { ...file, sent, checkedAtMs }))
  void pipeline(rows, csv, { signal: parts.stopping })
    .then(
      () => end('done', sent),
      async (error: unknown) => {
        await end('refused', sent)
        throw error
      },
    )
    .catch((error: unknown) => {
      if (!isLeft(error)) parts.log.error({ error }, 'an export of the panel failed')
    })
    .finally(giveBack)
  // What Node and the web call a stream of bytes are two types.
  const body = Readable.toWeb(csv, { strategy: AHEAD }) as ReadableStream<Uint8Array>
  return c.body(body, 200, headers)
}

/** What stands for a session for as long as it lasts. */
function sessionOf({ var: { signedIn } }: PanelContext): string {
  if (signedIn?.kind === 'person') return signedIn.session.firstIdHash
  return signedIn?.session.idHash ?? ''
}

/** What the log keeps of an export: names of filters, never what was typed. */
function detailOf({ c, view }: Visit) {
  const filters = Object.entries(c.req.query())
    .filter(([name, value]) => name !== 'separator' && value !== '')
    .map(([name]) => name)
  return {
    list: path.posix.basename(c.req.path, '.csv'),
    filters: filters.join(' '),
    masked: !view.may('payers:unmasked'),
  }
}

interface SentFile extends CsvFile {
  /** Counts the rows. */
  readonly sent: { rows: number }
  /** When the reader was known to be signed in. */
  readonly checkedAtMs: number
}

async function* cellsOf(visit: Visit, parts: PanelParts, file: SentFile) {
  const { clock } = parts
  const { heads, rows, sent } = file
  let { checkedAtMs } = file
  yield heads.map(cellOf)
  for await (const row of rows) {
    sent.rows += 1
    // Rows wait for a reader that is slow.
    const isDue = Math.abs(clock.now() - checkedAtMs) >= CHECK_EVERY_MS
    if (isDue || sent.rows % ROWS_BETWEEN_CHECKS === 0) {
      await requireStillSignedIn(parts, visit)
      checkedAtMs = clock.now()
    }
    yield row.map(cellOf)
  }
}

/** The reader went away, or the process stops. */
function isLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name } = error as NodeJS.ErrnoException
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || name === 'AbortError'
}

/** Where a spreadsheet that takes another separator would begin a cell. */
const INNER_CELL = /[;,\t\n\r][\s"]*/g
const FORMULA = /^[=+\-@＝＋－＠]/

/** What begins like a formula, and is an amount. */
const NEGATIVE = /^-\d+[.,]\d{2}$/

/** Blanks before a formula hide it. */
function cellOf(text: string): string {
  const cell = text.trim()
  const guarded = FORMULA.test(cell) && !NEGATIVE.test(cell) ? `'${cell}` : cell
  return guarded.replaceAll(INNER_CELL, (before, at: number) =>
    FORMULA.test(cell.charAt(at + before.length)) ? `${before}'` : before,
  )
}
