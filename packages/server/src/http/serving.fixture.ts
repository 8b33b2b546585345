import { BlockList } from 'node:net'
import { Hono } from 'hono'
import { pino } from 'pino'
import { createMetrics } from '../observability/metrics.js'
import { Readiness } from '../observability/readiness.js'
import { NO_TRACING } from '../observability/tracing.js'

import { createClientAddress, isFromProxy } from './addresses.js'
import { createAdmissionControl } from './admission.js'

import { type Application, type ServingDeps, securityHeaders } from './serve.js'

/** Serving without limits, with recorded log lines. */
export function testServing(
  over: Partial<Omit<ServingDeps, 'role'>> = {},
): Omit<ServingDeps, 'role'> & { readonly lines: string[] } {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const proxies = new BlockList()
  proxies.addAddress('10.0.0.1')
  return {
    log,
    metrics: createMetrics('0.0.0'),
    tracing: NO_TRACING,
    control: createAdmissionControl({
      requestsAtOnce: 10,
      requestsPerMinute: 0,
      storeRequestsPerMinute: 0,
    }),
    admission: 'bounded-and-counted',
    headers: securityHeaders('https://api.example'),
    acceptsHost: () => true,
    addressOf: createClientAddress(proxies, log),
    isTrustedPeer: (bindings) => isFromProxy(proxies, bindings),
    readiness: new Readiness(),
    lines,
    ...over,
  }
}

/** An application with the same response for every path. */
export function testApplication(
  answer: (request: Request, bindings: object) => Response | Promise<Response>,
): Application {
  const app = new Hono()
  app.onError(() => new Response(null, { status: 500 }))
  app.all('/transactions/:code', (context) => answer(context.req.raw, context.env as object))
  app.get('/:environment/:store/payments/:code', (context) =>
    answer(context.req.raw, context.env as object),
  )
  app.get('/b/:publicId', (context) => answer(context.req.raw, context.env as object))
  app.post('/v1/changes', (context) => answer(context.req.raw, context.env as object))
  app.all('*', (context) => answer(context.req.raw, context.env as object))
  return app
}
