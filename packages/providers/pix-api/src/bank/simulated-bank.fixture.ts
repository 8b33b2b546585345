// The connector at the simulated bank, over real TLS. Each profile uses the bank's own paths,
// headers and token, and every request and answer is checked by the official document.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AccountAnswers } from '@cofre/provider-kit/account'
import type { Clock } from '@cofre/contracts'
import type { Scope } from '../simulator/account.js'
import type { ApiConventions } from '../simulator/api-routes.js'
import {
  type PixBankOptions,
  type RunningPixBank,
  startPixBank,
} from '../simulator/start-pix-bank.js'
import type { Disturbance, Credential } from '@cofre/provider-kit/simulator'
import {
  type JudgedRequest,
  violationsOfAnswer,
  violationsOfRequest,
} from '../../../../../test/judges/pix-api.js'
import {
  createRepeatableBytes,
  createTestClock,
  forgetBooks,
} from '../../../../provider-kit/test/simulator-parts.js'
import {
  PIX_KEY,
  SECRETS,
  type TestConnection,
  connect,
  storedAccount,
} from '../../test/accounts.js'
import type { PixApiProfileName } from './pix-api-profiles.js'

interface Manners {
  readonly api: readonly string[]
  readonly token: string
  /** Required headers of each call. */
  readonly headers?: (clientId: string) => Readonly<Record<string, string>>
  readonly hasNoSecret?: true
}

/** Each bank's requirements, from its documents: nothing here comes from the connector. */
export const MANNERS: Readonly<Record<PixApiProfileName, Manners>> = {
  efi: { api: ['/v2'], token: '/oauth/token' },
  bb: {
    api: ['/pix/v2'],
    token: '/oauth/token',
    headers: () => ({ 'gw-dev-app-key': SECRETS[1] }),
  },
  inter: { api: ['/pix/v2'], token: '/oauth/v2/token' },
  itau: {
    api: ['/pix_recebimentos/v2'],
    token: '/api/oauth/token',
    headers: (clientId) => ({ 'x-itau-apikey': clientId }),
  },
  santander: {
    api: ['/api/v1'],
    token: '/oauth/token',
    headers: (clientId) => ({ 'x-application-key': clientId }),
  },
  sicoob: {
    api: ['/pix/api/v2'],
    token: '/auth/realms/sicoob/protocol/openid-connect/token',
    headers: (clientId) => ({ client_id: clientId }),
    hasNoSecret: true,
  },
  sicredi: { api: ['/api/v3', '/api/v2'], token: '/oauth/token' },
}

export const TOKEN_LIFETIME_S = 3600
const RECEIVER = {
  label: 'loja',
  taxId: '12345678000195',
  name: 'Loja',
  city: 'São Paulo',
} as const
/** Marks answers that no API Pix gives, which are not judged. */
const STRANGE = 'x-strange'

export interface SimulatedBank {
  readonly connection: TestConnection
  /** The bank's clock, shared with the connector unless that has its own. */
  readonly clock: ReturnType<typeof createTestClock>
  readonly running: RunningPixBank
  readonly bank: RunningPixBank['bank']
  /** Texts that no log may contain. */
  readonly secrets: readonly string[]
  /** The judge's objections to requests and answers. */
  readonly objections: readonly string[]
  /** `PUT /v2/cob/…` for each call, including those for a token. */
  readonly calls: readonly string[]
  /** Answered calls of the API, judged with their answers. */
  readonly judged: readonly string[]
  /** Answers calls with this instead of carrying them out. */
  answer(answer: StrangeAnswer): void
  close(): Promise<void>
}

