// The API Pix 2.9.0 of the central bank. Requests are strict, answers tolerant: new fields pass,
// new words for a state are a state that is not known.
import { type MinorUnits, beginningOf, formatAmount, parseAmount } from '@cofre/contracts'
import { z } from 'zod'

export type ChargeStatus = 'open' | 'paid' | 'removed' | 'not_known'
export type RefundStatus = 'processing' | 'returned' | 'rejected'

/** Money on its way back to the payer. */
export interface BankRefund {
  readonly id: string
  readonly amountMinor: MinorUnits
  /** `processing` also for a status that is not known: ask again. */
  readonly status: RefundStatus
  /** The bank's reason, redacted by whoever shows it. */
  readonly reason: string | undefined
  /** `ORIGINAL`, or that of a refund which the bank began, such as `MED_FRAUDE`. */
  readonly nature: string | undefined
}

/** Money that arrived. */
export interface BankPayment {
  readonly endToEndId: string
  /** Absent for payments that belong to no charge. */
  readonly txid: string | undefined
  /** What was paid, which may differ from what was charged. */
  readonly amountMinor: MinorUnits
  readonly paidAtMs: number | undefined
  readonly refunds: readonly BankRefund[]
}

/** A charge as the bank has it. */
export interface BankCharge {
  readonly txid: string
  /** Expiry is no status: see `expiresAtMs`. */
  readonly status: ChargeStatus
  readonly amountMinor: MinorUnits
  readonly pixKey: string | undefined
  /** Address of the charge, without scheme. */
  readonly location: string | undefined
  /** The bank's own code, unchecked. */
  readonly bankCode: string | undefined
  readonly expiresAtMs: number | undefined
  readonly payments: readonly BankPayment[]
}

/** One page of the payments of a period. */
export interface PaymentsPage {
  readonly payments: readonly BankPayment[]
  /** Items that could not be read; the rest of the page counts. */
  readonly unreadable: number
  readonly nextPage: number | undefined
}

const CHARGE_STATUSES: ReadonlyMap<string, ChargeStatus> = new Map([
  ['ATIVA', 'open'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed'],
])
const REFUND_STATUSES: ReadonlyMap<string, RefundStatus> = new Map([
  ['EM_PROCESSAMENTO', 'processing'],
  ['DEVOLVIDO', 'returned'],
  ['NAO_REALIZADO', 'rejected'],
])

const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const amountMinor = parseAmount(value)
  if (amountMinor !== undefined) return amountMinor
  context.addIssue({ code: 'custom', message: 'not an amount' })
  return z.NEVER
})
/** RFC 3339. Without an offset nobody knows which hour is meant. */
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
/** What some banks leave out, others send as null. */
const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined)

export const refundAnswerSchema = z
  .looseObject({
    id: z.string(),
    valor: amount,
    status: z.string(),
    motivo: maybe(z.string()),
    natureza: maybe(z.string()),
  })
  .transform(({ id, valor, status, motivo, natureza }): BankRefund => ({
    id,
    amountMinor: valor,
    status: REFUND_STATUSES.get(status) ?? 'processing',
    reason: motivo,
    nature: natureza,
  }))

const paymentSchema = z
  .looseObject({
    endToEndId: z.string().min(1).max(64),
    txid: maybe(z.string()),
    valor: amount,
    horario: maybe(time),
    devolucoes: maybe(z.array(refundAnswerSchema)),
  })
  .transform(({ endToEndId, txid, valor, horario, devolucoes }): BankPayment => ({
    endToEndId,
    txid: txid === '' ? undefined : txid,
    amountMinor: valor,
    paidAtMs: horario,
    refunds: devolucoes ?? [],
  }))

