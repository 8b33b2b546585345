import { createHash, createHmac } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { createVerifier, httpbis } from 'http-message-signatures'
import { onTestFinished } from 'vitest'

export const STORE_ID = 'store-1'
export const SECRET = 'segredo-çã-0123'

/**
 * A received request. Its signature is checked by the letter of the specification's section 5, or
 * by another implementation of RFC 9421.
 */
export interface ReceivedRequest {
  readonly method: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly signatureHolds: boolean
}

export type Answer = { readonly status: number; readonly body: string } | 'never'

/** A real HTTP server on loopback that records requests and gives one answer to all of them. */
export async function listenAsGateway(answer: Answer): Promise<{
  readonly baseUrl: string
  readonly received: readonly ReceivedRequest[]
  readonly server: Server
}> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    void record(request).then((entry) => {
      received.push(entry)
      reply(response, answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, received, server }
}

async function record(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { method = '', url: target = '', headers } = request
  const arrived = { method, target, headers, body: body.toString() }
  const signatureHolds =
    headers.authorization === undefined
      ? await isMessageSigned(arrived)
      : headers.authorization === authorizationBySpec(target, body)
  return { ...arrived, signatureHolds }
}

/** All that may be changed on the way must be signed, and a POST must have a nonce. */
async function isMessageSigned(request: Omit<ReceivedRequest, 'signatureHolds'>): Promise<boolean> {
  const { method, target, headers, body } = request
  const requiredFields = ['@method', '@target-uri']
  if (body !== '') requiredFields.push('content-digest')
  if (headers['idempotency-key'] !== undefined) requiredFields.push('idempotency-key')
  const requiredParams = ['created', 'keyid', 'alg', ...(method === 'POST' ? ['nonce'] : [])]
  const verify = createVerifier(SECRET, 'hmac-sha256')
  const keyLookup = ({ keyid }: { keyid?: string }) =>
    Promise.resolve(keyid === STORE_ID ? { id: STORE_ID, algs: ['hmac-sha256'], verify } : null)
  const isSigned = await httpbis.verifyMessage(
    { keyLookup, requiredFields, requiredParams, maxAge: 60 },
    { method, url: `http://${headers.host}${target}`, headers: headers as Record<string, string> },
  )
  const digest = createHash('sha256').update(body).digest('base64')
  return isSigned === true && (body === '' || headers['content-digest'] === `sha-256=:${digest}:`)
}

/** Written only from the specification's text, without the code under test. */
function authorizationBySpec(target: string, body: Buffer): string {
  const md5 = createHash('md5').update(body).digest('hex')
  const digest =
    body.length === 0
      ? ''
      : target.startsWith('/refunds')
        ? md5
        : Buffer.from(md5).toString('base64')
  return `${STORE_ID}:${createHmac('sha256', SECRET).update(`${target}${digest}`, 'utf8').digest('hex')}`
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === 'never') return
  response.writeHead(answer.status, { 'Content-Type': 'application/json', Location: '/elsewhere' })
  response.end(answer.body)
}
