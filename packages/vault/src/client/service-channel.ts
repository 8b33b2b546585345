import { randomBytes } from 'node:crypto'
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as TlsAgent, request as requestHttps } from 'node:https'
import { type Clock, SECOND_MS } from '@cofre/contracts'
import type { ServiceKey } from './service-key.js'
import {
  ANSWER_SIGNATURE_HEADER,
  type ServiceAnswer,
  type ServiceCredential,
  type ServiceRequest,
  isAnswerSignature,
  signRequest,
  writeCredential,
} from './service-signature.js'
import { VaultAnswerError, VaultRefusalError, VaultUnreachableError } from './vault-error.js'

const ANSWER_BYTES_MAX = 64 * 1024
const NONCE_BYTES = 16

/**
 * The request that caused the gateway's call: for logs and traces alone. It is not signed, and
 * nothing may depend on it.
 */
export interface CallerContext {
  /** Sent as `X-Request-Id`. */
  readonly requestId?: string | undefined
  /** `traceparent` of W3C Trace Context. */
  readonly traceparent?: string | undefined
}

interface ServiceChannelOptions {
  /** Origin of the service port: `http://10.0.0.5:8086`. */
  readonly url: string
  readonly key: ServiceKey
  readonly clock: Clock
  readonly connectTimeoutMs: number
  /** Called for each request. */
  readonly callerContext?: (() => CallerContext) | undefined
}

export type ServiceChannel = ReturnType<typeof createServiceChannel>

export function createServiceChannel(options: ServiceChannelOptions) {
  const { url, key, clock, connectTimeoutMs, callerContext = () => ({}) } = options
  const isTls = new URL(url).protocol === 'https:'
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  return {
    /**
     * Sends a signed request once and returns the signed answer, whatever its status.
     * @param answerTimeoutMs - How long the vault may take once it is connected.
     * @throws VaultUnreachableError if nothing was sent
     * @throws VaultRefusalError if the vault refused the signature
     * @throws VaultAnswerError if the request may have arrived, but the vault's answer did not
     */
    async exchange(request: ServiceRequest, answerTimeoutMs: number): Promise<ServiceAnswer> {
      const credential = signRequest(key, request, {
        timeSeconds: Math.floor(clock.now() / SECOND_MS),
        nonce: randomBytes(NONCE_BYTES).toString('base64url'),
      })
      const sending = (isTls ? requestHttps : requestHttp)(new URL(request.target, url), {
        method: request.method,
        agent,
        headers: headersOf(request, credential, callerContext()),
      })
      const answer = await send(sending, request.body, {
        connectedEvent: isTls ? 'secureConnect' : 'connect',
        connectTimeoutMs,
        answerTimeoutMs,
      })
      if (isAnswerSignature(key, credential, answer)) return answer
      if (answer.status === 401) throw new VaultRefusalError()
      throw new VaultAnswerError(`answered ${answer.status} without a signature that fits`)
    },
    /** Ends idle connections. */
    close(): void {
      agent.destroy()
    },
  }
}

function headersOf(
  { body }: ServiceRequest,
  credential: ServiceCredential,
  { requestId, traceparent }: CallerContext,
) {
  return {
    Authorization: writeCredential(credential),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

interface SendingRules {
  /** The socket's event after which bytes of the request may have left this process. */
  readonly connectedEvent: 'connect' | 'secureConnect'
  readonly connectTimeoutMs: number
  readonly answerTimeoutMs: number
}

type ReceivedAnswer = ServiceAnswer & { readonly signature: string | undefined }

function send(
  sending: ClientRequest,
  body: string,
  { connectedEvent, connectTimeoutMs, answerTimeoutMs }: SendingRules,
): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    let isConnected = false
    let timer: NodeJS.Timeout | undefined
    const fail = (cause: Error): void => {
      clearTimeout(timer)
      reject(isConnected ? new VaultAnswerError(cause.message) : new VaultUnreachableError(cause))
    }
    const limit = (durationMs: number, message: string): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        sending.destroy(new Error(message))
      }, durationMs)
    }
    const becomeConnected = (): void => {
      isConnected = true
      limit(answerTimeoutMs, `did not answer within ${answerTimeoutMs} ms`)
    }
    limit(connectTimeoutMs, `did not accept the connection within ${connectTimeoutMs} ms`)
    sending.on('socket', (socket) => {
      // A connection that was kept alive isn't connecting.
      if (socket.connecting) socket.once(connectedEvent, becomeConnected)
      else becomeConnected()
    })
    sending.on('error', fail)
    sending.on('response', (incoming) => {
      readAnswer(incoming)
        .then((answer) => {
          clearTimeout(timer)
          resolve(answer)
        })
        .catch(fail)
    })
    sending.end(body)
  })
}

/** @throws Error if the answer is cut short or too long */
async function readAnswer(incoming: IncomingMessage): Promise<ReceivedAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES_MAX) throw new Error('answered more than it may')
    chunks.push(chunk)
  }
  const signature = incoming.headers[ANSWER_SIGNATURE_HEADER.toLowerCase()]
  return {
    status: incoming.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    signature: typeof signature === 'string' ? signature : undefined,
  }
}
