// Responses of the card lookups (specification, sections 2.4, 4.2).
import { z } from 'zod'

export const binSchema = z.strictObject({
  number: z.int(),
  brand: z.string(),
  cvvSize: z.int(),
  expirable: z.boolean(),
  validationAlgorithm: z.enum(['LUHN', 'NONE']),
  installment: z.boolean(),
})
export type BinBody = z.output<typeof binSchema>

export const installmentSchema = z.strictObject({
  // At most 12, unless the store's contracts allow more.
  quantity: z.int().min(1).max(18),
  totalAmount: z.number(),
  installmentAmount: z.number(),
  interestFree: z.boolean(),
})
export type InstallmentBody = z.output<typeof installmentSchema>

/** Bodies of `200 OK` of the three lookups. */
export const cardLookupSchema = z.strictObject({
  bin: binSchema,
  installments: z.array(installmentSchema),
})
export const binLookupSchema = z.strictObject({ bin: binSchema })
export const installmentsLookupSchema = z.strictObject({ installments: z.array(installmentSchema) })
