import { MerchantApiError, MerchantConnectionError, readErrors } from './merchant-error.js'
import { requireObject, requireText } from './arguments.js'
import { type Channel, parseJson, signatureOf } from './signed-channel.js'

/** The sandbox's stream to open, and where it begins. */
export interface StreamRequest {
  /** Path with its query: `/sandbox/notifications/stream`. */
  readonly target: string
  /** The `id` of the last event that was read; when absent, the stream begins now. */
  readonly lastEventId?: string | undefined
  /** Ends the stream. */
  readonly signal: AbortSignal
}

/**
 * Opens a stream of server-sent events.
 * @throws MerchantApiError if the sandbox refuses
 * @throws MerchantConnectionError if there is no response, or an unexpected one
 */
export async function openStream(
  channel: Channel,
  request: StreamRequest,
): Promise<ReadableStream<Uint8Array>> {
  requireObject('request', request)
  requireText('request.target', request.target)
  const { target, lastEventId, signal } = request
  const response = await answerTo(channel, target, {
    headers: {
      Accept: 'text/event-stream',
      ...signatureOf(channel, {
        method: 'GET',
        target,
        body: undefined,
        idempotencyKey: undefined,
      }),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    redirect: 'manual',
    signal,
  })
  if (!response.ok)
    throw new MerchantApiError(response.status, readErrors(parseJson(await response.text())), {
      origin: channel.origin,
    })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null)
    throw new MerchantConnectionError('broken-answer', { origin: channel.origin })
  return response.body
}

async function answerTo(
  { origin, fetch }: Channel,
  target: string,
  request: RequestInit,
): Promise<Response> {
  try {
    return await fetch(origin + target, request)
  } catch (cause) {
    throw new MerchantConnectionError('network', { cause, origin })
  }
}
