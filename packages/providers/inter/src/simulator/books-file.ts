// The file format of Inter's books: the lines of any bank with the API Pix, with boletos.
import { minorUnits } from '@cofre/contracts'
import { z } from 'zod'
import { openBooksFile } from '@cofre/provider-kit/simulator'
import {
  type BankBooks,
  bankLine,
  bankLineSchema,
  readRecords,
} from '@cofre/pix-api/simulator-parts'
import { type InterChange, type InterRecords, enterAtInter } from './book.js'
import { SITUATIONS, termsSchema } from './wire.js'

const time = z.int()
const amount = z.int().nonnegative().transform(minorUnits)
const receiver = z.object({ taxId: z.string(), name: z.string(), city: z.string() })
const boletoSchema = z.object({
  receiver,
  code: z.string(),
  terms: termsSchema.extend({ valorNominal: amount }),
  requestedMs: time,
  pixKey: z.string().optional(),
  issueAtMs: time.optional(),
  situation: z.enum(SITUATIONS),
  changedMs: time,
  isTold: z.boolean(),
  codes: z
    .object({
      ourNumber: z.string(),
      barcode: z.string(),
      line: z.string(),
      pix: z.object({ txid: z.string(), location: z.string() }).optional(),
    })
    .optional(),
  received: z
    .object({
      amountMinor: amount,
      origin: z.enum(['BOLETO', 'PIX']).optional(),
      endToEndId: z.string().optional(),
    })
    .optional(),
  cancelReason: z.string().optional(),
})
const lineSchema = bankLineSchema.extend({
  boleto: boletoSchema.optional(),
  callback: z
    .object({ receiver, number: z.string(), url: z.string(), createdMs: time, changedMs: time })
    .optional(),
  removedCallback: z.string().optional(),
})

export interface InterBooks extends BankBooks {
  readonly records: InterRecords
  append(change: InterChange): void
}

/**
 * Opens the books, or creates them.
 * @throws Error for books that this release can't read
 */
export function openInterBooks(file: string): InterBooks {
  const books = openBooksFile(file, { books: 'cofre-inter', version: 1, line: lineSchema })
  const records: InterRecords = {
    ...readRecords(file, books.lines),
    boletos: new Map(),
    callbacks: new Map(),
  }
  for (const { boleto, callback, removedCallback } of books.lines)
    enterAtInter(records, { boleto, callback, removedCallback })
  return {
    records,
    append(change) {
      books.append(bankLine(change))
    },
  }
}
