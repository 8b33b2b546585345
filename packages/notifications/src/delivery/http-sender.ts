import { closeSync, openSync } from 'node:fs'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type LookupFunction, type TcpNetConnectOpts, isIP } from 'node:net'
import { devNull } from 'node:os'
import { SECOND_MS, maskCardNumbers, plainTextOf } from '@cofre/contracts'
import { type HostLookup, createHostLookup } from './host-lookup.js'
import type {
  NotificationSender,
  OutgoingNotification,
  SendError,
  SendResult,
} from '../model/sending.js'
import {
  type TargetAllowance,
  type TargetEndpoint,
  endpointOf,
  knownAddress,
  mayReach,
} from './notification-target.js'

const TIMEOUT_MS = 10 * SECOND_MS
const RESPONSE_BYTES_MAX = 64 * 1024
const EXCERPT_BYTES_MAX = 1024
/**
 * Tries the addresses one after another; Node's default of 250 ms each is too short for a distant
 * one.
 */
const ADDRESS_SELECTION: Pick<
  TcpNetConnectOpts,
  'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'
> = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2 * SECOND_MS }

/** The time that an idle connection is kept for the next notification to the same place. */
const IDLE_MS = SECOND_MS

/** Options and limits of the sender. */
export interface HttpSenderOptions {
  /** The product's version, sent in `User-Agent`. */
  readonly version: string
  readonly allowances: readonly TargetAllowance[]
  /** From the look-up of the host to the end of the response's body; default 10,000. */
  readonly timeoutMs?: number
  /** The size at which reading stops and the connection is closed; default 65,536. */
  readonly responseBytesMax?: number
  /** Default: the name servers and, if private networks are allowed, the system. */
  readonly lookup?: HostLookup
}

/**
 * Sends over HTTP to the addresses that notifications may reach. A host is resolved once for each
 * attempt, and the connection goes to a checked address, never to one that is resolved again. A
 * kept connection is reused only while the host's checked addresses are the same. The sender
 * follows no redirects, reads no proxy variables, and always verifies certificates.
 */
export function createHttpSender(options: HttpSenderOptions): NotificationSender {
  const limits: Required<HttpSenderOptions> = {
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: RESPONSE_BYTES_MAX,
    lookup: createHostLookup({ knowsPrivateNames: options.allowances.length > 0 }),
    ...options,
  }
  // Firewalls of shops refuse requests without them.
  const ownHeaders = { 'User-Agent': `Cofre/${options.version}`, Accept: '*/*' }
  const agents: Agents = {
    http: keptApart(new http.Agent({ keepAlive: true, timeout: IDLE_MS })),
    // A resumed session would present no certificate.
    https: keptApart(new https.Agent({ keepAlive: true, timeout: IDLE_MS, maxCachedSessions: 0 })),
  }
  return {
    async send(notification) {
      const startedAt = performance.now()
      const headers = { ...ownHeaders, ...notification.headers }
      const outcome = await attempt({ ...notification, headers }, { ...limits, agents })
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) }
    },
  }
}

type AttemptResult = Omit<SendResult, 'durationMs'>

/** A failure whose reason is known at its origin. */
class SendFailure extends Error {
  readonly reason: SendError

