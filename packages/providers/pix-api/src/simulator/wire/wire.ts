// Requests of the API Pix 2.9.0. Unknown fields are ignored, as the document requires.
import { type MinorUnits, parseAmount } from '@cofre/contracts'
import { z } from 'zod'
import { PixProblem, type ProblemType, type Violation } from './problem.js'

const DAY_S = 86_400
const INT32_MAX = 2 ** 31 - 1
const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000

const txidSchema = z.string().regex(/^[a-zA-Z0-9]{26,35}$/)
const refundIdSchema = z.string().regex(/^[a-zA-Z0-9]{1,35}$/)
export const moneySchema = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .refine((text) => amountOf(text) > 0, 'o valor é zero')
const lifetimeSchema = z.int().positive().max(INT32_MAX)
const nameSchema = z.string().max(200)
/** A person, or a company. */
export const debtorFields = [
  { cpf: z.string().regex(/^\d{11}$/), cnpj: z.never().optional(), nome: nameSchema },
  { cnpj: z.string().regex(/^[0-9A-Z]{14}$/), cpf: z.never().optional(), nome: nameSchema },
] as const
const debtorSchema = z.union([z.object(debtorFields[0]), z.object(debtorFields[1])])
const valueSchema = z.object({
  original: moneySchema,
  modalidadeAlteracao: z.union([z.literal(0), z.literal(1)]).optional(),
  // Pix Saque and Pix Troco are separate products, which this bank does not offer.
  retirada: z.never().optional(),
})
const notesSchema = z
  .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }))
  .max(50)
export const locationSchema = z.object({ id: z.int() })

/** Fields of both kinds of charges. */
export const chargeBase = {
  chave: z.string().min(1).max(77),
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: notesSchema.optional(),
}
const chargeSchema = z.object({
  ...chargeBase,
  calendario: z.object({ expiracao: lifetimeSchema.default(DAY_S) }),
  devedor: debtorSchema.optional(),
  loc: locationSchema.optional(),
  valor: valueSchema,
})
/** The changeable terms of a charge. */
export const termsSchema = chargeSchema.omit({ loc: true })
const revisionSchema = chargeSchema.partial().extend({
  calendario: z.object({ expiracao: lifetimeSchema.optional() }).optional(),
  valor: valueSchema.partial().optional(),
  status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional(),
})
const refundSchema = z.object({
  valor: moneySchema,
  natureza: z.literal('ORIGINAL').optional(),
  descricao: z.string().max(140).optional(),
})
const webhookSchema = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }) })

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const page = {
  'paginacao.paginaAtual': z.coerce.number().int().min(0).default(0),
  'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
}
const payer = {
  cpf: z
    .string()
    .regex(/^\d{11}$/)
    .optional(),
  cnpj: z
    .string()
    .regex(/^[0-9A-Z]{14}$/)
    .optional(),
}
const chargeListSchema = z
  .object({
    inicio: time,
    fim: time,
    ...payer,
    locationPresente: flag.optional(),
    status: z.string().optional(),
    ...page,
  })
  .superRefine(inOrder)
const paymentListSchema = z
  .object({
    inicio: time,
    fim: time,
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,35}$/)
      .optional(),
    txIdPresente: flag.optional(),
    devolucaoPresente: flag.optional(),
    ...payer,
    ...page,
  })
  .superRefine(inOrder)
const webhookListSchema = z
  .object({ inicio: time.optional(), fim: time.optional(), ...page })
  .superRefine(inOrder)

export type ChargeTerms = z.infer<typeof termsSchema>

export type ChargeQuery = z.infer<typeof chargeListSchema>
export type PaymentQuery = z.infer<typeof paymentListSchema>
export type WebhookQuery = z.infer<typeof webhookListSchema>

/** Each parses a receiver's request, or throws a PixProblem that names the properties. */
export const readCharge = reader(chargeSchema, 'CobOperacaoInvalida', 'cob')
export const readRevision = reader(revisionSchema, 'CobOperacaoInvalida', 'cob')
export const readTxid = reader(txidSchema, 'CobOperacaoInvalida', 'txid')
export const readRefund = reader(refundSchema, 'PixDevolucaoInvalida', 'devolucao')
export const readRefundId = reader(refundIdSchema, 'PixDevolucaoInvalida', 'id')
export const readWebhook = reader(webhookSchema, 'WebhookOperacaoInvalida', 'webhook')
export const readChargeQuery = reader(chargeListSchema, 'CobConsultaInvalida', '')
export const readDatedChargeQuery = reader(chargeListSchema, 'CobVConsultaInvalida', '')
export const readPaymentQuery = reader(paymentListSchema, 'PixConsultaInvalida', '')
export const readWebhookQuery = reader(webhookListSchema, 'WebhookConsultaInvalida', '')

/**
 * Centavos of the document's decimal text.
 * @throws RangeError for anything else
 */
export function amountOf(text: string): MinorUnits {
  const amount = parseAmount(text)
  if (amount === undefined) throw new RangeError(`not an amount: ${text}`)
  return amount
}

export function reader<Schema extends z.ZodType>(schema: Schema, type: ProblemType, owner: string) {
  return (value: unknown): z.infer<Schema> => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const violations = result.error.issues.map(({ path, message }): Violation => {
      return { razao: message, propriedade: [owner, ...path].filter(Boolean).join('.') }
    })
    throw new PixProblem(type, 'A requisição não respeita o schema.', violations)
  }
}

interface Range {
  readonly inicio?: number | undefined
  readonly fim?: number | undefined
  readonly cpf?: string | undefined
  readonly cnpj?: string | undefined
}

function inOrder({ inicio, fim, cpf, cnpj }: Range, context: z.core.$RefinementCtx): void {
  if (inicio !== undefined && fim !== undefined && fim < inicio)
    context.addIssue({ code: 'custom', path: ['fim'], message: 'fim é anterior a inicio' })
  if (cpf !== undefined && cnpj !== undefined)
    context.addIssue({ code: 'custom', path: ['cnpj'], message: 'cpf e cnpj juntos' })
}
