// Books on disk, with a line for each change, written before any answer. A killed process loses
// nothing that it has answered; an unfinished line is removed.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const OWNER_ONLY = 0o600

interface Format<Line extends z.ZodType> {
  /** Identifies the books in the first line, as `cofre-pix-bank`. */
  readonly books: string
  readonly version: number
  readonly line: Line
}

export interface BooksFile<Line extends z.ZodType> {
  /** The lines at its opening, the oldest first. */
  readonly lines: readonly z.output<Line>[]
  /** @param line - In the format. */
  append(line: object): void
}

/**
 * Opens books, or creates them.
 * @throws Error for books that this release can't read
 */
export function openBooksFile<Line extends z.ZodType>(
  file: string,
  format: Format<Line>,
): BooksFile<Line> {
  return {
    lines: readBooks(file, format),
    append(line) {
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
  }
}

export function unreadableBooks(file: string, reason: string): Error {
  return new Error(
    `The simulator's books in ${file} cannot be read: ${reason}. ` +
      'Move the file away to begin new books: what is in these is then unknown to it.',
  )
}

function readBooks<Line extends z.ZodType>(file: string, format: Format<Line>): z.output<Line>[] {
  const text = readText(file)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole === '') {
    const { books, version } = format
    writeFileSync(file, `${JSON.stringify({ books, version })}\n`, { mode: OWNER_ONLY })
    return []
  }
  const [head, ...lines] = whole.trimEnd().split('\n')
  checkHead(file, head, format)
  const read = lines.map((line, index) => {
    const entry = parse(format.line, line)
    // The head is the first line, and people count from one.
    if (!entry.success) throw unreadableBooks(file, `line ${index + 2} is damaged`)
    return entry.data
  })
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole))
  return read
}

function checkHead(
  file: string,
  line: string | undefined,
  format: Pick<Format<z.ZodType>, 'books' | 'version'>,
): void {
  const schema = z.object({ books: z.literal(format.books), version: z.int() })
  const version = parse(schema, line).data?.version
  if (version === format.version) return
  const found = version === undefined ? 'not known' : `version ${version}`
  const reason = `their format is ${found}, and this release reads version ${format.version}`
  throw unreadableBooks(file, reason)
}

function parse<Schema extends z.ZodType>(schema: Schema, line: string | undefined) {
  return schema.safeParse(readJson(line ?? ''))
}

/** Undefined if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
