import { type InterfaceVersion, mediaType } from '@cofre/contracts/shop'
import type { ResponseGuard } from './response.js'
import { MerchantApiError, MerchantConnectionError, readErrors } from './merchant-error.js'
import { signRequest } from './request-signature.js'

/** Where requests go and who signs them. */
export interface Channel {
  readonly origin: string
  readonly storeId: string
  currentSecret(): string
  readonly vendor: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

/** One request of the API. */
export interface SignedRequest<Body> {
  readonly version: InterfaceVersion
  /** Path with its query. */
  readonly target: string
  /** Present on a POST. */
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  readonly isExpected: ResponseGuard<Body>
}

/**
 * Sends a signed request and reads the response.
 * @throws MerchantApiError when the service refuses
 * @throws MerchantConnectionError when there is no response, or none that can be read
 */
export async function send<Body>(channel: Channel, request: SignedRequest<Body>): Promise<Body> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  const { status, text } = await exchange(channel, request, body)
  const json = parseJson(text)
  if (status < 200 || status > 299) throw new MerchantApiError(status, readErrors(json))
  if (!request.isExpected(json)) throw new MerchantConnectionError('broken-answer')
  return json
}

async function exchange(
  channel: Channel,
  request: SignedRequest<unknown>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const { storeId, vendor } = channel
  const secret = channel.currentSecret()
  try {
    const response = await channel.fetch(channel.origin + request.target, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Accept: mediaType(vendor, request.version),
        'Content-Type': 'application/json',
        Authorization: `${storeId}:${signRequest(secret, request.target, body)}`,
        ...(request.idempotencyKey !== undefined && { 'Idempotency-Key': request.idempotencyKey }),
      },
      // A redirected request would no longer be the one that was signed.
      redirect: 'manual',
      signal: AbortSignal.timeout(channel.timeoutMs),
      ...(body !== undefined && { body }),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    throw new MerchantConnectionError(isTimeout ? 'time-out' : 'network', { cause: error })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller judges it: a proxy's page with an error status, else a broken response.
    return undefined
  }
}
