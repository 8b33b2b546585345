// A bank for tests: its clock only moves on request, its randomness repeats, and every request,
// answer and notice is checked by the official document.
import type { IncomingHttpHeaders } from 'node:http'
import { type RequestOptions, createServer, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import {
  type JudgedRequest,
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from '../../../../test/judges/pix-api.js'
import {
  SHARED_FOLDER,
  createRepeatableBytes,
  createTestClock,
  forgetBooks,
} from '../../../provider-kit/test/simulator-parts.js'
import type { ClientCredentials, Credential } from '@cofre/provider-kit/simulator'
import {
  type PixBankOptions,
  type RunningPixBank,
  startPixBank,
} from '../src/simulator/start-pix-bank.js'

export const PIX_KEY = 'loja@cofre.example'
export const RECEIVER = {
  label: 'loja',
  taxId: '12345678000195',
  name: 'Loja São José',
  city: 'São Paulo',
  pixKeys: [PIX_KEY],
} as const
export const CHARGE = {
  calendario: { expiracao: 1800 },
  valor: { original: '129.90' },
  chave: PIX_KEY,
  solicitacaoPagador: 'Pedido 1042',
}

/** With a due date on a Tuesday that is in the future for any test. */
export const DATED = {
  calendario: { dataDeVencimento: '2090-01-03', validadeAposVencimento: 30 },
  devedor: {
    cpf: '12345678909',
    nome: 'Ana',
    logradouro: 'Rua das Flores, 12, Centro',
    cidade: 'Recife',
    uf: 'PE',
    cep: '50000000',
  },
  valor: {
    original: '100.00',
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 3, valorPerc: '1.00' },
  },
  chave: PIX_KEY,
  solicitacaoPagador: 'Pedido 1042',
}

/** 32 characters, like Cofre's own. */
export function txidOf(number: number): string {
  return String(number).padStart(32, 'k')
}

/** Receivers' certificates, by the authority that signed them. */
const receiverCredentials = new Map<string, Promise<Credential>>()

export async function openTestBank(options: Partial<PixBankOptions> = {}) {
  const clock = createTestClock()
  const folder = SHARED_FOLDER
  await forgetBooks(folder)
  const deps = { folder, clock, randomBytes: createRepeatableBytes() }
  const running = await startPixBank({ ...deps, ...options })
  const credentials = await running.openAccount(RECEIVER)
  const caller = createCaller(running, credentials)
  return {
    ...running,
    clock,
    folder,
    credentials,
    ...caller,
    close: () => running.stop(),
  }
}

export type TestBank = Awaited<ReturnType<typeof openTestBank>>

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed JSON; undefined if there is none. */
  readonly json: unknown
  /** The same, for tests: an answer has some of the document's fields. */
  readonly body: AnswerBody
}

interface AnswerBody {
  readonly access_token: string
  readonly expires_in: number
  readonly scope: string
  readonly type: string
  readonly violacoes: unknown
  readonly status: string
  readonly calendario: { readonly criacao: string; readonly expiracao: number }
  readonly valor: { readonly original: string }
  readonly loc: { readonly location: string }
  readonly location: string
  readonly pixCopiaECola: string
  readonly pix: readonly [PaymentBody, ...PaymentBody[]]
  readonly devolucoes: unknown
  readonly rtrId: string
  readonly motivo: string
  readonly cobs: unknown
  readonly webhooks: unknown
  readonly webhookUrl: string
  readonly parametros: { readonly paginacao: object }
}

interface PaymentBody {
  readonly valor: string
  readonly horario: string
  readonly devolucoes: unknown
}

interface CallOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For requests that are wrong on purpose: their answers are judged nevertheless. */
  readonly isWrong?: true
  /** For answers that no API Pix gives, as a proxy's page. */
  readonly isStrange?: true
  readonly credential?: Credential
}

