import type { IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { AccountAnswers, ProviderAccount } from '@cofre/provider-kit/account'
import { type Log, Secret } from '@cofre/contracts'
import { createCallBudget } from '@cofre/provider-kit/outbound'
import {
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from '../../../../test/judges/inter.js'
import * as pixApi from '../../../../test/judges/pix-api.js'
import { authority, startHttpsServer } from '../../../provider-kit/test/https-server.js'
import { INTER, readInterAccount } from '../src/bank/inter-account.js'
import { type InterConnection, connectInter, inter } from '../src/bank/inter-provider.js'
import { SECRETS, certificateFile, clock } from '../../pix-api/test/accounts.js'
import type { Fault } from '../../pix-api/test/judging-bank.js'

type Json = Record<string, unknown>
export interface JudgedBoleto {
  readonly cobranca: Json & { codigoSolicitacao: string; seuNumero: string; situacao: string }
  boleto?: Json
  pix?: Json & { txid: string }
}

export type JudgingInter = Awaited<ReturnType<typeof startJudgingInter>>

export const TODAY = '2026-11-25'
const PDF = Buffer.from('%PDF-1.7 a slip')
/**
 * A PIX code of the test system, from third-party examples: with a location of charges with a due
 * date.
 */
const CODE =
  '00020101021226…pix.example.com/qr/v2/cobv/b60627758cc243debdb5c1d2fbc298af52040000530398'

type ServerBoletos = readonly [status: number, body?: unknown]
const problem = (status: number, title: string): ServerBoletos => [status, { title, detail: title }]

/** A minimal Inter that judges every call and answer by the known facts. */
export async function startJudgingInter() {
  const objections: string[] = []
  const calls: { method: string; path: string; body: unknown; headers: Json }[] = []
  const tokenCalls: string[] = []
  const faults: Fault[] = []
  const boletos = new Map<string, JudgedBoleto>()
  const pix: Json[] = []
  const history: Json[] = []
  const behaviour = {
    /** Boletos are issued at once, or later. */
    issues: 'at-once' as 'at-once' | 'later',
    /** Cancels at once, or some time after its answer. */
    cancels: 'at-once' as 'at-once' | 'later',
    webhookUrl: undefined as string | undefined,
    /** Changes a boleto in answers; such answers are not judged. */
    disguise: undefined as ((boleto: JudgedBoleto) => unknown) | undefined,
  }
  const issued = (one: JudgedBoleto): void => {
    const number = String(boletos.size).padStart(11, '0')
    one.cobranca.situacao = 'A_RECEBER'
    one.boleto = {
      nossoNumero: number,
      codigoBarras: `0779${number.padStart(40, '1')}`,
      linhaDigitavel: `077${number.padStart(44, '2')}`,
    }
    one.pix = { txid: `638684172615042100${number}`, pixCopiaECola: CODE }
  }
  const notify = ({ cobranca }: JudgedBoleto): Json => {
    const item = { ...cobranca, dataHoraSituacao: '2026-11-25T14:37:13.047Z' }
    objections.push(...violationsOfNotice(item))
    history.unshift({ payload: [item], numeroTentativa: 1, sucesso: true })
    return item
  }
  const paid = (one: JudgedBoleto, changes: Json): void => {
    Object.assign(one.cobranca, { situacao: 'RECEBIDO', dataSituacao: TODAY, ...changes })
    notify(one)
  }
  const controls = {
    issued,
    notify,
    payByLine(one: JudgedBoleto, valorTotalRecebido = '129.90'): void {
      paid(one, { origemRecebimento: 'BOLETO', valorTotalRecebido })
    },
    payByPix(one: JudgedBoleto, valor = '129.90'): string {
      paid(one, { origemRecebimento: 'PIX', valorTotalRecebido: valor })
      const endToEndId = `E00416968202611251437${String(pix.length).padStart(11, '0')}`
      const payment = { endToEndId, txid: one.pix?.txid, valor, chave: 'loja@example.com' }
      pix.push({ ...payment, horario: '2026-11-25T14:37:12.000Z', devolucoes: [] })
      return endToEndId
    },
  }

  const cobrancas = (method: string, path: string, body: Json): ServerBoletos => {
    const { pathname, searchParams } = new URL(path, 'https://inter')
    const [, , code = '', act] = pathname.split('/')
    if (code === 'webhook' && act === 'callbacks') {
      const size = Number(searchParams.get('tamanhoPagina'))
      const page = Number(searchParams.get('pagina'))
      const data = history.slice(page * size, (page + 1) * size)
      const totalPaginas = Math.ceil(history.length / size)
      return [200, { totalPaginas, ultimaPagina: page + 1 >= totalPaginas, data }]
    }
    if (code === 'webhook') return webhook(method, body)
    if (code === '') return method === 'POST' ? issue(body) : list(searchParams)
    const one = boletos.get(code)
    if (one === undefined) return problem(404, 'Cobrança não encontrada')
    if (act === 'pdf') return [200, { pdf: PDF.toString('base64') }]
    if (act !== 'cancelar') return [200, behaviour.disguise?.(one) ?? one]
    if (one.cobranca.situacao !== 'A_RECEBER')
      return problem(400, 'Cobrança não pode ser cancelada')
    if (behaviour.cancels === 'at-once') one.cobranca.situacao = 'CANCELADO'
    return [202]
  }
  const webhook = (method: string, { webhookUrl }: Json): ServerBoletos => {
    if (method === 'PUT') {
      behaviour.webhookUrl = String(webhookUrl)
      return [204]
    }
    if (behaviour.webhookUrl === undefined) return problem(404, 'Webhook não encontrado')
    if (method === 'GET')
      return [200, { webhookUrl: behaviour.webhookUrl, criacao: `${TODAY}T12:00:00Z` }]
    behaviour.webhookUrl = undefined
    return [204]
  }
  const issue = (body: Json): ServerBoletos => {
    const { seuNumero, valorNominal, dataVencimento } = body
    const twin = [...boletos.values()].find(({ cobranca }) => cobranca.seuNumero === seuNumero)
    if (twin !== undefined)
      return problem(400, `Cobrança duplicada: ${twin.cobranca.codigoSolicitacao}`)
    const codigoSolicitacao = randomUUID()
    const one: JudgedBoleto = {
      cobranca: {
        codigoSolicitacao,
        seuNumero: String(seuNumero),
        valorNominal,
        dataVencimento,
        dataEmissao: TODAY,
        situacao: 'EM_PROCESSAMENTO',
        tipoCobranca: 'SIMPLES',
      },
    }
    boletos.set(codigoSolicitacao, one)
    if (behaviour.issues === 'at-once') issued(one)
    return [200, { codigoSolicitacao }]
  }
  const list = (query: URLSearchParams): ServerBoletos => {
    const [from, to] = [query.get('dataInicial') ?? '', query.get('dataFinal') ?? '']
    const found = [...boletos.values()].filter(({ cobranca }) => {
      const due = String(cobranca.dataVencimento)
      return cobranca.seuNumero === query.get('seuNumero') && due >= from && due <= to
    })
    const cobrancas = found.map(({ cobranca, ...rest }) => ({
      ...rest,
      cobranca: { ...cobranca, valorNominal: Number(cobranca.valorNominal).toFixed(2) },
    }))
    return [200, { totalPaginas: 1, ultimaPagina: true, cobrancas }]
  }
  const pixes = (method: string, path: string, body: Json): ServerBoletos => {
    const { pathname, searchParams } = new URL(path, 'https://inter')
    const [, , e2eid, , id] = pathname.split('/')
    if (e2eid === undefined) {
      const filtered = pix.filter(({ txid }) => txid === searchParams.get('txid'))
      const [inicio, fim] = [searchParams.get('inicio'), searchParams.get('fim')]
      const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1 }
      const all = { ...paginacao, quantidadeTotalDeItens: filtered.length }
      return [200, { parametros: { inicio, fim, paginacao: all }, pix: filtered }]
    }
    const payment = pix.find(({ endToEndId }) => endToEndId === e2eid)
    const refunds = payment?.devolucoes as Json[] | undefined
    const refund = refunds?.find((one) => one.id === id)
    const bacen = 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada'
    const absent: ServerBoletos = [
      404,
      { type: bacen, title: 'Não', status: 404, detail: 'Não há' },
    ]
    if (refunds === undefined) return absent
    if (method === 'GET') return refund === undefined ? absent : [200, refund]
    const made = {
      id,
      rtrId: 'D00416968202611251437abcdefghijk',
      valor: body.valor,
      horario: { solicitacao: `${TODAY}T15:00:00Z` },
      status: 'EM_PROCESSAMENTO',
    }
    refunds.push(made)
    return [201, made]
  }

  const answer = (request: IncomingMessage, text: string): ServerBoletos | undefined | 'cut' => {
    const { method = '', url = '', headers } = request
    if (url === '/oauth/v2/token') {
      tokenCalls.push(text)
      return [200, { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 }]
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const isPix = url.startsWith('/pix/v2/')
    const path = url.replace(isPix ? '/pix/v2' : '/cobranca/v3', '')
    calls.push({ method, path, body, headers })
    if (headers.authorization !== 'Bearer token-1') return problem(401, 'Não autorizado')
    // The central bank's document does not have Inter's own name of the filter.
    const plain = { method: method.toLowerCase(), path: path.replace(/&txId=[^&]+/, ''), body }
    objections.push(
      ...(isPix ? pixApi.violationsOfRequest(plain) : violationsOfRequest({ method, path, body })),
    )
    const at = faults.findIndex(({ on }) => on?.test(`${method} ${path}`) ?? true)
    const [fault] = at < 0 ? [] : faults.splice(at, 1)
    const run = isPix ? pixes : cobrancas
    const played = fault?.when === 'before' ? undefined : run(method, path, (body ?? {}) as Json)
    if (fault !== undefined)
      return typeof fault.act === 'object' ? [fault.act.status, fault.act.body] : 'cut'
    if (played === undefined) return undefined
    const [status, sent] = played
    if (isPix) {
      const contentType = status < 400 ? 'application/json' : 'application/problem+json'
      objections.push(...pixApi.violationsOfAnswer(plain, { status, contentType, body: sent }))
    } else if (behaviour.disguise === undefined)
      objections.push(...violationsOfAnswer({ method, path }, { status, body: sent }))
    return played
  }
  const server = await startHttpsServer(
    (request, response) => {
      let text = ''
      request.setEncoding('utf8')
      request.on('data', (part: string) => (text += part))
      request.on('end', () => {
        const sent = answer(request, text)
        if (sent === 'cut' || sent === undefined) return response.socket?.destroy()
        const [status, body] = sent
        const written = typeof body === 'string' ? body : JSON.stringify(body)
        return response.writeHead(status, { 'content-type': 'application/json' }).end(written)
      })
    },
    { requestCert: true, rejectUnauthorized: true },
  )
  const state = { boletos, calls, faults, history, objections, pix, behaviour, tokenCalls }
  return Object.assign(server, state, controls)
}

/** An account as stored. */
export function storedInter(
  kind: ProviderAccount['kind'] = 'simulator',
  answers: AccountAnswers = {},
): ProviderAccount {
  const { settings, credentials, certificateUntilMs } = inter.readAccount({
    profile: INTER,
    kind,
    nowMs: clock.now(),
    answers: {
      receiverName: 'Loja Exemplo',
      receiverCity: 'São Paulo',
      clientId: 'Client_Id_1',
      clientSecret: new Secret(SECRETS[0]),
      certificate: certificateFile,
      ...answers,
    },
  })
  return {
    id: 'acc_4',
    merchantId: 'loja',
    provider: INTER,
    kind,
    label: 'Loja',
    settings,
    secrets: { credentials, noticeSecret: new Secret('n'.repeat(32)) },
    certificateUntilMs,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: 0,
  }
}

/** Connects an account with a server that replaces the bank. */
export function connectTo(
  { origin }: { readonly origin: string },
  {
    account = storedInter(),
    ...options
  }: Partial<Parameters<typeof connectInter>[1]> & { readonly account?: ProviderAccount } = {},
): InterConnection & { readonly logged: readonly string[] } {
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }))
  }
  const log: Log = { info: write, warn: write, error: write }
  const read = readInterAccount(account, { origin, caPem: authority.certificatePem })
  const budget = createCallBudget({ clock, callsPerMinute: 1000 })
  const wait = () => Promise.resolve()
  const common = { budget, clock, log, randomBelow: () => 7, wait }
  return Object.assign(connectInter(read, { ...common, ...options }), { logged })
}
