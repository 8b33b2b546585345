// What Cielo writes into its books, and how it reads them.
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
  cancelsUnfinished: z.boolean(),
  decision: z.object({
    end: z.enum(['authorized', 'denied', 'unfinished', 'pending', 'aborted']),
    returnCode: z.string(),
    returnMessage: z.string(),
    merchantAdviceCode: optionalText,
  }),
  captured: z.object({ amountMinor: amount, capturedMs: time }).optional(),
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
  /** What was in them when they were opened, by PaymentId. */
  readonly sales: Map<string, Sale>
  append(sale: Sale): void
}

/** Opens the books, or begins them. @throws Error for what this release cannot read */
export function openCieloBooks(file: string): CieloBooks {
  const books = openBooksFile(file, { books: 'cofre-cielo', version: 1, line: saleSchema })
  // Of a sale that is there several times the last one counts.
  const sales = new Map<string, Sale>(books.lines.map((sale) => [sale.paymentId, sale]))
  return {
    sales,
    append(sale) {
      books.append(sale)
    },
  }
}