/** Calls a bank as a receiver's system. */
export function createCaller(running: RunningPixBank, credentials: ClientCredentials) {
  const send = (options: RequestOptions, text?: string, credential: Credential = credentials) =>
    exchange(
      {
        host: '127.0.0.1',
        port: running.apiPort,
        ca: running.authority,
        cert: credential.certificate,
        key: credential.privateKey.reveal(),
        agent: false,
        ...options,
      },
      text,
    )

  const askToken = (fields: Readonly<Record<string, string>> = {}, credential?: Credential) => {
    const { clientId, clientSecret } = credentials
    const basic = Buffer.from(`${clientId}:${clientSecret?.reveal() ?? ''}`).toString('base64')
    const headers = {
      Authorization: `Basic ${basic}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...fields })
    const options = { method: 'POST', path: '/oauth/token', headers }
    return send(options, form.toString(), credential)
  }

  let kept: { readonly token: string; readonly endMs: number } | undefined
  const keptToken = async () => {
    const nowMs = running.bank.book.clock.now()
    if (kept !== undefined && kept.endMs > nowMs) return kept.token
    const { body } = await askToken()
    kept = { token: body.access_token, endMs: nowMs + body.expires_in * 1000 }
    return kept.token
  }

  const call = async (request: JudgedRequest, options: CallOptions = {}): Promise<Answer> => {
    if (options.isWrong !== true) expect(violationsOfRequest(request)).toEqual([])
    const token = options.token ?? (await keptToken())
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    const { method } = request
    const text = request.body === undefined ? undefined : JSON.stringify(request.body)
    const answer = await send(
      { method, path: `/v2${request.path}`, headers },
      text,
      options.credential,
    )
    const { status, json: body } = answer
    const contentType = String(answer.headers['content-type'] ?? '') || null
    if (options.isStrange !== true)
      expect(violationsOfAnswer(request, { status, contentType, body })).toEqual([])
    return answer
  }
  return {
    send,
    askToken,
    call,
    get: (at: string, options?: CallOptions) => call({ method: 'GET', path: at }, options),
    put: (at: string, body: unknown, options?: CallOptions) =>
      call({ method: 'PUT', path: at, body }, options),
    patch: (at: string, body: unknown, options?: CallOptions) =>
      call({ method: 'PATCH', path: at, body }, options),
  }
}

/** One call over a new connection; rejects if the connection is cut. */
export function exchange(options: RequestOptions, text?: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const call = requestHttps(options, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const received = Buffer.concat(chunks).toString()
      const isJson = response.headers['content-type']?.includes('json') === true
      const json: unknown = isJson ? JSON.parse(received) : undefined
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, text: received, json, body: json as AnswerBody })
    })
  })
  call.on('error', reject)
  call.end(text)
  return promise
}

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly pix?: readonly { readonly endToEndId: string }[] }
  readonly hasCertificate: boolean
}

/** An HTTPS receiver of notices that trusts the bank's authority. */
export async function openReceiver(
  bank: Pick<RunningPixBank, 'authority' | 'issue'>,
  { certificates, answers = 200 }: { certificates: 'demanded' | 'ignored'; answers?: number },
) {
  const known = receiverCredentials.get(bank.authority)
  const credential = known ?? bank.issue({ name: 'Loja', role: 'server', hosts: ['127.0.0.1'] })
  receiverCredentials.set(bank.authority, credential)
  const server = await credential
  const received: Received[] = []
  const listener = createServer(
    {
      cert: server.certificate,
      key: server.privateKey.reveal(),
      ca: bank.authority,
      requestCert: true,
      rejectUnauthorized: certificates === 'demanded',
    },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Received['body']
        const isNotice = body.pix !== undefined
        if (isNotice) expect(violationsOfNotice(body)).toEqual([])
        const { authorized: hasCertificate } = request.socket as unknown as { authorized: boolean }
        const { headers, url: path = '' } = request
        received.push({ path, headers, body, hasCertificate })
        response.writeHead(answers).end()
      })
    },
  )
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  return {
    received,
    url: `https://127.0.0.1:${port}/notices/loja/secret`,
    close: () => {
      listener.closeAllConnections()
      return new Promise((resolve) => listener.close(resolve))
    },
  }
}
