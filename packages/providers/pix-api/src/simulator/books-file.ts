// The file format of the bank's books.
import { MED_NATURES, minorUnits } from '@cofre/contracts'
import { z } from 'zod'
import { openBooksFile, unreadableBooks } from '@cofre/provider-kit/simulator'
import { type Change, type Charge, type Records, createRecords, enter } from './book.js'
import { datedTermsSchema } from './wire/dated-wire.js'
import { termsSchema } from './wire/wire.js'

const time = z.int()
const amount = z.int().nonnegative().transform(minorUnits)
const receiver = z.object({ taxId: z.string(), name: z.string(), city: z.string() })
const revisionSchema = z.object({
  terms: z.union([datedTermsSchema, termsSchema]),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
})
const componentsSchema = z.object({
  original: amount,
  multa: amount.optional(),
  juros: amount.optional(),
  abatimento: amount.optional(),
  desconto: amount.optional(),
})
const refundSchema = z.object({
  id: z.string(),
  returnId: z.string(),
  amountMinor: amount,
  nature: z.enum(['ORIGINAL', ...MED_NATURES]),
  description: z.string().optional(),
  requestedMs: time,
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  settledMs: time.optional(),
  reason: z.string().optional(),
})
/** A line of the books. */
export const bankLineSchema = z.object({
  charge: z
    .object({
      receiver,
      txid: z.string(),
      createdMs: time,
      location: z.object({ id: z.int(), address: z.string() }),
      revisions: z.tuple([revisionSchema], revisionSchema),
      /** Ids of payments, which change after their charge. */
      payments: z.array(z.string()),
    })
    .optional(),
  payment: z
    .object({
      receiver,
      endToEndId: z.string(),
      txid: z.string().optional(),
      amountMinor: amount,
      components: componentsSchema.optional(),
      pixKey: z.string(),
      bookedMs: time,
      refunds: z.array(refundSchema),
    })
    .optional(),
  webhook: z.object({ receiver, pixKey: z.string(), url: z.string(), createdMs: time }).optional(),
  removedWebhook: z.string().optional(),
})

export interface BankBooks {
  /** The records at its opening. */
  readonly records: Records
  append(change: Change): void
}

/**
 * Opens the books, or creates them.
 * @throws Error for books that this release can't read
 */
export function openBankBooks(file: string): BankBooks {
  const books = openBooksFile(file, { books: 'cofre-pix-bank', version: 1, line: bankLineSchema })
  return {
    records: readRecords(file, books.lines),
    append(change) {
      books.append(bankLine(change))
    },
  }
}

export function bankLine({ charge, ...change }: Change) {
  const payments = charge?.payments.map(({ endToEndId }) => endToEndId) ?? []
  return { ...change, ...(charge !== undefined && { charge: { ...charge, payments } }) }
}

/**
 * The records of lines, the oldest first.
 * @throws Error for a payment in no line
 */
export function readRecords(
  file: string,
  lines: readonly z.output<typeof bankLineSchema>[],
): Records {
  const records = createRecords()
  const paid = new Map<Charge, readonly string[]>()
  for (const { charge: stored, ...change } of lines) {
    const charge = stored && { ...stored, payments: [] }
    if (charge !== undefined) paid.set(charge, stored?.payments ?? [])
    enter(records, { ...change, charge })
  }
  for (const charge of records.charges.values())
    for (const id of paid.get(charge) ?? []) {
      const payment = records.payments.get(id)
      if (payment === undefined) throw unreadableBooks(file, `payment ${id} is missing`)
      charge.payments.push(payment)
    }
  return records
}
