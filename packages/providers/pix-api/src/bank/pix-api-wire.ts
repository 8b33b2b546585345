// The API Pix 2.9.0 of the central bank. Requests are strict, answers tolerant: new fields are
// ignored, and a new status is an unknown state.
import {
  MED_NATURES,
  type MinorUnits,
  beginningOf,
  formatAmount,
  latin1Spelling,
  parseAmount,
} from '@cofre/contracts'
import type {
  PixBankCharge,
  PixBankPayment,
  PixBankRefund,
  PixChargeOrder,
  PixPaymentPage,
} from '@cofre/provider-kit/bank'
import { redacted } from '@cofre/provider-kit/outbound'
import { z } from 'zod'
import { nameOfTxid } from './pix-api-names.js'

/** A charge with the properties that it is compared by. */
export interface PixApiCharge extends PixBankCharge {
  readonly txid: string
  readonly pixKey: string | undefined
}

/** One page of the payments of a period. */
export interface PixApiPaymentPage extends PixPaymentPage {
  /** Number of unreadable items; the rest of the page counts. */
  readonly unreadable: number
}

const CHARGE_STATES: ReadonlyMap<string, PixBankCharge['state']> = new Map([
  ['ATIVA', 'open'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed'],
])
const REFUND_STATES: ReadonlyMap<string, PixBankRefund['state']> = new Map([
  ['EM_PROCESSAMENTO', 'in-process'],
  ['DEVOLVIDO', 'returned'],
  ['NAO_REALIZADO', 'not-done'],
])

export const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const amountMinor = parseAmount(value)
  if (amountMinor !== undefined) return amountMinor
  context.addIssue({ code: 'custom', message: 'not an amount' })
  return z.NEVER
})
/** RFC 3339. Without an offset, the hour is ambiguous. */
const time = z.string().transform((text) => {
  const atMs = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
})
/** Some banks write numbers as text. */
const seconds = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
])
/** Some banks omit an absent value, others send null. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined)

/** The bank's id of a payment or a refund, safe for databases and logs. */
const name = z.string().regex(/^[\x21-\x7e]{1,64}$/)

const refundSchema = z.looseObject({
  id: name,
  valor: amount,
  status: z.string(),
  motivo: maybe(z.string()),
  /** The receiver's own refunds and unknown natures have none. */
  natureza: z.enum(MED_NATURES).optional().catch(undefined),
})

function refundOf(refund: z.output<typeof refundSchema>): PixBankRefund {
  const { id, status, valor, motivo, natureza: nature } = refund
  const state = REFUND_STATES.get(status) ?? 'in-process'
  const reason = state === 'not-done' ? redacted(motivo ?? '') : ''
  return {
    id,
    amountMinor: valor,
    state,
    ...(reason !== '' && { reason }),
    ...(nature !== undefined && { nature }),
  }
}

export const refundAnswerSchema = refundSchema.transform(refundOf)

const part = maybe(z.looseObject({ valor: amount }))
/** The bank's parts of the owed amount; unreadable ones are ignored. */
const componentsSchema = maybe(
  z.looseObject({ original: part, multa: part, juros: part, abatimento: part, desconto: part }),
).catch(undefined)

const paymentSchema = z
  .looseObject({
    endToEndId: name,
    txid: maybe(z.string()),
    valor: amount,
    componentesValor: componentsSchema,
    horario: maybe(time),
    devolucoes: maybe(z.array(refundSchema)),
  })
  .transform(({ endToEndId, txid = '', valor, ...rest }): PixBankPayment => {
    const settlesMinor = settledBy(valor, rest.componentesValor)
    return {
      endToEndId,
      txid: txid === '' ? undefined : nameOfTxid(txid),
      amountMinor: valor,
      ...(settlesMinor !== undefined && { settlesMinor }),
      paidAtMs: rest.horario,
      refunds: (rest.devolucoes ?? []).map(refundOf),
    }
  })

/** The settled part of a charge, if the components add up to the paid amount and differ from it. */
function settledBy(
  paid: MinorUnits,
  components: z.output<typeof componentsSchema>,
): MinorUnits | undefined {
  const { original, multa, juros, abatimento, desconto } = components ?? {}
  if (original === undefined || original.valor === paid) return undefined
  const added = (multa?.valor ?? 0) + (juros?.valor ?? 0)
  const taken = (abatimento?.valor ?? 0) + (desconto?.valor ?? 0)
  return original.valor + added - taken === paid ? original.valor : undefined
}

/** The shared fields of immediate charges and those with a due date. */
export const chargeFields = {
  txid: z.string(),
  status: z.string(),
  valor: z.looseObject({ original: amount }),
  chave: maybe(z.string()),
  location: maybe(z.string()),
  loc: maybe(z.looseObject({ location: maybe(z.string()) })),
  pixCopiaECola: maybe(z.string()),
  pix: maybe(z.array(paymentSchema)),
}
const fieldsSchema = z.looseObject(chargeFields)

