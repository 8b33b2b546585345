import { type AnswerBody, redacted } from '@cofre/provider-kit/outbound'
import { z } from 'zod'

/** The meaning of a 4xx. The detail is one redacted line for an operator. */
export interface Problem {
  readonly kind:
    /** Not done: the bank refused it. */
    | 'refused'
    /** Not done: the bank does not permit it to this client. */
    | 'credentials_refused'
    | 'forbidden'
    /** The bank has nothing under that name. */
    | 'absent'
    /** The answer is not about the request. */
    | 'not_readable'
  readonly detail: string
}

type Meaning = Exclude<Problem['kind'], 'not_readable'> | 'server_error'

/** The last part of a problem's `type` (API Pix 2.9.0, "Tratamento de erros"). */
const TYPES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['RequisicaoInvalida', 'refused'],
  ['AcessoNegado', 'forbidden'],
  ['NaoEncontrado', 'absent'],
  ['PermanentementeRemovido', 'absent'],
  ['ErroInternoDoServidor', 'server_error'],
  ['ServicoIndisponivel', 'server_error'],
  ['IndisponibilidadePorTempoEsgotado', 'server_error'],
  ['CobNaoEncontrado', 'absent'],
  ['CobOperacaoInvalida', 'refused'],
  ['CobConsultaInvalida', 'refused'],
  ['CobVNaoEncontrada', 'absent'],
  ['CobVOperacaoInvalida', 'refused'],
  ['CobVConsultaInvalida', 'refused'],
  ['PixNaoEncontrado', 'absent'],
  ['PixConsultaInvalida', 'refused'],
  ['PixDevolucaoNaoEncontrada', 'absent'],
  ['PixDevolucaoInvalida', 'refused'],
  ['WebhookNaoEncontrado', 'absent'],
  ['WebhookOperacaoInvalida', 'refused'],
  ['WebhookConsultaInvalida', 'refused'],
])

/** Efí's names (`nome`, dev.efipay.com.br) with status 400 instead of the standard's 404. */
const NAMES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['cobranca_nao_encontrada', 'absent'],
  ['pix_nao_encontrado', 'absent'],
  ['devolucao_nao_encontrada', 'absent'],
  ['webhook_nao_encontrado', 'absent'],
])

/** Any other 4xx means refused. */
const STATUSES: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, 'credentials_refused'],
  [403, 'forbidden'],
  [404, 'absent'],
  [410, 'absent'],
])

/** Some banks send empty fields. */
const text = z.string().min(1).optional().catch(undefined)
const entries = z
  .array(z.looseObject({ mensagem: text, ocorrencia: text, razao: text, codigo: text }))
  .optional()
  .catch(undefined)
/**
 * The fields of banks' messages: the standard's problem, Efí's `nome` and `mensagem`, Banco do
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

/** Parses a refusal. Its type, or Efí's name, decides; without either, its status does. */
export function problemOf(status: number, body: AnswerBody): Problem {
  const parsed = body.kind === 'json' ? shapes.safeParse(body.value).data : undefined
  const type = parsed?.type?.split('/').at(-1)
  const code = TYPES.has(type ?? '') ? type : parsed?.nome
  const words = parsed === undefined ? excerptOf(body) : redacted(problemTextOf(parsed))
  const head = code === undefined ? `status ${status}` : `status ${status}, ${redacted(code)}`
  const detail = words === '' ? head : `${head}: ${words}`
  const named = TYPES.get(type ?? '') ?? NAMES.get(parsed?.nome ?? '')
  const meaning = named ?? STATUSES.get(status) ?? 'refused'
  // A gateway's error page for an unknown path does not show that the charge is absent.
  const isStrange = meaning === 'absent' && parsed === undefined
  return { kind: meaning === 'server_error' || isStrange ? 'not_readable' : meaning, detail }
}

function excerptOf(body: AnswerBody): string {
  return body.kind === 'unreadable' ? body.excerpt : ''
}

function problemTextOf(found: z.infer<typeof shapes>): string {
  const [first] = found.violacoes ?? found.erros ?? found.mensagens ?? []
  const words = [
    found.detail ?? found.details ?? found.mensagem ?? found.message ?? found.user_message,
    found.error_description ?? found.error ?? found.fault?.faultstring,
    first?.razao ?? first?.mensagem ?? first?.ocorrencia,
  ].filter((word) => word !== undefined)
  return words.length === 0 ? (found.title ?? '') : words.join(': ')
}
