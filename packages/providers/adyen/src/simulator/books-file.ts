// The file format of Adyen's books.
import { z } from 'zod'
import { openBooksFile, shownCardSchema } from '@cofre/provider-kit/simulator'
import { type Change, type Records, createRecords, enter } from './book.js'

const time = z.int()
const amount = z.int().nonnegative()
const optionalText = z.string().optional()

const modificationSchema = z.object({
  pspReference: z.string(),
  kind: z.enum(['capture', 'refund', 'cancel']),
  reference: optionalText,
  amountMinor: amount,
  requestedMs: time,
  toldBy: z.enum(['CAPTURE', 'REFUND', 'CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND']),
  state: z.enum(['received', 'done', 'refused', 'failed', 'reversed']),
})
const eventSchema = z.object({
  merchantAccount: z.string(),
  eventCode: z.enum([
    'AUTHORISATION',
    'CAPTURE',
    'CAPTURE_FAILED',
    'REFUND',
    'REFUND_FAILED',
    'REFUNDED_REVERSED',
    'CANCELLATION',
    'TECHNICAL_CANCEL',
    'CANCEL_OR_REFUND',
    'EXPIRE',
    'CHARGEBACK',
    'CHARGEBACK_REVERSED',
  ]),
  pspReference: z.string(),
  originalReference: optionalText,
  merchantReference: z.string(),
  amount: z.object({ currency: z.string(), value: amount }),
  success: z.boolean(),
  reason: optionalText,
  paymentMethod: optionalText,
  timeMs: time,
  operations: z.array(z.string()).optional(),
  additionalData: z.record(z.string(), z.string()).optional(),
})
const outcomeSchema = z.discriminatedUnion('resultCode', [
  z.object({
    resultCode: z.literal('Authorised'),
    fails: z.enum(['capture', 'refund']).optional(),
  }),
  z.object({ resultCode: z.literal('Received') }),
  z.object({
    resultCode: z.enum(['Refused', 'Error']),
    refusal: z.object({ code: z.string(), reason: z.string(), raw: z.string() }),
  }),
])
const paymentSchema = z.object({
  merchantAccount: z.string(),
  pspReference: z.string(),
  reference: z.string(),
  amountMinor: amount,
  currency: z.string(),
  installments: z.int(),
  card: shownCardSchema,
  statement: optionalText,
  storedCredential: z.object({
    shopperInteraction: optionalText,
    recurringProcessingModel: optionalText,
    networkPaymentReference: optionalText,
    transactionLinkId: optionalText,
  }),
  networkTxReference: z.string(),
  transactionLinkId: optionalText,
  authCode: z.string(),
  threeDSecure: z.object({ eci: optionalText, shifts: z.boolean() }).optional(),
  challenge: z
    .object({
      id: z.string(),
      returnUrl: z.string(),
      redirectResult: z.string(),
      answer: z.enum(['passed', 'failed']).optional(),
    })
    .optional(),
  capturesLater: z.boolean(),
  createdMs: time,
  outcome: outcomeSchema,
  state: z.enum(['authenticating', 'authorised', 'pending', 'refused', 'cancelled', 'expired']),
  modifications: z.array(modificationSchema),
  chargebacks: z.array(
    z.object({
      pspReference: z.string(),
      amountMinor: amount,
      state: z.enum(['lost', 'reversed']),
    }),
  ),
  events: z.array(eventSchema),
})
const lineSchema = z.object({
  payment: paymentSchema.optional(),
  answer: z.object({ id: z.string(), status: z.int(), text: z.string() }).optional(),
})

export interface AdyenBooks {
  /** The records at its opening. */
  readonly records: Records
  append(change: Change): void
}

/**
 * Opens the books, or creates them.
 * @throws Error for books that this release can't read
 */
export function openAdyenBooks(file: string): AdyenBooks {
  const books = openBooksFile(file, { books: 'cofre-adyen', version: 1, line: lineSchema })
  const records = createRecords()
  // The last line of a payment counts.
  for (const change of books.lines) enter(records, change)
  return {
    records,
    append(change) {
      if (Object.values(change).some((part) => part !== undefined)) books.append(change)
    },
  }
}
