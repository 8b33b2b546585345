import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SECOND_MS } from '@cofre/contracts'
import { stringify } from 'csv-stringify'
import type { PanelParts } from '../visit/panel-parts.js'
import { type EndAct, actOf } from '../frame/page-act.js'
import { type PanelContext, type Visit, requireStillSignedIn } from '../visit/visit.js'
import { renderNotice } from '../frame/render-page.js'
import type { Separator } from './csv-format.js'

/** A table as a file. */
export interface CsvFile {
  /** Without its extension: `payments-2026-11-21`. */
  readonly name: string
  readonly heads: readonly string[]
  readonly rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>
  readonly separator: Separator
}

const DELIMITERS: Readonly<Record<Separator, string>> = { semicolon: ';', comma: ',' }
/** The session is checked again after this many rows, or after a second. */
const ROWS_BETWEEN_CHECKS = 5000
const CHECK_EVERY_MS = SECOND_MS
/** Buffer for a slow reader: by default, Node reads thousands of rows ahead. */
const AHEAD = new ByteLengthQueuingStrategy({ highWaterMark: 16 * 1024 })
/** Simultaneous downloads of a session. */
const FILES_MAX = 2

/**
 * Streams a table row by row, as fast as the reader takes it, in UTF-8 with a byte order mark. A
 * spreadsheet runs no cell as a formula. The file breaks off if the reader is signed out meanwhile
 * or the rows fail.
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
  // Before the first await: simultaneous requests must count each other.
  const release = parts.limited(`export ${sessionOf(c)}`, FILES_MAX)
  if (release === undefined) return renderNotice(c, parts, 'tooManyFiles')
  let end: EndAct
  try {
    end = await actOf(parts, visit, { action: 'export', detail: detailOf(visit) })
  } catch (error) {
    release()
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
    .finally(release)
  // Node and the web have two types for a stream of bytes.
  const body = Readable.toWeb(csv, { strategy: AHEAD }) as ReadableStream<Uint8Array>
  return c.body(body, 200, headers)
}

/** An identifier that stays the same for a session's whole lifetime. */
function sessionOf({ var: { signedIn } }: PanelContext): string {
  if (signedIn?.kind === 'person') return signedIn.session.firstIdHash
  return signedIn?.session.idHash ?? ''
}

/** The log's detail of an export: names of filters, never typed values. */
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
  /** The number of rows sent. */
  readonly sent: { rows: number }
  /** The time of the last check that the reader is signed in. */
  readonly checkedAtMs: number
}

async function* cellsOf(visit: Visit, parts: PanelParts, file: SentFile) {
  const { clock } = parts
  const { heads, rows, sent } = file
  let { checkedAtMs } = file
  yield heads.map(cellOf)
  for await (const row of rows) {
    sent.rows += 1
    // A slow reader pauses the rows, so the time since the last check counts, too.
    const isDue = Math.abs(clock.now() - checkedAtMs) >= CHECK_EVERY_MS
    if (isDue || sent.rows % ROWS_BETWEEN_CHECKS === 0) {
      await requireStillSignedIn(parts, visit)
      checkedAtMs = clock.now()
    }
    yield row.map(cellOf)
  }
}

/** True if the reader disconnected, or the process stops. */
function isLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name } = error as NodeJS.ErrnoException
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || name === 'AbortError'
}

/** The start of a cell for a spreadsheet with another separator. */
const INNER_CELL = /[;,\t\n\r][\s"]*/g
const FORMULA = /^[=+\-@＝＋－＠]/

/** An amount, which begins like a formula. */
const NEGATIVE = /^-\d+[.,]\d{2}$/

/** Leading blanks would hide a formula, so they are trimmed. */
function cellOf(text: string): string {
  const cell = text.trim()
  const guarded = FORMULA.test(cell) && !NEGATIVE.test(cell) ? `'${cell}` : cell
  return guarded.replaceAll(INNER_CELL, (before, at: number) =>
    FORMULA.test(cell.charAt(at + before.length)) ? `${before}'` : before,
  )
}
