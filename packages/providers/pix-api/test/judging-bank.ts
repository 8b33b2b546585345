import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import { parseAmount } from '@cofre/contracts'
import { pixCode } from '@cofre/provider-kit/bank'
import { endCalls, stopCallTime } from '../../../provider-kit/test/call-time.js'
import { type HttpsTestServer, startHttpsServer } from '../../../provider-kit/test/https-server.js'
import {
  type JudgedRequest,
  violationsOfAnswer,
  violationsOfRequest,
} from '../../../../test/judges/pix-api.js'

export interface Fault {
  /** Matches `PUT /cob/…`; default: any call. */
  readonly on?: RegExp
  /** `after`: once the bank has booked. */
  readonly when: 'before' | 'after'
  readonly act:
    | 'cut'
    | 'silence'
    | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
}

type Json = Record<string, unknown>
interface Charge extends Json {
  txid: string
  status: string
  valor: { original: string }
  pix?: Payment[]
}
interface Payment extends Json {
  endToEndId: string
  valor: string
  devolucoes: Json[]
}

/** A minimal bank with the API Pix that judges every call and answer. */
export interface JudgingBank extends HttpsTestServer {
  readonly charges: Map<string, Charge>
  readonly webhooks: Map<string, string>
  readonly faults: Fault[]
  /** The judge's objections to requests and answers. */
  readonly objections: string[]
  readonly calls: { method: string; path: string; headers: Record<string, string>; body: unknown }[]
  readonly tokenCalls: { path: string; headers: Record<string, string>; body: string }[]
  /** Changes a charge in answers; such answers are not judged. */
  disguise: ((charge: Json) => Json) | undefined
  /** The status of answers to token requests. */
  tokenStatus: number
  /** The certificate that each access token is bound to. */
  readonly tokens: Map<string, string>
  payments(): Payment[]
  pay(txid: string, amount?: string): Payment
}

type Answer = readonly [status: number, body?: unknown]

const LOCATION = 'pix.example.com/qr/v2/'
/** The bank's time. */
export const NOW = '2026-11-22T12:00:00Z'

export async function startJudgingBank(): Promise<JudgingBank> {
  const state: Omit<JudgingBank, keyof HttpsTestServer> = {
    charges: new Map(),
    webhooks: new Map(),
    faults: [],
    objections: [],
    calls: [],
    tokenCalls: [],
    disguise: undefined,
    tokenStatus: 200,
    tokens: new Map(),
    payments: () => [...state.charges.values()].flatMap(({ pix = [] }) => pix),
    pay(txid, amount) {
      const charge = state.charges.get(txid)
      if (charge === undefined) throw new Error('no such charge')
      const payments = (charge.pix ??= [])
      const number = String(state.payments().length + 1).padStart(11, '0')
      const payment: Payment = {
        endToEndId: `E12345678202611221200${number}`,
        txid,
        valor: amount ?? charge.valor.original,
        chave: String(charge.chave),
        horario: '2026-11-22T12:03:10.358Z',
        devolucoes: [],
      }
      payments.push(payment)
      charge.status = 'CONCLUIDA'
      return payment
    },
  }
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      answer(state, { request, response, text })
    })
  }
  const server = await startHttpsServer(serve, { requestCert: true, rejectUnauthorized: true })
  const startTime = stopCallTime()
  const close = async () => {
    startTime()
    await server.close()
  }
  return Object.assign(state, server, { close })
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly text: string
}

function answer(
  bank: Omit<JudgingBank, keyof HttpsTestServer>,
  { request, response, text }: Call,
): void {
  const { socket } = request
  const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
  const thumbprint = peer?.fingerprint256 ?? ''
  const method = request.method ?? ''
  const headers = request.headers as Record<string, string>
  const url = request.url ?? ''
  const send = (status: number, body: unknown, type = 'application/json'): void => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': type }).end(status === 204 ? '' : sent)
  }
  const version = /^(.*\/v\d)(\/.*)$/.exec(url)
  if (/token(\?|$)/.test(url)) {
    bank.tokenCalls.push({ path: url, headers, body: text })
    const token = `token-${bank.tokenCalls.length}`
    bank.tokens.set(token, thumbprint)
    send(bank.tokenStatus, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
    return
  }
  const address = new URL(version?.[2] ?? '/', 'https://bank')
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  bank.calls.push({ method, path: url, headers, body })
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (bank.tokens.get(token) !== thumbprint) {
    send(401, { fault: { faultstring: 'Invalid access token' } })
    return
  }
  const judged: JudgedRequest = {
    method: method.toLowerCase(),
    path: address.pathname + address.search,
    body,
  }
  bank.objections.push(...violationsOfRequest(judged))
  const at = bank.faults.findIndex(({ on }) => on?.test(`${method} ${address.pathname}`) ?? true)
  const [fault] = at < 0 ? [] : bank.faults.splice(at, 1)
  const booked = fault?.when === 'before' ? undefined : routed(bank, judged)
  if (fault?.act === 'cut') response.socket?.destroy()
  else if (fault?.act === 'silence') endCalls()
  else if (typeof fault?.act === 'object') {
    response.writeHead(fault.act.status, fault.act.headers).end(fault.act.body)
  } else if (fault === undefined && booked !== undefined) {
    const [status, sent] = booked
    const contentType = status < 400 ? 'application/json' : 'application/problem+json'
    if (status !== 204 && bank.disguise === undefined)
      bank.objections.push(...violationsOfAnswer(judged, { status, contentType, body: sent }))
    send(status, sent, contentType)
  }
}