export const chargeAnswerSchema = z
  .looseObject({
    txid: z.string(),
    status: z.string(),
    calendario: z.looseObject({ criacao: maybe(time), expiracao: maybe(seconds) }),
    valor: z.looseObject({ original: amount }),
    chave: maybe(z.string()),
    location: maybe(z.string()),
    loc: maybe(z.looseObject({ location: maybe(z.string()) })),
    pixCopiaECola: maybe(z.string()),
    pix: maybe(z.array(paymentSchema)),
  })
  .transform(
    ({ txid, status, calendario, valor, chave, location, loc, pixCopiaECola, pix }): BankCharge => {
      const { criacao, expiracao } = calendario
      const isDated = criacao !== undefined && expiracao !== undefined
      return {
        txid,
        status: CHARGE_STATUSES.get(status) ?? 'not_known',
        amountMinor: valor.original,
        pixKey: chave,
        location: location ?? loc?.location,
        bankCode: pixCopiaECola,
        expiresAtMs: isDated ? criacao + expiracao * 1000 : undefined,
        payments: pix ?? [],
      }
    },
  )

/** @param page - The one that was asked for. */
export const paymentsAnswerSchema = (page: number) =>
  z
    .looseObject({
      parametros: maybe(
        z.looseObject({ paginacao: maybe(z.looseObject({ quantidadeDePaginas: maybe(z.int()) })) }),
      ),
      pix: maybe(z.array(z.unknown())),
    })
    .transform(({ parametros, pix = [] }): PaymentsPage => {
      const parsed = pix.map((item) => paymentSchema.safeParse(item))
      const payments = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]))
      const pages = parametros?.paginacao?.quantidadeDePaginas
      // Without a word on pages a full one may have a successor.
      const hasNext = pages === undefined ? pix.length >= PAGE_SIZE : page + 1 < pages
      return {
        payments,
        unreadable: pix.length - payments.length,
        nextPage: hasNext ? page + 1 : undefined,
      }
    })
export const PAGE_SIZE = 100

export const webhookAnswerSchema = z.looseObject({ webhookUrl: z.string() })
/** A bank answers a registration with what it likes. */
export const anyAnswerSchema = z.unknown()

/** Who is charged: his bank shows the name, and anybody may pay. */
export interface ChargePayer {
  readonly name: string
  /** CPF or CNPJ, without punctuation. */
  readonly document: string
}

export interface ChargeTerms {
  readonly amountMinor: MinorUnits
  readonly expirySeconds: number
  readonly pixKey: string
  readonly payer?: ChargePayer
  /** Shown to the payer; cut to 140 characters. */
  readonly message?: string
}

const AMOUNT_MAX_MINOR = 999_999_999_999
const EXPIRY_MAX_SECONDS = 2 ** 31 - 1

/** @throws RangeError for an amount or an expiry that the API Pix cannot hold */
export function chargeRequest({
  amountMinor,
  expirySeconds,
  pixKey,
  payer,
  message,
}: ChargeTerms): object {
  if (!Number.isInteger(expirySeconds) || expirySeconds < 1 || expirySeconds > EXPIRY_MAX_SECONDS)
    throw new RangeError('a charge lives for a whole number of seconds')
  return {
    calendario: { expiracao: expirySeconds },
    ...(payer !== undefined && { devedor: debtor(payer) }),
    valor: { original: wireAmount(amountMinor) },
    chave: pixKey,
    ...(message !== undefined && { solicitacaoPagador: beginningOf(message, 140) }),
  }
}

/** CPF or CNPJ, never both. */
function debtor({ name, document }: ChargePayer): object {
  const nome = beginningOf(name, 200)
  if (/^\d{11}$/.test(document)) return { cpf: document, nome }
  if (/^[0-9A-Z]{14}$/.test(document)) return { cnpj: document, nome }
  throw new RangeError('a payer has a CPF or a CNPJ')
}

export const removalRequest: object = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

/** @throws RangeError for an amount that the API Pix cannot hold */
export function refundRequest(amountMinor: MinorUnits): object {
  return { valor: wireAmount(amountMinor) }
}

function wireAmount(amountMinor: MinorUnits): string {
  if (amountMinor < 1 || amountMinor > AMOUNT_MAX_MINOR)
    throw new RangeError('an amount has at most ten digits before the point, and is not zero')
  return formatAmount(amountMinor)
}

/** RFC 3339 to the second, outwards: the period is never smaller than what was asked for. */
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
