// Template's books: a line for each change of a charge, written before any answer.
import type { Secret } from '@cofre/contracts'
import {
  type RandomBytes,
  type Tally,
  openBooksFile,
  shownCardSchema,
  sumOf,
} from '@cofre/provider-kit/simulator'
import { z } from 'zod'

const chargeSchema = z.object({
  id: z.string(),
  /** The store's code: a reference is unique in one store. */
  store: z.string(),
  reference: z.string(),
  status: z.enum(['approved', 'declined']),
  code: z.string().optional(),
  authorizationCode: z.string(),
  amountMinor: z.int(),
  installments: z.int(),
  card: shownCardSchema,
  refunds: z.array(z.object({ reference: z.string(), amountMinor: z.int() })),
})
export type Charge = z.output<typeof chargeSchema>

export interface Account {
  readonly store: string
  readonly apiKey: Secret<string>
  readonly noticeUrl: string
}

export interface Book {
  charges(): readonly Charge[]
  find(store: string, reference: string): Charge | undefined
  save(charge: Charge): void
  newId(): string
  /** The entries under a reference, of any store. */
  tallyOf(reference: string): Tally
}

/** @throws Error for books that this release can't read */
export function openBook(file: string, randomBytes: RandomBytes): Book {
  const books = openBooksFile(file, { books: 'cofre-template', version: 1, line: chargeSchema })
  // The last line of a charge counts.
  const charges = new Map<string, Charge>(books.lines.map((charge) => [charge.id, charge]))
  const all = () => [...charges.values()]
  return {
    charges: all,
    find: (store, reference) =>
      all().find((charge) => charge.store === store && charge.reference === reference),
    save(charge) {
      books.append(charge)
      charges.set(charge.id, charge)
    },
    newId: () => Buffer.from(randomBytes(8)).toString('hex'),
    tallyOf: (reference) => tallyOf(all().filter((charge) => charge.reference === reference)),
  }
}

function tallyOf(found: readonly Charge[]): Tally {
  const charges = found.filter(({ status }) => status === 'approved')
  const refunds = charges.flatMap((charge) => charge.refunds)
  return {
    attempts: found.length,
    charges: charges.length,
    chargedMinor: sumOf(charges),
    cancels: 0,
    refunds: refunds.length,
    refundedMinor: sumOf(refunds),
  }
}
