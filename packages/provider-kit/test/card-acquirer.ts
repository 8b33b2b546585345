// Shared parts of card acquirers' tests: calls over TLS, a receiver of notices, a browser.
import { type RequestOptions, createServer, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createCallBudget, createOutboundClient } from '../src/outbound/index.js'
import type { Credential, Subject } from '../src/simulator/authority/authority.js'
import {
  SHARED_FOLDER,
  createRepeatableBytes,
  createTestClock,
  forgetBooks,
} from './simulator-parts.js'

/** By the authority that signed them. */
const receiverCredentials = new Map<string, Promise<Credential>>()

/** The parts of an acquirer at its start: empty books, and a stopped clock. */
export async function testPartsOf(name: string) {
  const folder = path.join(SHARED_FOLDER, name)
  await forgetBooks(folder)
  return { folder, clock: createTestClock(), randomBytes: createRepeatableBytes(name) }
}

/** An acquirer as the issuer of certificates. */
interface Issuer {
  readonly authority: string
  readonly issue: (subject: Subject) => Promise<Credential>
}

/** A receiver of an acquirer's notices, with a certificate that the acquirer accepts. */
export async function openReceiverOf({ authority, issue }: Issuer) {
  const known = receiverCredentials.get(authority)
  const credential = known ?? issue({ name: 'Loja', role: 'server', hosts: ['127.0.0.1'] })
  receiverCredentials.set(authority, credential)
  return openReceiver(await credential)
}

/** Public test cards. */
export const VISA = '4111111111111111'
export const MASTERCARD = '5555555555554444'
export const ELO = '5066991111111118'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed JSON; undefined if there is none. */
  readonly json: unknown
}

/** One call over a new connection; rejects if the connection is cut. */
export function exchange(options: RequestOptions, text?: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const call = requestHttps({ host: '127.0.0.1', agent: false, ...options }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const received = Buffer.concat(chunks).toString()
      const isJson = response.headers['content-type']?.includes('json') === true
      const json: unknown = isJson && received !== '' ? JSON.parse(received) : undefined
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, text: received, json })
    })
  })
  call.on('error', reject)
  call.end(text)
  return promise
}

/** An HTTPS receiver of notices. */
export async function openReceiver(credential: Credential, answers = 200) {
  const received: unknown[] = []
  const options = { cert: credential.certificate, key: credential.privateKey.reveal() }
  const listener = createServer(options, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(answers).end()
    })
  })
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

/** A person's browser on the page of an acquirer. */
export async function openPage(pageUrl: string) {
  const answer = await fetch(pageUrl)
  const cookies = answer.headers.getSetCookie().map((text) => text.split(';')[0])
  const csrf = /name="csrf" value="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
  const Cookie = cookies.join('; ')
  return {
    csrf,
    read: async (language = 'pt-BR') => {
      const headers = { Cookie, 'Accept-Language': language }
      return (await fetch(pageUrl, { headers })).text()
    },
    post: async (path: string, fields: Record<string, string> = {}, headers: object = {}) => {
      const posted = await fetch(`${pageUrl}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie, ...headers },
        body: new URLSearchParams({ csrf, ...fields }),
      })
      return { status: posted.status, location: posted.headers.get('Location') }
    },
  }
}

/** Calls a simulator twice as a connector does, with `between` between the two calls. */
export async function callTwice(
  { port, authority }: { readonly port: number; readonly authority: string },
  between: () => Promise<unknown>,
) {
  const clock = { now: () => Date.now() }
  const nothing = () => undefined
  const client = createOutboundClient({
    account: 'acc_1',
    budget: createCallBudget({ clock }),
    clock,
    log: { info: nothing, warn: nothing, error: nothing },
    simulatorCaPem: authority,
  })
  const call = { operation: 'test', method: 'GET', url: `https://127.0.0.1:${port}/` } as const
  const first = await client.send(call)
  await between()
  const second = await client.send(call)
  await client.close()
  return [first.kind, second.kind]
}
