// Requests of Inter's collections (Cobrança v3). Unknown fields are ignored.
import { isCnpj, isCpf, minorUnits, parseAmount } from '@cofre/contracts'
import { z } from 'zod'
import { InterProblem, type Violation } from './problem.js'

const AMOUNT_MIN = minorUnits(250)
const AMOUNT_MAX = minorUnits(9_999_999_999)
const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000
const CALLBACKS_SIZE = 20
const CALLBACKS_SIZE_MIN = 10
const RESENT_MAX = 50

const STATES = [
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO',
].flatMap((states) => states.split(' '))
export const SITUATIONS = [
  'EM_PROCESSAMENTO',
  'A_RECEBER',
  'ATRASADO',
  'RECEBIDO',
  'MARCADO_RECEBIDO',
  'CANCELADO',
  'EXPIRADO',
  'FALHA_EMISSAO',
] as const

const text = (min: number, max: number) => z.string().trim().min(min).max(max)
const day = z.iso.date()
/** A number, or its text, in reais. */
const amountSchema = z
  .union([z.number(), z.string()])
  .refine((value) => parseAmount(value) !== undefined, 'não é um valor em centavos')
  .transform((value) => parseAmount(value) ?? minorUnits(0))

const payerSchema = z
  .object({
    cpfCnpj: z.string(),
    tipoPessoa: z.enum(['FISICA', 'JURIDICA']),
    nome: text(1, 100),
    endereco: text(1, 100),
    // Clients send an empty text for an unknown value.
    numero: text(0, 10).optional(),
    complemento: text(0, 30).optional(),
    bairro: text(0, 60).optional(),
    cidade: text(1, 60),
    uf: z.string().refine((state) => STATES.includes(state), 'não é uma UF'),
    cep: z.string().regex(/^\d{8}$/),
    email: z.union([z.literal(''), z.email().max(50)]).optional(),
    ddd: z
      .string()
      .regex(/^(\d{2})?$/)
      .optional(),
    telefone: z
      .string()
      .regex(/^(\d{8,9})?$/)
      .optional(),
  })
  .refine(({ cpfCnpj, tipoPessoa }) => (tipoPessoa === 'FISICA' ? isCpf : isCnpj)(cpfCnpj), {
    path: ['cpfCnpj'],
    message: 'não é um CPF ou CNPJ deste tipo de pessoa',
  })
const chargesSchema = z.object({
  codigo: z.string(),
  quantidadeDias: z.int().min(0).optional(),
  taxa: z.number().positive().optional(),
  valor: z.number().positive().optional(),
})
const line = z.string().max(78).optional()

export const termsSchema = z.object({
  seuNumero: text(1, 15),
  valorNominal: amountSchema.refine(
    (amount) => amount >= AMOUNT_MIN && amount <= AMOUNT_MAX,
    'deve ser de 2.50 a 99999999.99',
  ),
  dataVencimento: day,
  numDiasAgenda: z.int().min(0).max(60),
  pagador: payerSchema,
  desconto: chargesSchema.optional(),
  multa: chargesSchema.optional(),
  mora: chargesSchema.optional(),
  mensagem: z
    .object({ linha1: line, linha2: line, linha3: line, linha4: line, linha5: line })
    .optional(),
  formasRecebimento: z
    .array(z.enum(['BOLETO', 'PIX']))
    .refine((ways) => ways.includes('BOLETO'), 'Pix sem boleto não é oferecido')
    .default(['BOLETO', 'PIX']),
})
const cancellationSchema = z.object({ motivoCancelamento: text(1, 50) })
const webhookSchema = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }) })
const resendSchema = z.object({ codigoSolicitacao: z.array(z.string()).min(1).max(RESENT_MAX) })

const listSchema = z.object({
  dataInicial: day,
  dataFinal: day,
  filtrarDataPor: z.enum(['VENCIMENTO', 'EMISSAO', 'PAGAMENTO']).default('VENCIMENTO'),
  situacao: z.enum(SITUATIONS).optional(),
  pessoaPagadora: z.string().optional(),
  cpfCnpjPessoaPagadora: z.string().optional(),
  seuNumero: z.string().optional(),
  tipoOrdenacao: z.enum(['ASC', 'DESC']).default('ASC'),
  'paginacao.paginaAtual': z.coerce.number().int().min(0).default(0),
  'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
})
const time = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value))
const historySchema = z.object({
  dataHoraInicio: time,
  dataHoraFim: time,
  codigoSolicitacao: z.string().optional(),
  pagina: z.coerce.number().int().min(0).default(0),
  tamanhoPagina: z.coerce
    .number()
    .int()
    .min(CALLBACKS_SIZE_MIN)
    .max(RESENT_MAX)
    .default(CALLBACKS_SIZE),
})

export type BoletoTerms = z.output<typeof termsSchema>
export type Situation = (typeof SITUATIONS)[number]
export type ListQuery = z.output<typeof listSchema>
export type HistoryQuery = z.output<typeof historySchema>

/** Each parses a client's request, or throws an InterProblem that names the properties. */
export const readTerms = reader(termsSchema)
export const readCancellation = reader(cancellationSchema)
export const readWebhook = reader(webhookSchema)
export const readResend = reader(resendSchema)
export const readListQuery = reader(listSchema)
export const readHistoryQuery = reader(historySchema)

function reader<Schema extends z.ZodType>(schema: Schema) {
  return (value: unknown): z.output<Schema> => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const violations = result.error.issues.map(({ path, message }): Violation => {
      return { razao: message, propriedade: path.join('.') }
    })
    throw new InterProblem(400, 'A requisição não respeita o contrato da API.', violations)
  }
}
