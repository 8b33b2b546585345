import type { StoredResponse } from '../../model/idempotency/idempotency.js'

/** Response headers that a replay repeats; those of a refusal are sent once. */
const STORED_HEADERS = ['content-type', 'location', 'retry-after']

/** The part of a response that is kept under its Idempotency-Key. */
export async function storableResponse(response: Response): Promise<StoredResponse> {
  const headers = [...response.headers].filter(([name]) => STORED_HEADERS.includes(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  }
}

interface Answer {
  readonly response: StoredResponse
  readonly isReplay: boolean
}

/** The response to a request with an Idempotency-Key, the first or a replay. */
export function responseOnce({ response, isReplay }: Answer): Response {
  return new Response(response.body, {
    status: response.status,
    headers: {
      ...response.headers,
      'Cache-Control': 'no-store',
      ...(isReplay && { 'Idempotency-Replayed': 'true' }),
    },
  })
}
