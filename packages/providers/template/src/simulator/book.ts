// What Template has booked: a line for each change of a charge, written before any answer.
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
  reference: z.string(),
  status: z.enum(['approved', 'declined']),
  code: z.string().optional(),
  authorizationCode: z.string(),
  amountMinor: z.int(),
  card: shownCardSchema,
  refunds: z.array(z.object({ reference: z.string(), amountMinor: z.int() })),
})
export type Charge = z.output<typeof chargeSchema>

export interface Account {
  readonly apiKey: Secret<string>
  readonly noticeUrl: string
}

export interface Book {
  /** By the shop's reference. */
  readonly charges: ReadonlyMap<string, Charge>
  keep(charge: Charge): void
  newId(): string
  tallyOf(reference: string): Tally
}

/** @throws Error for what this release cannot read */
export function openBook(file: string, randomBytes: RandomBytes): Book {
  const books = openBooksFile(file, { books: 'cofre-template', version: 1, line: chargeSchema })
  // Of a charge that is there several times the last one counts.
  const charges = new Map<string, Charge>(books.lines.map((charge) => [charge.reference, charge]))
  return {
    charges,
    keep(charge) {
      books.append(charge)
      charges.set(charge.reference, charge)
    },
    newId: () => Buffer.from(randomBytes(8)).toString('hex'),
    tallyOf: (reference) => tallyOf(charges.get(reference)),
  }
}

function tallyOf(charge: Charge | undefined): Tally {
  const isCharged = charge?.status === 'approved'
  const refunds = charge?.refunds ?? []
  return {
    attempts: charge === undefined ? 0 : 1,
    charges: isCharged ? 1 : 0,
    chargedMinor: isCharged ? charge.amountMinor : 0,
    cancels: 0,
    refunds: refunds.length,
    refundedMinor: sumOf(refunds),
  }
}
