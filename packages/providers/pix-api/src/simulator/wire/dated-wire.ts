// Requests of the API Pix 2.9.0 about a charge with a due date (`cobv`).
import { z } from 'zod'
import { chargeBase, debtorFields, locationSchema, moneySchema, reader } from './wire.js'

const VALIDITY_DAYS = 30
const INT32_MAX = 2 ** 31 - 1

const dateSchema = z.iso.date()
const addressFields = {
  logradouro: z.string().max(200).optional(),
  cidade: z.string().max(200).optional(),
  uf: z.string().max(2).optional(),
  cep: z.string().max(8).optional(),
  email: z.string().optional(),
}
const [person, company] = debtorFields
const debtorSchema = z.union([
  z.object({ ...person, ...addressFields }),
  z.object({ ...company, ...addressFields }),
])
/** 1 is an amount, 2 a percentage. */
const partSchema = z.object({ modalidade: z.literal([1, 2]), valorPerc: moneySchema })
/** This bank offers only the documented modalities by calendar days. */
const valueSchema = z.object({
  original: moneySchema,
  multa: partSchema.optional(),
  /** An amount per day; or a percentage per day, month or year. */
  juros: z.object({ modalidade: z.literal([1, 2, 3, 4]), valorPerc: moneySchema }).optional(),
  abatimento: partSchema.optional(),
  /** Until a date: an amount, or a percentage. */
  desconto: z
    .object({
      modalidade: z.literal([1, 2]),
      descontoDataFixa: z
        .array(z.object({ data: dateSchema, valorPerc: moneySchema }))
        .min(1)
        .max(3),
    })
    .optional(),
})

const calendarSchema = z.object({
  dataDeVencimento: dateSchema,
  validadeAposVencimento: z.int().min(0).max(INT32_MAX).default(VALIDITY_DAYS),
})
const chargeSchema = z.object({
  ...chargeBase,
  calendario: calendarSchema,
  devedor: debtorSchema,
  loc: locationSchema.optional(),
  valor: valueSchema,
})
/** The changeable terms of a charge. */
export const datedTermsSchema = chargeSchema.omit({ loc: true })
const revisionSchema = chargeSchema.partial().extend({
  calendario: calendarSchema
    .extend({ validadeAposVencimento: z.int().min(0).max(INT32_MAX) })
    .partial()
    .optional(),
  valor: valueSchema.partial().optional(),
  status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional(),
})

export type DatedTerms = z.infer<typeof datedTermsSchema>

/** Each parses a receiver's request, or throws a PixProblem that names the properties. */
export const readDatedCharge = reader(chargeSchema, 'CobVOperacaoInvalida', 'cobv')
export const readDatedRevision = reader(revisionSchema, 'CobVOperacaoInvalida', 'cobv')
