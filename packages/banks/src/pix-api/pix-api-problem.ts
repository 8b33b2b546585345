import type { AnswerBody } from '@cofre/outbound'
import { redacted } from '@cofre/outbound'
import { z } from 'zod'
import type { Refusal, RefusalReason } from '../model/bank-result.js'

/** What a 4xx says: a refusal, or that there is no such thing, or that it is no refusal at all. */
export type Problem =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'absent' }
  | { readonly kind: 'not_readable'; readonly detail: string }

type Meaning = RefusalReason | 'absent' | 'server_error'

/** The last part of a problem's `type` (API Pix 2.9.0, "Tratamento de erros"). */
const TYPES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['RequisicaoInvalida', 'request_invalid'],
  ['AcessoNegado', 'forbidden'],
  ['NaoEncontrado', 'absent'],
  ['PermanentementeRemovido', 'absent'],
  ['ErroInternoDoServidor', 'server_error'],
  ['ServicoIndisponivel', 'server_error'],
  ['IndisponibilidadePorTempoEsgotado', 'server_error'],
  ['CobNaoEncontrado', 'absent'],
  ['CobOperacaoInvalida', 'operation_invalid'],
  ['CobConsultaInvalida', 'request_invalid'],
  ['PixNaoEncontrado', 'absent'],
  ['PixConsultaInvalida', 'request_invalid'],
  ['PixDevolucaoNaoEncontrada', 'absent'],
  ['PixDevolucaoInvalida', 'operation_invalid'],
  ['WebhookNaoEncontrado', 'absent'],
  ['WebhookOperacaoInvalida', 'operation_invalid'],
  ['WebhookConsultaInvalida', 'request_invalid'],
])

const STATUSES: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [400, 'request_invalid'],
  [401, 'credentials_refused'],
  [403, 'forbidden'],
  [404, 'absent'],
  [409, 'operation_invalid'],
  [410, 'absent'],
  [422, 'operation_invalid'],
])

/** Some banks fill fields with nothing. */
const text = z.string().min(1).optional().catch(undefined)
const entries = z
  .array(z.looseObject({ mensagem: text, ocorrencia: text, razao: text, codigo: text }))
  .optional()
  .catch(undefined)
/**
 * Where banks put their words: the standard's problem, Efí's `nome` and `mensagem`, Banco do
 * Brasil's `erros`, Sicoob's `mensagens`, Itaú's `user_message`, Santander's `details` and `fault`.
 */
const shapes = z.looseObject({
  type: text,
  title: text,
  detail: text,
  details: text,
  nome: text,
  mensagem: text,
  message: text,
  user_message: text,
  error: text,
  error_description: text,
  erros: entries,
  mensagens: entries,
  violacoes: entries,
  fault: z.looseObject({ faultstring: text }).optional().catch(undefined),
})

/** Reads a refusal. The type decides; a bank that leaves it out is judged by its status. */
export function problemOf(status: number, body: AnswerBody): Problem {
  const parsed = body.kind === 'json' ? shapes.safeParse(body.value).data : undefined
  const type = parsed?.type?.split('/').at(-1)
  const code = TYPES.has(type ?? '') ? type : parsed?.nome
  const meaning = TYPES.get(type ?? '') ?? STATUSES.get(status) ?? 'other'
  const detail = parsed === undefined ? excerptOf(body) : redacted(wordsOf(parsed))
  if (meaning === 'server_error') return { kind: 'not_readable', detail }
  if (meaning !== 'absent') {
    const bank = code === undefined ? {} : { code: redacted(code) }
    return { kind: 'refused', refusal: { reason: meaning, status, detail, ...bank } }
  }
  // A gateway's page for a path that it does not know says nothing of the charge.
  return parsed === undefined ? { kind: 'not_readable', detail } : { kind: 'absent' }
}

function excerptOf(body: AnswerBody): string {
  return body.kind === 'unreadable' ? body.excerpt : ''
}

function wordsOf(found: z.infer<typeof shapes>): string {
  const [first] = found.violacoes ?? found.erros ?? found.mensagens ?? []
  const words = [
    found.detail ?? found.details ?? found.mensagem ?? found.message ?? found.user_message,
    found.error_description ?? found.error ?? found.fault?.faultstring,
    first?.razao ?? first?.mensagem ?? first?.ocorrencia,
  ].filter((word) => word !== undefined)
  return words.length === 0 ? (found.title ?? '') : words.join(': ')
}
