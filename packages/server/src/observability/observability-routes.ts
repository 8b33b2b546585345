import { ApiError, type Log } from '@cofre/contracts'
import { Hono } from 'hono'
import type { Metrics } from './metrics.js'
import type { Readiness } from './readiness.js'
import { type Sampler, takeSamples } from './samplers.js'

/** What the role metrics shows. */
export interface ObservabilityRoutesDeps {
  readonly metrics: Metrics
  readonly samplers: readonly Sampler[]
  readonly readiness: Readiness
  readonly log: Log
}

/** What operators' machines look at: `/metrics` (Prometheus), `/healthz` (alive), `/readyz` (should be given work). */
export function createObservabilityRoutes(deps: ObservabilityRoutesDeps): Hono {
  const { metrics, samplers, readiness, log } = deps
  const routes = new Hono({ strict: false })
  routes.onError((error) => {
    if (!(error instanceof ApiError)) log.error({ error }, 'the metrics could not be shown')
    return answerTo(error instanceof ApiError ? error : new ApiError('internal_server_error'))
  })
  routes.notFound(() => answerTo(new ApiError('route_not_found')))
  routes.get('/metrics', async () => {
    await takeSamples(samplers, log)
    return new Response(await metrics.registry.metrics(), {
      headers: { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' },
    })
  })
  routes.get('/healthz', () => Response.json({ alive: true }, NOT_STORED))
  routes.get('/readyz', async () => {
    const report = await readiness.report()
    return Response.json(report, { ...NOT_STORED, status: report.ready ? 200 : 503 })
  })
  for (const { path } of [...routes.routes])
    routes.all(path, () => answerTo(new ApiError('method_not_allowed')))
  return routes
}

const NOT_STORED = { headers: { 'Cache-Control': 'no-store' } }

function answerTo(error: ApiError): Response {
  return Response.json(error.toBody(), { ...NOT_STORED, status: error.status })
}
