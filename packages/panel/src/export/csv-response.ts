import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { PanelParts } from '../frame/panel-parts.js'
import type { PanelContext } from '../frame/visit.js'
import { findSession } from '../session/session-service.js'
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
/** Rows after which it is asked again whether the reader is still signed in. */
const ROWS_BETWEEN_CHECKS = 5000
/** That a session is sent at once. */
const FILES_MAX = 2

/**
 * Sends a table row by row, as fast as it is taken, in UTF-8 with its mark. A spreadsheet runs no
 * cell as a formula. A file whose reader is signed out meanwhile, or whose rows fail, breaks off.
 */
export function csvResponse(
  c: PanelContext,
  parts: PanelParts,
  file: CsvFile,
): Response | Promise<Response> {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file.name}.csv"`,
  }
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const { idHash } = c.var.signedIn
  const open = parts.files.get(idHash) ?? 0
  if (open >= FILES_MAX) return renderNotice(c, parts, 'tooManyFiles')
  parts.files.set(idHash, open + 1)
  const delimiter = DELIMITERS[file.separator]
  const csv = stringify({
    bom: true,
    delimiter,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
  const rows = Readable.from(cellsOf(c, parts, file))
  void pipeline(rows, csv, { signal: parts.stopping })
    .catch((error: unknown) => {
      if (!isLeft(error)) parts.log.error({ error }, 'an export of the panel failed')
    })
    .finally(() => {
      const left = (parts.files.get(idHash) ?? 1) - 1
      if (left === 0) parts.files.delete(idHash)
      else parts.files.set(idHash, left)
    })
  // What Node and the web call a stream of bytes are two types.
  return c.body(Readable.toWeb(csv) as ReadableStream<Uint8Array>, 200, headers)
}

async function* cellsOf(c: PanelContext, parts: PanelParts, { heads, rows }: CsvFile) {
  yield heads.map(cellOf)
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count % ROWS_BETWEEN_CHECKS === 0) await checkSession(c, parts)
    yield row.map(cellOf)
  }
}

async function checkSession(c: PanelContext, parts: PanelParts): Promise<void> {
  if ((await findSession(parts, c.var.signedIn.idHash)) === undefined)
    throw new Error('the reader of an export is signed out')
}

/** The reader went away, or the process stops. */
function isLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name } = error as NodeJS.ErrnoException
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || name === 'AbortError'
}

/** Where a spreadsheet that takes another separator would begin a formula. */
const INNER_FORMULA = /([;,\t\n\r][\s"]*)(?=[=+\-@＝＋－＠])/g

/** Blanks before a formula hide it from the writer alone. */
function cellOf(text: string): string {
  return text.trim().replaceAll(INNER_FORMULA, "$1'")
}
