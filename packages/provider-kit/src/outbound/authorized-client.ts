import { type Clock, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import {
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi'
import { createCallBudget } from './call-budget.js'
import { type CallAnswer, type NotSentCall, notSent } from './call-answer.js'
import type { OutboundCall, OutboundClient } from './outbound-client.js'
import { redacted } from './redaction.js'

/** A provider's form of a token request (OAuth2 client credentials). */
export interface TokenGrant {
  /** May have a query; its parameters are not repeated in the body. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret?: Secret<string>
  readonly headers?: Readonly<Record<string, string | Secret<string>>>
  /** The place of id and secret; `none`: only the id, and the certificate proves the client. */
  readonly clientAuth: 'basic' | 'body' | 'none'
  readonly bodyFormat: 'form' | 'json'
  readonly scope?: string
}

/** A token, with the times of its renewal and its end. */
interface HeldToken {
  readonly accessToken: Secret<string>
  readonly renewAtMs: number
  readonly endsAtMs: number
}

type TokenResult =
  | { readonly kind: 'token'; readonly token: HeldToken }
  | { readonly kind: 'none'; readonly failure: NotSentCall }

export interface AuthorizedClient extends OutboundClient {
  /**
   * Gets a token unless one is held.
   * @returns why there is none
   */
  signIn(): Promise<NotSentCall | undefined>
}

/** Below the strictest limit that a bank states (Inter: five a minute). */
const TOKEN_CALLS_PER_MINUTE = 4
const RENEWED_BEFORE_END_MS = MINUTE_MS
/**
 * The pause after a token was discarded: an address that always answers 401 must not cost the
 * others their token.
 */
const FORGOTTEN_ONCE_IN_MS = 30 * SECOND_MS
/** RFC 6749 makes the lifetime optional; after a 401, an earlier end is noticed. */
const USUAL_LIFETIME_MS = 5 * MINUTE_MS

/**
 * Calls with an access token. It is requested when first needed, shared, renewed before its end,
 * and renewed once after a 401, at most twice a minute. A call without a token is not sent.
 * @param client - The account's; only this client holds its tokens.
 */
export function createAuthorizedClient(
  client: OutboundClient,
  grant: TokenGrant,
  clock: Clock,
): AuthorizedClient {
  const tokens = createTokenCache(client, grant, clock)
  return {
    async signIn() {
      const result = await tokens.current()
      return result.kind === 'none' ? result.failure : undefined
    },
    async send(call) {
      const first = await tokens.current()
      if (first.kind === 'none') return first.failure
      const answer = await client.send(withToken(call, first.token))
      // 401 proves that the call was not carried out, so it may be sent again.
      if (answer.kind !== 'refused' || answer.status !== 401) return answer
      if (!tokens.forget(first.token)) return answer
      const second = await tokens.current()
      if (second.kind === 'none') return second.failure
      return client.send(withToken(call, second.token))
    },
    close: () => client.close(),
  }
}

function withToken(call: OutboundCall, { accessToken }: HeldToken): OutboundCall {
  const authorization = new Secret(`Bearer ${accessToken.reveal()}`)
  const secrets = [...(call.secrets ?? []), accessToken]
  return { ...call, headers: { ...call.headers, authorization }, secrets }
}

interface TokenCache {
  current(): Promise<TokenResult>
  /** @returns false if the last discarded token is too recent */
  forget(token: HeldToken): boolean
}

function createTokenCache(client: OutboundClient, grant: TokenGrant, clock: Clock): TokenCache {
  const budget = createCallBudget({ clock, callsPerMinute: TOKEN_CALLS_PER_MINUTE })
  let held: HeldToken | undefined
  let forgottenAtMs = Number.NEGATIVE_INFINITY
  let lastFailure: NotSentCall | undefined
  let renewal: Promise<TokenResult> | undefined
  const renewed = async (): Promise<TokenResult> => {
    const permission = budget.take('waited_for')
    if (permission.kind === 'denied') {
      const { reason, detail } = lastFailure ?? TOO_OFTEN
      return { kind: 'none', failure: notSent(reason, detail, permission.retryAfterMs) }
    }
    const result = await requestToken(client, grant, clock)
    lastFailure = result.kind === 'none' ? result.failure : undefined
    if (result.kind === 'token') held = result.token
    return result
  }
  return {
    async current() {
      const nowMs = clock.now()
      if (held !== undefined && nowMs < held.renewAtMs) return { kind: 'token', token: held }
      renewal ??= renewed().finally(() => (renewal = undefined))
      const result = await renewal
      const isUsable = held !== undefined && clock.now() < held.endsAtMs
      return result.kind === 'none' && isUsable && held !== undefined
        ? { kind: 'token', token: held }
        : result
    },
    forget(token) {
      // Another call may have renewed it meanwhile.
      if (held !== token) return true
      const sinceMs = clock.now() - forgottenAtMs
      if (sinceMs >= 0 && sinceMs < FORGOTTEN_ONCE_IN_MS) return false
      forgottenAtMs = clock.now()
      held = undefined
      return true
    },
  }
}

const TOO_OFTEN = {
  reason: 'token_unavailable',
  detail: 'the bank is asked for tokens too often',
} as const

/** The meaning of a refused token request for the call that needed the token. */
class TokenRefusal extends Error {
  readonly answer: CallAnswer

  constructor(answer: CallAnswer) {
    super('no token')
    this.answer = answer
  }
}

async function requestToken(
  client: OutboundClient,
  grant: TokenGrant,
  clock: Clock,
): Promise<TokenResult> {
  const askedAtMs = clock.now()
  const server = { issuer: new URL(grant.url).origin, token_endpoint: grant.url }
  const parameters = grant.scope === undefined ? {} : { scope: grant.scope }
  const identity = { client_id: grant.clientId }
  try {
    const response = await clientCredentialsGrantRequest(
      server,
      identity,
      clientAuthOf(grant),
      parameters,
      {
        [customFetch]: (_url, { body, headers }) =>
          tokenAnswer(client, grant, { body: new URLSearchParams(String(body)), headers }),
      },
    )
    const answer = await processClientCredentialsResponse(server, identity, response)
    const lifetimeMs =
      answer.expires_in === undefined ? USUAL_LIFETIME_MS : answer.expires_in * SECOND_MS
    const marginMs = Math.min(RENEWED_BEFORE_END_MS, lifetimeMs / 2)
    const endsAtMs = askedAtMs + lifetimeMs
    const accessToken = new Secret(answer.access_token)
    return { kind: 'token', token: { accessToken, endsAtMs, renewAtMs: endsAtMs - marginMs } }
  } catch (error) {
    if (error instanceof TokenRefusal) return { kind: 'none', failure: failureOf(error.answer) }
    // The library's error contains the answer, which may contain a token: only the code is used.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    const detail = `the answer to the token request: ${code}`
    return { kind: 'none', failure: notSent('token_unavailable', detail) }
  }
}

interface TokenMessage {
  readonly body: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
}

async function tokenAnswer(
  client: OutboundClient,
  grant: TokenGrant,
  { body, headers }: TokenMessage,
): Promise<Response> {
  for (const name of new URL(grant.url).searchParams.keys()) body.delete(name)
  const isJson = grant.bodyFormat === 'json'
  const text = isJson ? JSON.stringify(Object.fromEntries(body)) : body.toString()
  const authorization = headers.authorization
  const answer = await client.send({
    operation: 'token',
    method: 'POST',
    url: grant.url,
    headers: {
      ...grant.headers,
      ...(authorization !== undefined && { authorization: new Secret(authorization) }),
    },
    body: {
      contentType: isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      text: new Secret(text),
    },
    secrets: grant.clientSecret === undefined ? [] : [grant.clientSecret],
  })
  if (answer.kind !== 'done' || answer.value.body.kind !== 'json') throw new TokenRefusal(answer)
  // Some banks answer 201, which RFC 6749 does not define.
  return Response.json(answer.value.body.value, { status: 200 })
}

/**
 * Basic without the form encoding of RFC 6749, section 2.3.1: banks do not decode it, and an
 * underscore in `Client_Id_…` would arrive as `%5F`.
 */
function clientAuthOf({ clientAuth, clientId, clientSecret }: TokenGrant): ClientAuth {
  const secret = clientSecret?.reveal() ?? ''
  return (...[, , body, headers]) => {
    switch (clientAuth) {
      case 'basic': {
        const pair = Buffer.from(`${clientId}:${secret}`).toString('base64')
        headers.set('authorization', `Basic ${pair}`)
        return
      }
      case 'body':
        body.set('client_id', clientId)
        body.set('client_secret', secret)
        return
      case 'none':
        body.set('client_id', clientId)
    }
  }
}

/**
 * The failure of a call without a token: it was not sent, whatever happened to the token request.
 */
function failureOf(answer: CallAnswer): NotSentCall {
  switch (answer.kind) {
    case 'not-sent':
      return { ...answer, detail: `token request: ${answer.detail}` }
    case 'done':
      return notSent('token_unavailable', 'the answer to the token request is no JSON')
    case 'unknown':
      return notSent('token_unavailable', `token request: ${answer.detail}`, answer.retryAfterMs)
    case 'refused': {
      const { status, body } = answer
      const code = body.kind === 'json' ? oauthErrorOf(body.value) : ''
      const detail = `token request: status ${status}${code}`
      const isTemporary = status === 408 || status === 429
      const reason = isTemporary ? 'token_unavailable' : 'credentials_refused'
      return notSent(reason, detail, answer.retryAfterMs)
    }
  }
}

function oauthErrorOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('error' in value)) return ''
  return typeof value.error === 'string' ? `, ${redacted(value.error)}` : ''
}