export function chargeOfFields(
  fields: z.output<typeof fieldsSchema>,
): Omit<PixApiCharge, 'expiresAtMs'> {
  return {
    txid: fields.txid,
    state: CHARGE_STATES.get(fields.status) ?? 'not-known',
    amountMinor: fields.valor.original,
    pixKey: fields.chave,
    location: fields.location ?? fields.loc?.location,
    code: fields.pixCopiaECola,
    payments: fields.pix ?? [],
  }
}

export const chargeAnswerSchema = fieldsSchema
  .extend({ calendario: z.looseObject({ criacao: maybe(time), expiracao: maybe(seconds) }) })
  .transform(({ calendario: { criacao, expiracao }, ...fields }): PixApiCharge => {
    const isDated = criacao !== undefined && expiracao !== undefined
    const expiresAtMs = isDated ? criacao + expiracao * 1000 : undefined
    return { ...chargeOfFields(fields), expiresAtMs }
  })

/** @param page - The requested page. */
export const paymentsAnswerSchema = (page: number) =>
  z
    .looseObject({
      parametros: maybe(
        z.looseObject({ paginacao: maybe(z.looseObject({ quantidadeDePaginas: maybe(z.int()) })) }),
      ),
      pix: maybe(z.array(z.unknown())),
    })
    .transform(({ parametros, pix = [] }): PixApiPaymentPage => {
      const parsed = pix.map((item) => paymentSchema.safeParse(item))
      const payments = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]))
      const pages = parametros?.paginacao?.quantidadeDePaginas
      // Without a page count, a full page may have a successor.
      const isNamed = pages === undefined ? pix.length >= PAGE_SIZE : page + 1 < pages
      // A bank that always announces another page would be read forever.
      const hasNext = isNamed && pix.length > 0
      return {
        payments,
        unreadable: pix.length - payments.length,
        nextPage: hasNext ? page + 1 : undefined,
      }
    })
export const PAGE_SIZE = 100

export const webhookAnswerSchema = z.looseObject({ webhookUrl: z.string() })
/** Banks answer a registration in any format. */
export const anyAnswerSchema = z.unknown()

/** The payer is optional, and doesn't limit who pays: the payer's bank only shows the name. */
export type ChargeTerms = Omit<PixChargeOrder, 'txid' | 'payerName' | 'payerDocument'> &
  Partial<Pick<PixChargeOrder, 'payerName' | 'payerDocument'>>

const AMOUNT_MAX_MINOR = 999_999_999_999
const LIFETIME_MAX_SECONDS = 2 ** 31 - 1

/** @throws RangeError for an amount or a lifetime that the API Pix can't represent */
export function chargeRequest(
  { amountMinor, lifetimeSeconds, payerName, payerDocument, description }: ChargeTerms,
  pixKey: string,
): object {
  const isWhole = Number.isInteger(lifetimeSeconds)
  if (!isWhole || lifetimeSeconds < 1 || lifetimeSeconds > LIFETIME_MAX_SECONDS)
    throw new RangeError('a charge lives for a whole number of seconds')
  const hasPayer = payerName !== undefined && payerDocument !== undefined
  return {
    calendario: { expiracao: lifetimeSeconds },
    ...(hasPayer && { devedor: debtor(payerName, payerDocument) }),
    ...requestOf({ amountMinor, description, pixKey }),
  }
}

interface RequestedCharge {
  readonly amountMinor: MinorUnits
  readonly description: string
  readonly pixKey: string
}

/**
 * The shared fields of both kinds' requests.
 * @throws RangeError for an amount that the API Pix can't represent
 */
export function requestOf({ amountMinor, description, pixKey }: RequestedCharge) {
  return {
    valor: { original: wireAmount(amountMinor) },
    chave: pixKey,
    ...(description !== '' && { solicitacaoPagador: beginningOf(description, 140) }),
  }
}

/**
 * CPF or CNPJ, never both; the name in letters that banks have.
 * @throws RangeError for neither
 */
export function debtor(name: string, document: string): object {
  const nome = beginningOf(latin1Spelling(name), 200)
  if (/^\d{11}$/.test(document)) return { cpf: document, nome }
  if (/^[0-9A-Z]{14}$/.test(document)) return { cnpj: document, nome }
  throw new RangeError('a payer has a CPF or a CNPJ')
}

export const removalRequest: object = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

/** @throws RangeError for an amount that the API Pix can't represent */
export function refundRequest(amountMinor: MinorUnits): object {
  return { valor: wireAmount(amountMinor) }
}

function wireAmount(amountMinor: MinorUnits): string {
  if (amountMinor < 1 || amountMinor > AMOUNT_MAX_MINOR)
    throw new RangeError('an amount has at most ten digits before the point, and is not zero')
  return formatAmount(amountMinor)
}

/** RFC 3339 to the second, rounded outwards: the period is never shorter than the requested one. */
export function periodQuery(fromMs: number, toMs: number, page: number): string {
  const text = (atMs: number): string => new Date(atMs).toISOString().replace('.000Z', 'Z')
  const query = new URLSearchParams({
    inicio: text(Math.floor(fromMs / 1000) * 1000),
    fim: text(Math.ceil(toMs / 1000) * 1000),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(PAGE_SIZE),
  })
  return query.toString()
}
