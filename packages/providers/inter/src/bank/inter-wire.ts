// Inter's API Cobrança v3. Requests are strict, answers tolerant: new fields are ignored, and a new
// situation is an unknown state.
import {
  DAY_MS,
  type MinorUnits,
  beginningOf,
  formatAmount,
  isCalendarDate,
  latin1Spelling,
  plainTextOf,
} from '@cofre/contracts'
import type { BankBoleto, BoletoCodes, BoletoOrder } from '@cofre/provider-kit/bank'
import { redacted } from '@cofre/provider-kit/outbound'
import { z } from 'zod'
import { documentSchema, amount, maybe } from '@cofre/pix-api/bank'

export const MINIMUM_MINOR = 250
const MAXIMUM_MINOR = 9_999_999_999
const PAYABLE_DAYS_MAX = 60
const MESSAGE_LINES_MAX = 5
const MESSAGE_LINE_LENGTH_MAX = 78
const EMAIL_LENGTH_MAX = 50

const STATES =
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ')

/** One line in the letters that every bank has, cut to the given length. */
const cut = (lengthMax: number) =>
  z.string().transform((text) => {
    const line = latin1Spelling(plainTextOf(text, ' ')).trim()
    return beginningOf(line, lengthMax).trimEnd()
  })
const some = (lengthMax: number) => cut(lengthMax).pipe(z.string().min(1))

/** The bank accepts no punctuation, and requires the kind of document. */
const payerSchema = z.strictObject({
  cpfCnpj: documentSchema,
  tipoPessoa: z.enum(['FISICA', 'JURIDICA']),
  nome: some(100),
  endereco: some(100),
  numero: cut(10),
  complemento: cut(30).optional(),
  bairro: cut(60),
  cidade: some(60),
  uf: z.enum(STATES),
  cep: z.string().regex(/^\d{8}$/),
  // A cut e-mail address would be another person's.
  email: z.email().max(EMAIL_LENGTH_MAX).optional().catch(undefined),
})

export const issueRequestSchema = z.strictObject({
  seuNumero: z.string().regex(/^[A-Z2-7]{15}$/),
  valorNominal: z.number().min(2.5).max(99_999_999.99),
  dataVencimento: z.string().refine(isCalendarDate),
  numDiasAgenda: z.int().min(0).max(PAYABLE_DAYS_MAX),
  pagador: payerSchema,
  mensagem: z.record(z.string(), z.string().max(MESSAGE_LINE_LENGTH_MAX)).optional(),
  formasRecebimento: z.tuple([z.literal('BOLETO'), z.literal('PIX')]),
})

export type IssueRequest = z.output<typeof issueRequestSchema>

/** The request to the bank, or the fields that it would refuse. */
export function issueRequest(order: BoletoOrder): z.ZodSafeParseResult<IssueRequest> {
  const { amountMinor, description, dueDate, name, payableDays, payer } = order
  const { street, number, complement, district, city, state, postalCode } = payer.address
  const lines = messageLines(description)
  return issueRequestSchema.safeParse({
    seuNumero: name,
    valorNominal: wireAmount(amountMinor),
    dataVencimento: dueDate,
    numDiasAgenda: payableDays,
    pagador: {
      cpfCnpj: payer.document,
      tipoPessoa: payer.document.length === 11 ? 'FISICA' : 'JURIDICA',
      nome: payer.name,
      endereco: street,
      numero: number,
      ...(complement !== undefined && complement !== '' && { complemento: complement }),
      bairro: district,
      cidade: city,
      uf: state,
      cep: postalCode,
      email: payer.email,
    },
    ...(lines.length > 0 && {
      mensagem: Object.fromEntries(lines.map((line, at) => [`linha${at + 1}`, line])),
    }),
    formasRecebimento: ['BOLETO', 'PIX'],
  })
}

/**
 * In reais; NaN, which the schema refuses, for an amount that a number can't hold to the centavo.
 */
function wireAmount(amountMinor: MinorUnits): number {
  return amountMinor > MAXIMUM_MINOR ? Number.NaN : Number(formatAmount(amountMinor))
}

/** Broken between words if possible, and cut after five lines. */
function messageLines(text: string): readonly string[] {
  const lines: string[] = []
  let rest = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  while (rest !== '' && lines.length < MESSAGE_LINES_MAX) {
    const line = beginningOf(rest, MESSAGE_LINE_LENGTH_MAX)
    const isWhole = line.length === rest.length || rest[line.length] === ' '
    const end = isWhole ? line.length : line.lastIndexOf(' ')
    lines.push(end > 0 ? line.slice(0, end) : line)
    rest = rest.slice(end > 0 ? end : line.length).trim()
  }
  return lines
}

/** @param reason - At most 50 letters. */
export const cancelRequest = (reason: string): object => ({ motivoCancelamento: reason })

/** The bank's id of a boleto: it is part of addresses. */
const bankId = z.string().regex(/^[0-9A-Za-z-]{8,64}$/)

export const issueAnswerSchema = z.looseObject({ codigoSolicitacao: bankId })

const SITUATIONS: ReadonlyMap<string, BankBoleto['state']> = new Map([
  ['EM_PROCESSAMENTO', 'issuing'],
  ['A_RECEBER', 'open'],
  // It can be paid until its last payable day, also at the notary's.
  ['ATRASADO', 'open'],
  ['PROTESTO', 'open'],
  ['RECEBIDO', 'paid'],
  ['MARCADO_RECEBIDO', 'paid'],
  ['CANCELADO', 'removed'],
  ['EXPIRADO', 'expired'],
  ['FALHA_EMISSAO', 'failed'],
])

