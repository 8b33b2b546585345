import type { Socket } from 'node:net'
import { type Clock, type Log, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import { Agent, type Dispatcher, buildConnector, request } from 'undici'
import { type CallBudget, type CallPriority, pauseAskedFor } from './call-budget.js'
import {
  type AnswerBody,
  type CallAnswer,
  type NotSentCall,
  type UnknownReason,
  notSent,
} from './call-answer.js'
import type { ClientCertificate } from './client-certificate.js'
import { connectFailure, detailOf, isCertificateRefusal } from './connect-failure.js'
import { redacted } from './redaction.js'

/** One call to a provider. */
export interface OutboundCall {
  /** The call's name in logs, such as `cob.create`: an address can contain personal data. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** HTTPS. Redirects are not followed. */
  readonly url: string
  /** `Secret` values never appear in an excerpt. */
  readonly headers?: Readonly<Record<string, string | Secret<string>>>
  readonly body?: { readonly contentType: string; readonly text: Secret<string> }
  /** More secrets that an answer might repeat, such as those in the body. */
  readonly secrets?: readonly Secret<string>[]
  /** Default: a person waits for the answer. */
  readonly priority?: CallPriority
}

export interface OutboundClient {
  /** Makes one call, once. Never rejects because of the provider or the network. */
  send(call: OutboundCall): Promise<CallAnswer>
  /** Ends idle connections; calls in progress finish. */
  close(): Promise<void>
}

export interface OutboundLimits {
  readonly connectMs: number
  /** From the call to the last byte of its answer. */
  readonly totalMs: number
  /** The limit that stops reading and closes the connection. */
  readonly answerBytesMax: number
}

export interface OutboundOptions {
  /** The account's name in the log. */
  readonly account: string
  readonly budget: CallBudget
  readonly clock: Clock
  readonly log: Log
  readonly certificate?: Pick<ClientCertificate, 'certificatePem' | 'keyPem' | 'expiresAtMs'>
  /** PEM. A simulator's own authority: replaces the known ones, only for this account. */
  readonly simulatorCaPem?: string
  /** Default: 3 s, 12 s and 1 MiB. */
  readonly limits?: Partial<OutboundLimits>
}

const LIMITS: OutboundLimits = {
  connectMs: 3 * SECOND_MS,
  totalMs: 12 * SECOND_MS,
  answerBytesMax: 1024 * 1024,
}
const HEADER_BYTES_MAX = 16 * 1024
/** The time for each address, tried in turn; Node's own 250 ms are too short for a distant one. */
const ADDRESS_ATTEMPT_MS = SECOND_MS

/** A client for one account. The server's certificate is always verified. */
export function createOutboundClient(options: OutboundOptions): OutboundClient {
  const limits = { ...LIMITS, ...options.limits }
  const errors: ConnectionErrors = { unconnected: new WeakSet(), refusals: new WeakMap() }
  const agent = createAgent(options, limits, errors)
  let denialLoggedAtMs = Number.NEGATIVE_INFINITY
  return {
    async send(call) {
      const startedAt = performance.now()
      const denial = beforeSending(options, call)
      if (denial !== undefined) {
        // Denials are free, so there may be many: one line a minute is enough.
        if (startedAt < denialLoggedAtMs + MINUTE_MS) return denial
        denialLoggedAtMs = startedAt
      }
      const answer = denial ?? (await exchange(call, { ...options, limits, agent, errors }))
      if ('retryAfterMs' in answer && 'status' in answer) options.budget.pause(answer.retryAfterMs)
      logFailure(options, call, { answer, durationMs: Math.round(performance.now() - startedAt) })
      return answer
    },
    close: () => agent.close(),
  }
}

/** Facts about the connection that undici's errors lack. */
interface ConnectionErrors {
  /** Errors before the connection was established, so that nothing was sent. */
  readonly unconnected: WeakSet<Error>
  /** For an error of a call: the TLS error that refused our certificate just before. */
  readonly refusals: WeakMap<Error, Error>
}

/**
 * In TLS 1.3, a certificate's refusal arrives after the connection seems established, and undici
 * reports only that it ended.
 */
function recordRefusals(socket: Socket, { refusals }: ConnectionErrors): void {
  let refusal: Error | undefined
  socket.on('error', (error) => {
    if (isCertificateRefusal(error)) refusal = error
    if (refusal !== undefined) refusals.set(error, refusal)
  })
}

function createAgent(
  { certificate, simulatorCaPem }: OutboundOptions,
  limits: OutboundLimits,
  errors: ConnectionErrors,
): Agent {
  const connect = buildConnector({
    timeout: limits.connectMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    // Explicit, so that no environment variable can disable it.
    rejectUnauthorized: true,
    ...(simulatorCaPem !== undefined && { ca: simulatorCaPem }),
    ...(certificate !== undefined && {
      cert: certificate.certificatePem,
      key: certificate.keyPem.reveal(),
    }),
  })
  return new Agent({
    maxResponseSize: limits.answerBytesMax,
    maxHeaderSize: HEADER_BYTES_MAX,
    connect(where, callback) {
      connect(where, (...result) => {
        const [error, socket] = result
        if (error === null) recordRefusals(socket, errors)
        else errors.unconnected.add(error)
        callback(...result)
      })
    },
  })
}

/** Reasons not to send the call. */
function beforeSending(
  { budget, certificate, clock }: OutboundOptions,
  call: OutboundCall,
): NotSentCall | undefined {
  if (!URL.canParse(call.url) || new URL(call.url).protocol !== 'https:')
    return notSent('request_invalid', 'the address is not HTTPS')
  if (certificate !== undefined && certificate.expiresAtMs <= clock.now()) {
    const day = new Date(certificate.expiresAtMs).toISOString().slice(0, 10)
    return notSent('certificate_expired', `the client certificate expired on ${day}`)
  }
  const permission = budget.take(call.priority ?? 'waited_for')
  if (permission.kind === 'granted') return undefined
  return notSent(permission.reason, 'no call is made now', permission.retryAfterMs)
}

interface Exchange extends OutboundOptions {
  readonly limits: OutboundLimits
  readonly agent: Agent
  readonly errors: ConnectionErrors
}

async function exchange(call: OutboundCall, context: Exchange): Promise<CallAnswer> {
  const { agent, clock, limits } = context
  const deadline = AbortSignal.timeout(limits.totalMs)
  try {
    const answer = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: headersOf(call),
      body: call.body?.text.reveal() ?? null,
      signal: deadline,
      // Only the deadline counts.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const body = await readBody(answer, secretsOf(call))
    const retryAfter = answer.headers['retry-after']
    const header = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
    const pauseMs = pauseAskedFor(answer.statusCode, header, clock.now())
    return {
      ...judged(answer.statusCode, body),
      ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    }
  } catch (error) {
    if (deadline.aborted)
      return { kind: 'unknown', reason: 'timeout', detail: `no answer in ${limits.totalMs} ms` }
    return failed(error, context)
  }
}

function failed(error: unknown, { errors }: Exchange): CallAnswer {
  if (!(error instanceof Error)) throw error
  const detail = detailOf(error)
  if (errors.unconnected.has(error)) return notSent(connectFailure(error), detail)
  const refusal = errors.refusals.get(error)
  if (refusal !== undefined) return notSent('certificate_refused', detailOf(refusal))
  if ('code' in error && error.code === 'UND_ERR_INVALID_ARG')
    return notSent('request_invalid', detail)
  return { kind: 'unknown', reason: readFailure(error), detail }
}

function headersOf(call: OutboundCall): Record<string, string> {
  const own = Object.entries(call.headers ?? {}).map(([name, value]) => [
    name,
    value instanceof Secret ? value.reveal() : value,
  ])
  return {
    accept: 'application/json, application/problem+json',
    ...(call.body !== undefined && { 'content-type': call.body.contentType }),
    ...(Object.fromEntries(own) as Record<string, string>),
  }
}

function secretsOf(call: OutboundCall): Secret<string>[] {
  const inHeaders = Object.values(call.headers ?? {}).filter((value) => value instanceof Secret)
  return [...inHeaders, ...(call.secrets ?? [])]
}

/** An unreadable body still leaves the status, which may be enough. */
async function readBody(
  answer: Dispatcher.ResponseData,
  secrets: readonly Secret<string>[],
): Promise<AnswerBody & { readonly failure?: UnknownReason }> {
  let text: string
  try {
    text = await answer.body.text()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw error
    return { kind: 'unreadable', excerpt: '', failure: readFailure(error) }
  }
  if (text.trim() === '') return { kind: 'empty' }
  try {
    // For any media type: some gateways label JSON as text.
    return { kind: 'json', value: JSON.parse(text) as unknown }
  } catch {
    return { kind: 'unreadable', excerpt: redacted(text, secrets), failure: 'answer_unreadable' }
  }
}

function readFailure(error: unknown): UnknownReason {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'answer_too_large'
  return code.startsWith('HPE_') ? 'answer_unreadable' : 'connection_cut'
}

function judged(
  status: number,
  { failure, ...body }: AnswerBody & { readonly failure?: UnknownReason },
): CallAnswer {
  if (status >= 200 && status < 300) {
    if (failure === undefined) return { kind: 'done', value: { status, body } }
    const detail = 'the answer to a call that was accepted cannot be read'
    return { kind: 'unknown', reason: failure, status, detail, body }
  }
  const detail = `status ${status}`
  // A gateway whose wait timed out answers 408: the system behind it may still do the work.
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'refused', status, detail, body }
  const reason = status >= 500 || status === 408 ? 'server_error' : 'unexpected_status'
  return { kind: 'unknown', reason, status, detail, body }
}

/** Statuses that need an operator; the caller reports others if they matter. */
const LOGGED_REFUSALS = [401, 403, 429]

function logFailure(
  { account, log }: OutboundOptions,
  { operation }: OutboundCall,
  { answer, durationMs }: { readonly answer: CallAnswer; readonly durationMs: number },
): void {
  if (answer.kind === 'done') return
  if (answer.kind === 'refused' && !LOGGED_REFUSALS.includes(answer.status)) return
  const status = 'status' in answer ? answer.status : undefined
  const reason = 'reason' in answer ? { reason: answer.reason, detail: answer.detail } : {}
  const excerpt =
    'body' in answer && answer.body.kind === 'unreadable' ? answer.body.excerpt : undefined
  const outcome = answer.kind === 'not-sent' ? 'not_sent' : answer.kind
  const fields = { account, operation, outcome, status, ...reason, excerpt, durationMs }
  log.warn(fields, 'a call to a provider failed')
}