  constructor(reason: SendError, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

async function attempt(
  notification: OutgoingNotification,
  { agents, ...limits }: Required<HttpSenderOptions> & { readonly agents: Agents },
): Promise<AttemptResult> {
  const deadline = new AbortController()
  const { signal } = deadline
  // Operations that cannot be cancelled, such as a look-up, are abandoned.
  const { promise: late, reject } = Promise.withResolvers<never>()
  late.catch(() => undefined)
  const timer = setTimeout(() => {
    const failure = new SendFailure('timeout')
    deadline.abort(failure)
    reject(failure)
  }, limits.timeoutMs)
  const failed = (error: unknown): SendError => (signal.aborted ? 'timeout' : sendErrorOf(error))
  try {
    const endpoint = endpointOf(notification.url)
    if (endpoint === undefined) throw new SendFailure('request_invalid')
    const addresses = await Promise.race([
      reachableAddresses(endpoint, { ...limits, signal }),
      late,
    ])
    const response = await Promise.race([
      exchange(notification, { endpoint, addresses, agents, signal }),
      late,
    ])
    const { bytes, error } = await readStart(response, limits.responseBytesMax)
    const statusCode = response.statusCode ?? 0
    const responseExcerpt = excerptOf(bytes)
    return { statusCode, responseExcerpt, ...(error !== undefined && { error: failed(error) }) }
  } catch (error) {
    if (isOurs(error)) throw error
    return { error: failed(error), responseExcerpt: '' }
  } finally {
    clearTimeout(timer)
  }
}

interface Search extends Pick<HttpSenderOptions, 'allowances'> {
  readonly lookup: HostLookup
  readonly signal: AbortSignal
}

async function reachableAddresses(
  { host, port }: TargetEndpoint,
  { allowances, lookup, signal }: Search,
): Promise<string[]> {
  const known = isIP(host) === 0 ? knownAddress(host, allowances) : host
  const addresses = known === undefined ? await foundBy(() => lookup(host, signal)) : [known]
  const reachable = addresses.filter((address) => mayReach(address, port, allowances))
  if (reachable.length === 0) throw new SendFailure('address_refused')
  return reachable
}

async function foundBy(lookup: () => ReturnType<HostLookup>): Promise<readonly string[]> {
  let cause: unknown
  try {
    const addresses = await lookup()
    if (addresses.length > 0) return addresses
  } catch (error) {
    cause = error
  }
  // Without descriptors, a look-up also reports that the name does not exist; opening a file throws
  // then.
  closeSync(openSync(devNull, 'r'))
  throw new SendFailure('dns_failed', { cause })
}

interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

interface PinnedOptions extends https.RequestOptions {
  /** The checked addresses; connections go only to these. */
  readonly addresses: readonly string[]
}

/** Makes an agent keep connections apart by their checked addresses. */
function keptApart<Agent extends http.Agent>(agent: Agent): Agent {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options: PinnedOptions) =>
    `${nameOf(options)} ${options.addresses.toSorted().join()}`
  return agent
}

interface Route extends Pick<PinnedOptions, 'addresses'> {
  readonly endpoint: TargetEndpoint
  /** Undefined for a single-use connection. */
  readonly agents: Agents | undefined
  readonly signal: AbortSignal
}

/** Resolves to the head of the response. */
async function exchange(
  notification: OutgoingNotification,
  route: Route,
): Promise<IncomingMessage> {
  const isTls = new URL(notification.url).protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = openRequest(notification, route, isTls)
  let isInHandshake = false
  let isAnswered = false
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    socket.once('connect', () => (isInHandshake = isTls))
    socket.once('secureConnect', () => (isInHandshake = false))
  })
  request.on('error', (error) => {
    // The receiver may have closed a kept connection just as it was reused. A request that it had
    // already processed arrives twice, with the same id.
    if (request.reusedSocket && !isAnswered && isClosed(error))
      resolve(exchange(notification, { ...route, agents: undefined }))
    else reject(isInHandshake ? new SendFailure('tls_failed', { cause: error }) : error)
  })
  request.once('response', (response) => {
    isAnswered = true
    resolve(response)
  })
  // Without a listener the request would neither fail nor end, not even at the deadline.
  request.once('upgrade', (_response, socket) => {
    isAnswered = true
    socket.destroy()
    reject(new SendFailure('response_invalid'))
  })
  request.end(notification.body)
  return promise
}

/** @throws SendFailure when Node refuses the path or a header, such as one with a line break */
function openRequest(
  { url, headers, body }: OutgoingNotification,
  { endpoint, addresses, agents, signal }: Route,
  isTls: boolean,
): ClientRequest {
  const { pathname, search } = new URL(url)
  const { host, port } = endpoint
  const options: PinnedOptions = {
    method: 'POST',
    host,
    port,
    path: pathname + search,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    addresses,
    lookup: pinned(addresses),
    ...ADDRESS_SELECTION,
    // Set, so that no environment variable can turn it off.
    rejectUnauthorized: true,
    agent: agents?.[isTls ? 'https' : 'http'] ?? false,
    signal,
  }
  try {
    return (isTls ? https : http).request(options)
  } catch (error) {
    throw new SendFailure('request_invalid', { cause: error })
  }
}

/** Returns the checked addresses for any name. Not called for an IP literal. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    const [first] = found
    if (all === true) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** Leaving the loop early destroys the response and with it the connection. */
async function readStart(
  response: IncomingMessage,
  bytesMax: number,
): Promise<{ readonly bytes: Buffer; readonly error?: unknown }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= bytesMax) break
    }
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error }
  }
  return { bytes: Buffer.concat(chunks) }
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

/** The system's errors if this process gets no socket: no descriptors, memory or local ports. */
const OURS = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']

function isOurs(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OURS.includes(String(error.code))
}

function sendErrorOf(error: unknown): SendError {
  if (error instanceof SendFailure) return error.reason
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('HPE_')) return 'response_invalid'
  return /^ERR_(SSL|TLS)_/.test(code) ? 'tls_failed' : 'connection_failed'
}

/** One line of printable text: no control, bidirectional or line separating characters, no card. */
function excerptOf(bytes: Buffer): string {
  // Long enough even if each number of 181 bytes becomes a mask of 12.
  const begin = bytes.subarray(0, 16 * EXCERPT_BYTES_MAX)
  const line = plainTextOf(new TextDecoder().decode(begin), ' ')
  // Masked before the cut: half a card number is not recognized as one.
  const masked = Buffer.from(maskCardNumbers(line))
  // Streaming omits a character that the cut would split.
  return new TextDecoder().decode(masked.subarray(0, EXCERPT_BYTES_MAX), { stream: true })
}