function problem(status: number, type: string): Answer {
  const detail = `CPF 529.982.247-25: ${type}`
  return [
    status,
    { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: type, status, detail },
  ]
}

function routed(bank: Omit<JudgingBank, keyof HttpsTestServer>, request: JudgedRequest): Answer {
  const [, resource = '', id = '', , refundId = ''] = new URL(request.path, 'https://bank').pathname
    .split('/')
    .map(decodeURIComponent)
  const key = `${request.method} ${resource}`
  const shown = (status: number, charge: Charge): Answer => [
    status,
    bank.disguise?.(charge) ?? charge,
  ]
  switch (key) {
    case 'put cob':
      return bank.charges.has(id)
        ? problem(400, 'CobOperacaoInvalida')
        : shown(201, created(bank, id, request.body as Json))
    case 'patch cob': {
      const charge = bank.charges.get(id)
      if (charge === undefined) return problem(404, 'CobNaoEncontrado')
      if (charge.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida')
      charge.status = String((request.body as Json).status)
      return shown(200, charge)
    }
    case 'get cob': {
      const charge = bank.charges.get(id)
      return charge === undefined ? problem(404, 'CobNaoEncontrado') : shown(200, charge)
    }
    case 'get pix':
      return refundId === '' ? listed(bank, request) : refundOf(bank, id, refundId)
    case 'put pix':
      return refunded(bank, id, { id: refundId, ...(request.body as { valor: string }) })
    case 'get webhook': {
      const webhookUrl = bank.webhooks.get(id)
      return webhookUrl === undefined
        ? problem(404, 'WebhookNaoEncontrado')
        : [200, { webhookUrl, criacao: NOW }]
    }
    case 'put webhook':
      bank.webhooks.set(id, String((request.body as Json).webhookUrl))
      return [200, { webhookUrl: bank.webhooks.get(id), criacao: NOW }]
    case 'delete webhook':
      return bank.webhooks.delete(id) ? [204] : problem(404, 'WebhookNaoEncontrado')
    default:
      return problem(404, 'NaoEncontrado')
  }
}

function created(bank: Pick<JudgingBank, 'charges'>, txid: string, body: Json): Charge {
  const { calendario, valor } = body as { calendario: object; valor: { original: string } }
  const location = `${LOCATION}${txid}`
  const amountMinor = parseAmount(valor.original)
  if (amountMinor === undefined) throw new Error('no amount')
  const receiver = { receiverName: 'Loja Exemplo', receiverCity: 'Sao Paulo' }
  const charge: Charge = {
    ...body,
    valor,
    calendario: { criacao: NOW, ...calendario },
    txid,
    revisao: 0,
    status: 'ATIVA',
    loc: { id: bank.charges.size + 1, location, tipoCob: 'cob', criacao: NOW },
    location,
    pixCopiaECola: pixCode({ location, amountMinor, ...receiver }),
  }
  bank.charges.set(txid, charge)
  return charge
}

function refundOf(bank: Pick<JudgingBank, 'payments'>, e2eid: string, id: string): Answer {
  const payment = bank.payments().find(({ endToEndId }) => endToEndId === e2eid)
  if (payment === undefined) return problem(404, 'PixNaoEncontrado')
  const refund = payment.devolucoes.find((one) => one.id === id)
  return refund === undefined ? problem(404, 'PixDevolucaoNaoEncontrada') : [200, refund]
}

function refunded(
  bank: Pick<JudgingBank, 'payments'>,
  e2eid: string,
  { id, valor }: { id: string; valor: string },
): Answer {
  const payment = bank.payments().find(({ endToEndId }) => endToEndId === e2eid)
  if (payment === undefined) return problem(404, 'PixNaoEncontrado')
  const cents = (text: unknown): number => parseAmount(String(text)) ?? 0
  const returned = payment.devolucoes.reduce((sum, one) => sum + cents(one.valor), 0)
  const isKnown = payment.devolucoes.some((one) => one.id === id)
  if (isKnown || returned + cents(valor) > cents(payment.valor))
    return problem(400, 'PixDevolucaoInvalida')
  const rtrId = `D12345678202611221200${String(payment.devolucoes.length).padStart(11, '0')}`
  const horario = { solicitacao: NOW }
  const refund = { id, rtrId, valor, natureza: 'ORIGINAL', horario, status: 'EM_PROCESSAMENTO' }
  payment.devolucoes.push(refund)
  return [201, refund]
}

function listed(bank: Pick<JudgingBank, 'payments'>, { path }: JudgedRequest): Answer {
  const query = new URL(path, 'https://bank').searchParams
  const paginaAtual = Number(query.get('paginacao.paginaAtual'))
  const itensPorPagina = Number(query.get('paginacao.itensPorPagina'))
  const all = bank.payments()
  const from = paginaAtual * itensPorPagina
  return [
    200,
    {
      parametros: {
        inicio: query.get('inicio'),
        fim: query.get('fim'),
        paginacao: {
          paginaAtual,
          itensPorPagina,
          quantidadeDePaginas: Math.max(1, Math.ceil(all.length / itensPorPagina)),
          quantidadeTotalDeItens: all.length,
        },
      },
      pix: all.slice(from, from + itensPorPagina),
    },
  ]
}