const barcode = maybe(z.string().regex(/^\d{44}$/))
const digitableLine = maybe(z.string().regex(/^\d{47}$/))
/** Drops a time after the day. */
const date = z
  .string()
  .transform((text) => text.slice(0, 'YYYY-MM-DD'.length))
  .refine(isCalendarDate)

/** A boleto with the facts for its payments. */
export interface InterBoleto extends Omit<BankBoleto, 'payments'> {
  /** Our name, or another system's. */
  readonly name: string
  readonly txid: string | undefined
  readonly receipt: InterReceipt | undefined
}

/** The bank's report of the money for a boleto. */
export interface InterReceipt {
  readonly amountMinor: MinorUnits | undefined
  readonly way: 'pix' | 'line' | 'elsewhere' | 'not-known'
  /** `YYYY-MM-DD` */
  readonly on: string | undefined
}

const chargeSchema = z.looseObject({
  codigoSolicitacao: bankId,
  seuNumero: z.string(),
  situacao: z.string(),
  valorNominal: amount,
  dataVencimento: date,
  // If absent, the PIX of a boleto is searched around today.
  dataSituacao: maybe(date).catch(undefined),
  valorTotalRecebido: maybe(amount),
  origemRecebimento: maybe(z.string()),
  motivoCancelamento: maybe(z.string()),
})
const slipSchema = z.looseObject({
  nossoNumero: maybe(z.string()),
  codigoBarras: barcode,
  linhaDigitavel: digitableLine,
})
const pixSchema = z.looseObject({ txid: maybe(z.string()), pixCopiaECola: maybe(z.string()) })

export const boletoAnswerSchema = z
  .looseObject({ cobranca: chargeSchema, boleto: maybe(slipSchema), pix: maybe(pixSchema) })
  .transform(({ cobranca, boleto, pix }): InterBoleto => {
    const state = SITUATIONS.get(cobranca.situacao) ?? 'not-known'
    const codes = boleto && codesOf(boleto, pix)
    const reason = state === 'failed' ? redacted(cobranca.motivoCancelamento ?? '') : ''
    return {
      name: cobranca.seuNumero.trim(),
      // Some situations are reported before the codes exist.
      state: state === 'open' && codes === undefined ? 'issuing' : state,
      bankId: cobranca.codigoSolicitacao,
      amountMinor: cobranca.valorNominal,
      dueDate: cobranca.dataVencimento,
      codes,
      txid: pix?.txid,
      receipt: state === 'paid' ? receiptOf(cobranca, pix?.txid) : undefined,
      ...(reason !== '' && { reason }),
    }
  })

function codesOf(
  { codigoBarras, linhaDigitavel, nossoNumero }: z.output<typeof slipSchema>,
  pix: z.output<typeof pixSchema> | undefined,
): BoletoCodes | undefined {
  if (codigoBarras === undefined || linhaDigitavel === undefined) return undefined
  return {
    barcode: codigoBarras,
    digitableLine: linhaDigitavel,
    ourNumber: nossoNumero,
    pixCode: pix?.pixCopiaECola,
  }
}

function receiptOf(charge: z.output<typeof chargeSchema>, txid: string | undefined): InterReceipt {
  const { dataSituacao: on, origemRecebimento, situacao, valorNominal, valorTotalRecebido } = charge
  if (situacao === 'MARCADO_RECEBIDO')
    return { way: 'elsewhere', amountMinor: valorTotalRecebido ?? valorNominal, on }
  // Without PIX, there is only one way.
  const origin = origemRecebimento ?? (txid === undefined ? 'BOLETO' : undefined)
  const way = origin === 'PIX' ? 'pix' : origin === 'BOLETO' ? 'line' : 'not-known'
  return { way, amountMinor: valorTotalRecebido, on }
}

/** From a list, only the codes and our names are read: its other values may be outdated. */
const listItem = z
  .looseObject({ cobranca: z.looseObject({ codigoSolicitacao: bankId, seuNumero: z.string() }) })
  .transform(({ cobranca }) => ({
    bankId: cobranca.codigoSolicitacao,
    name: cobranca.seuNumero.trim(),
  }))

/** @param page - The requested page. */
export const listAnswerSchema = (page: number) =>
  z
    .looseObject({
      totalPaginas: maybe(z.int()),
      ultimaPagina: maybe(z.boolean()),
      cobrancas: z.array(listItem),
    })
    .transform(({ cobrancas, totalPaginas, ultimaPagina }) => {
      const isFull = cobrancas.length >= LIST_PAGE_SIZE
      const isNamed = totalPaginas === undefined ? isFull : page + 1 < totalPaginas
      const hasNext = ultimaPagina === undefined ? isNamed : !ultimaPagina
      // A bank that always announces another page would be read forever.
      return { boletos: cobrancas, hasNext: hasNext && cobrancas.length > 0 }
    })
export const LIST_PAGE_SIZE = 100

/** Boletos of our name that are due around a day, in case the bank moved it. */
export function listQuery(name: string, dueDate: string, page: number): string {
  const dayAfter = (days: number): string =>
    new Date(Date.parse(`${dueDate}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
  return new URLSearchParams({
    dataInicial: dayAfter(-DAYS_AROUND),
    dataFinal: dayAfter(DAYS_AROUND),
    filtrarDataPor: 'VENCIMENTO',
    seuNumero: name,
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(LIST_PAGE_SIZE),
  }).toString()
}
const DAYS_AROUND = 7

/** The bank's slip: a PDF in base64. The limit of an answer also limits it. */
export const slipAnswerSchema = z
  .looseObject({ pdf: z.base64() })
  .transform(({ pdf }): Uint8Array => Buffer.from(pdf, 'base64'))
  .refine((bytes) => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-')