export interface StrangeAnswer extends Pick<Disturbance, 'on' | 'times'> {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface SimulatedBankSetup extends Pick<
  PixBankOptions,
  'webhookHandshake' | 'authorities' | 'apiPort'
> {
  readonly folder: string
  readonly scopes?: readonly Scope[]
  /** More answers when the account is added. */
  readonly answers?: AccountAnswers
  /**
   * The account's certificate: its client's, another client's of the bank, or one unknown to the
   * bank.
   */
  readonly certificate?: 'own' | 'anothers' | 'unknown'
  readonly options?: Parameters<typeof connect>[2]
  /** Makes the connector's clock from the bank's. */
  readonly clockOf?: (bank: Clock) => Clock
}

export async function openSimulatedBank(
  profile: PixApiProfileName,
  setup: SimulatedBankSetup,
): Promise<SimulatedBank> {
  const { answers: given, certificate, folder, options, scopes, ...rest } = setup
  const { clockOf = (bank: Clock) => bank, ...bankOptions } = rest
  const clock = createTestClock()
  const { api, token, headers, hasNoSecret } = MANNERS[profile]
  const wanted: Record<string, string> = {}
  const manners: ApiConventions = { api, token, headers: wanted }
  const deps = { folder, clock, randomBytes: createRepeatableBytes(), manners }
  await forgetBooks(folder)
  const running = await startPixBank({ ...deps, tokenLifetimeS: TOKEN_LIFETIME_S, ...bankOptions })
  const hasSecret = hasNoSecret !== true
  const label = hasSecret ? 'loja' : 'loja-without-secret'
  const request = { ...RECEIVER, label, hasSecret, pixKeys: [PIX_KEY] }
  const { clientId, clientSecret, ...credential } = await running.openAccount({
    ...request,
    ...(scopes && { scopes }),
  })
  Object.assign(wanted, headers?.(clientId))
  const { authority, bank } = running
  const origin = `https://127.0.0.1:${running.apiPort}`
  const judge = judgeCallsTo(origin, api, token)
  const own =
    certificate === 'anothers'
      ? await running.issue({ name: 'Outra loja', role: 'client' })
      : credential
  const answers = {
    ...given,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(certificate !== 'unknown' && { certificate: fileOf(own, authority) }),
  }
  const account = storedAccount(profile, { answers })
  const tools = { caPem: authority, clock: clockOf(clock), ...options }
  const connection = connect(account, { origin }, tools)
  return {
    ...judge,
    connection,
    clock,
    running,
    bank,
    secrets: [...SECRETS, ...(clientSecret === undefined ? [] : [clientSecret.reveal()])],
    answer({ status, headers: sent, body, ...meant }) {
      const marked = { ...sent, [STRANGE]: '1' }
      bank.disturbances.add({
        effect: { kind: 'answer', status: status as 200, headers: marked, ...(body && { body }) },
        ...meant,
      })
    },
    async close() {
      judge.end()
      await connection.close()
      await running.stop()
    },
  }
}

function fileOf({ certificate, privateKey }: Credential, authority: string): Buffer {
  return Buffer.from(certificate + authority + privateKey.reveal())
}

/** undici's message about a call on its diagnostics channels. */
interface Message {
  readonly request: { readonly origin: string; readonly method: string; readonly path: string }
  readonly chunk?: Uint8Array | string
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] }
}

interface Call {
  sent: string
  received: string
  status: number
  headers: ReadonlyMap<string, string>
}

/** Listens in this process: there is no proxy between connector and bank. */
function judgeCallsTo(origin: string, bases: readonly string[], token: string) {
  const calls: string[] = []
  const judged: string[] = []
  const objections: string[] = []
  const open = new Map<object, Call>()
  const onCall: Readonly<Record<string, (message: Message, call: Call) => void>> = {
    bodyChunkSent: ({ chunk = '' }, call) => (call.sent += Buffer.from(chunk).toString()),
    headers: ({ response }, call) => {
      call.status = response?.statusCode ?? 0
      call.headers = namesAndValues(response?.headers ?? [])
    },
    bodyChunkReceived: ({ chunk = '' }, call) => (call.received += Buffer.from(chunk).toString()),
    trailers: ({ request: { method, path } }, call) => {
      judged.push(`${method} ${path}`)
      const base = bases.find((one) => path.startsWith(`${one}/`)) ?? ''
      const request = { method, path: path.slice(base.length), body: jsonIn(call.sent) }
      objections.push(...violationsOfRequest(request), ...objectionsToAnswer(request, call))
    },
  }
  const begin = ({ request }: Message): void => {
    if (request.origin !== origin) return
    calls.push(`${request.method} ${request.path}`)
    if (request.path.startsWith(token)) return
    open.set(request, { sent: '', received: '', status: 0, headers: new Map() })
  }
  const stops = [
    hear('create', begin),
    ...Object.entries(onCall).map(([name, act]) =>
      hear(name, (message) => {
        const call = open.get(message.request)
        if (call !== undefined) act(message, call)
      }),
    ),
  ]
  const end = (): void => {
    for (const stop of stops) stop()
  }
  return { calls, judged, objections, end }
}

/** @returns the function that stops it */
function hear(name: string, act: (message: Message) => void): () => void {
  const listener = (message: unknown): void => {
    act(message as Message)
  }
  subscribe(`undici:request:${name}`, listener)
  return () => unsubscribe(`undici:request:${name}`, listener)
}

function objectionsToAnswer(
  request: JudgedRequest,
  { headers, received, status }: Call,
): readonly string[] {
  if (headers.has(STRANGE)) return []
  const contentType = headers.get('content-type') ?? null
  return violationsOfAnswer(request, { status, contentType, body: jsonIn(received) })
}

function jsonIn(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

function namesAndValues(raw: readonly Buffer[]): ReadonlyMap<string, string> {
  const texts = raw.map((one) => one.toString().toLowerCase())
  return new Map(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [])))
}
