import { ApiError } from '@cofre/contracts'
import type { MiddlewareHandler } from 'hono'
import type { StoredAnswer } from '../../model/idempotency/idempotency-key.js'
import type { GatewayApi } from '../gateway-api.js'
import type { GatewayEnv } from './gateway-env.js'
import { requestTarget } from './signed-interface.js'

/** Headers of an answer that are replayed with it; a refusal's are told once. */
const KEPT_HEADERS = ['content-type', 'location', 'retry-after']

/** Replays the answer of an earlier request with the same `Idempotency-Key` (specification, decision 11 of section 10). */
export function idempotentInterface(
  api: Pick<GatewayApi, 'answerOnce'>,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('isRetry', false)
    const key = context.req.header('idempotency-key')
    if (key === undefined) {
      await next()
      return
    }
    const request = {
      merchantId: context.get('merchant').id,
      key,
      target: requestTarget(context),
      body: new Uint8Array(await context.req.arrayBuffer()),
    }
    const { answer, isReplay } = await api.answerOnce(request, async (isRetry) => {
      context.set('isRetry', isRetry)
      await next()
      return {
        answer: await storableAnswer(context.res),
        isFinal: context.error === undefined || isRefusal(context.error),
      }
    })
    context.res = new Response(answer.body, {
      status: answer.status,
      headers: {
        ...answer.headers,
        'Cache-Control': 'no-store',
        ...(isReplay && { 'Idempotency-Replayed': 'true' }),
      },
    })
  }
}

/** Refused with nothing begun, or nothing left of it. */
function isRefusal(error: Error): boolean {
  return (
    error instanceof ApiError &&
    error.failures.every(({ name }) => name !== 'idempotency_key_in_progress')
  )
}

async function storableAnswer(response: Response): Promise<StoredAnswer> {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  }
}
