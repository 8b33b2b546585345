// The file format of Cielo's books.
import { z } from 'zod'
import { openBooksFile, shownCardSchema } from '@cofre/provider-kit/simulator'
import type { Sale } from './book.js'

const time = z.int()
const amount = z.int().nonnegative()
const optionalText = z.string().optional()

const saleSchema = z.object({
  merchantId: z.string(),
  paymentId: z.string(),
  merchantOrderId: z.string(),
  customerName: optionalText,
  type: z.enum(['CreditCard', 'DebitCard']),
  amountMinor: amount,
  installments: z.int(),
  softDescriptor: optionalText,
  card: shownCardSchema,
  brand: z.string(),
  cardOnFile: z.object({ usage: z.string(), reason: optionalText }).optional(),
  sentIssuerTransactionId: optionalText,
  sentTransactionLinkId: optionalText,
  issuerTransactionId: z.string(),
  transactionLinkId: optionalText,
  eci: optionalText,
  tid: z.string(),
  proofOfSale: z.string(),
  authorizationCode: z.string(),
  receivedMs: time,
  asksCapture: z.boolean(),
  captureEndsMs: time.optional(),
  cancelsUnfinished: z.boolean(),
  decision: z.object({
    end: z.enum(['authorized', 'denied', 'unfinished', 'pending', 'aborted']),
    returnCode: z.string(),
    returnMessage: z.string(),
    merchantAdviceCode: optionalText,
  }),
  captured: z.object({ amountMinor: amount, capturedMs: time }).optional(),
  expiredMs: time.optional(),
  voids: z.array(
    z.object({ amountMinor: amount, voidedMs: time, state: z.enum(['done', 'refused']) }),
  ),
  chargebacks: z.array(
    z.object({
      amountMinor: amount,
      caseNumber: z.string(),
      openedMs: time,
      state: z.enum(['Received', 'Reversed']),
    }),
  ),
  fraudAlertMs: time.optional(),
})

export interface CieloBooks {
  /** The sales at its opening, by PaymentId. */
  readonly sales: Map<string, Sale>
  append(sale: Sale): void
}

/**
 * Opens the books, or creates them.
 * @throws Error for books that this release can't read
 */
export function openCieloBooks(file: string): CieloBooks {
  const books = openBooksFile(file, { books: 'cofre-cielo', version: 1, line: saleSchema })
  // The last line of a sale counts.
  const sales = new Map<string, Sale>(books.lines.map((sale) => [sale.paymentId, sale]))
  return {
    sales,
    append(sale) {
      books.append(sale)
    },
  }
}
