import { ApiError, SECOND_MS, advanceRequestTable } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import { type GatewayEnv, readJson, signedStore } from '@cofre/gateway/http'
import { Hono } from 'hono'
import type { TestClock } from './test-clock.js'

/** Lets a store's developers move the sandbox's time: retries and expiries in seconds. */
export function createTestClockRoutes(gateway: Gateway, clock: TestClock): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  app.use('/sandbox/clock/*', signedStore(gateway.api))

  app.get('/sandbox/clock', (context) => context.json(clockBody(clock)))

  app.post('/sandbox/clock/advance', async (context) => {
    const body = await readJson(context, 'sandbox_request_invalid')
    const request = advanceRequestTable.validate(body, undefined)
    if (!request.ok) throw new ApiError(request.failures)
    await clock.advance(request.value.seconds * SECOND_MS)
    return context.json(clockBody(clock))
  })
  return app
}

function clockBody(clock: TestClock): { readonly now: string; readonly 'ahead-seconds': number } {
  return {
    now: new Date(clock.now()).toISOString(),
    'ahead-seconds': clock.offsetMs() / SECOND_MS,
  }
}
