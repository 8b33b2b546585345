// The bank's books on disk: a line for each change, written before the bank answers. A process that
// is killed loses nothing that it has said; a line that it did not finish is taken away.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { minorUnits } from '@cofre/contracts'
import { z } from 'zod'
import { type Change, type Charge, type Records, createRecords, enter } from './book.js'
import { termsSchema } from './wire.js'

const OWNER_ONLY = 0o600
const HEAD = { books: 'cofre-pix-bank', version: 1 }

const time = z.int()
const amount = z.int().nonnegative().transform(minorUnits)
const receiver = z.object({ taxId: z.string(), name: z.string(), city: z.string() })
const headSchema = z.object({ books: z.literal(HEAD.books), version: z.int() })
const revisionSchema = z.object({
  terms: termsSchema,
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
})
const refundSchema = z.object({
  id: z.string(),
  returnId: z.string(),
  amountMinor: amount,
  nature: z.enum(['ORIGINAL', 'MED_OPERACIONAL', 'MED_FRAUDE']),
  description: z.string().optional(),
  requestedMs: time,
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  settledMs: time.optional(),
  reason: z.string().optional(),
})
const lineSchema = z.object({
  charge: z
    .object({
      receiver,
      txid: z.string(),
      createdMs: time,
      location: z.object({ id: z.int(), address: z.string() }),
      revisions: z.tuple([revisionSchema], revisionSchema),
      /** Their ids: a payment changes after its charge. */
      payments: z.array(z.string()),
    })
    .optional(),
  payment: z
    .object({
      receiver,
      endToEndId: z.string(),
      txid: z.string().optional(),
      amountMinor: amount,
      pixKey: z.string(),
      bookedMs: time,
      refunds: z.array(refundSchema),
    })
    .optional(),
  webhook: z.object({ receiver, pixKey: z.string(), url: z.string(), createdMs: time }).optional(),
  removedWebhook: z.string().optional(),
})

export interface BooksFile {
  /** What was in it when it was opened. */
  readonly records: Records
  append(change: Change): void
}

/** Opens the books, or begins them. @throws Error for what this release cannot read */
export function openBooksFile(file: string): BooksFile {
  const records = readBooks(file)
  return {
    records,
    append({ charge, ...change }) {
      const payments = charge?.payments.map(({ endToEndId }) => endToEndId)
      const line = { ...change, ...(charge !== undefined && { charge: { ...charge, payments } }) }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
  }
}

function readBooks(file: string): Records {
  const text = readText(file)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole === '') {
    writeFileSync(file, `${JSON.stringify(HEAD)}\n`, { mode: OWNER_ONLY })
    return createRecords()
  }
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole))
  const [head, ...lines] = whole.trimEnd().split('\n')
  checkHead(file, head)
  return readLines(file, lines)
}

function checkHead(file: string, line: string | undefined): void {
  const version = parse(headSchema, line)?.version
  if (version === HEAD.version) return
  const found = version === undefined ? 'not known' : `version ${version}`
  throw unreadable(file, `their format is ${found}, and this release reads version ${HEAD.version}`)
}

function readLines(file: string, lines: readonly string[]): Records {
  const records = createRecords()
  const paid = new Map<Charge, readonly string[]>()
  for (const [index, line] of lines.entries()) {
    const entry = parse(lineSchema, line)
    // The head is the first line, and people count from one.
    if (entry === undefined) throw unreadable(file, `line ${index + 2} is damaged`)
    const { charge: stored, ...change } = entry
    const charge = stored && { ...stored, payments: [] }
    if (charge !== undefined) paid.set(charge, stored?.payments ?? [])
    enter(records, { ...change, charge })
  }
  for (const charge of records.charges.values())
    for (const id of paid.get(charge) ?? []) {
      const payment = records.payments.get(id)
      if (payment === undefined) throw unreadable(file, `payment ${id} is missing`)
      charge.payments.push(payment)
    }
  return records
}

function parse<Schema extends z.ZodType>(schema: Schema, line: string | undefined) {
  try {
    return schema.safeParse(JSON.parse(line ?? '')).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function unreadable(file: string, reason: string): Error {
  return new Error(
    `The simulated bank's books in ${file} cannot be read: ${reason}. ` +
      'Move the file away to begin new books: what is open at the bank is then unknown to it.',
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
