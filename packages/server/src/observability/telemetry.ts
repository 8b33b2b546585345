import { ApiError, type Log, SECOND_MS } from '@cofre/contracts'
import { explainedBody } from '@cofre/contracts/errors'
import { type OutageMessages, createOutageLog } from '@cofre/work'
import type { Database } from '@cofre/sql'
import { Hono } from 'hono'
import type { Config } from '../config/config.js'
import { productVersion } from '../config/product-version.js'
import { RESTORE_ADVICE } from '../installation/databases.js'
import { createMetrics } from './metrics.js'
import { Readiness, type ReadinessCheck, atMostEvery, databaseCheck } from './readiness.js'
import { type Sampler, databaseSampler, runSamplers } from './samplers.js'
import { NO_TRACING, type Tracing } from './tracing.js'

/** Shortest interval between pings of the vault, whatever the number of requests. */
const PING_INTERVAL_MS = 5 * SECOND_MS

const VAULT_OUTAGE: OutageMessages = {
  begins: 'the vault does not answer; no card can be charged until it does',
  goesOn: 'the vault still does not answer',
  ends: 'the vault answers again',
}
const DATABASE_OUTAGE: OutageMessages = {
  begins: 'a database does not answer, or cannot be written',
  goesOn: 'a database still does not answer, or cannot be written',
  ends: 'a database answers again, and can be written',
}

export type Telemetry = Awaited<ReturnType<typeof createTelemetry>>

/** A process's reports to its operators. */
export async function createTelemetry({ otlpEndpoint }: Pick<Config, 'otlpEndpoint'>, log: Log) {
  const version = productVersion()
  const metrics = createMetrics(version)
  /** Health check of each opened database, by its name in the metrics. */
  const databases = new Map<string, ReadinessCheck>()
  /** Readings for the metrics, added when the parts of the process start. */
  const samplers: Sampler[] = [databaseSampler(metrics, databases)]
  const connect = async (endpoint: string): Promise<Tracing> => {
    // Most processes have no collector, and stay smaller without this code.
    const { createTracing } = await import('./otlp-tracing.js')
    return createTracing(endpoint, version, { metrics, log })
  }
  const tracing = otlpEndpoint === undefined ? NO_TRACING : await connect(otlpEndpoint)
  return { metrics, tracing, readiness: new Readiness(), samplers, databases }
}

/** A check that logs the outages it finds. */
function logged(
  check: ReadinessCheck,
  { fields, messages, log }: { fields: object; messages: OutageMessages; log: Log },
): ReadinessCheck {
  const outage = createOutageLog(fields, messages, log)
  return async () => {
    try {
      await check()
    } catch (error) {
      outage.failed(error)
      throw error
    }
    outage.succeeded()
  }
}

/** Checks that the vault in another process answers, and logs its outages. */
export function watchVault(
  vault: { ping(): Promise<void> },
  url: string,
  log: Log,
): ReadinessCheck {
  const ping = logged(() => vault.ping(), { fields: { url }, messages: VAULT_OUTAGE, log })
  return atMostEvery(PING_INTERVAL_MS, ping)
}

/**
 * Adds a database to `/readyz` and the metrics, in a process of any role. The database must answer,
 * be writable and be whole. Logs outages. Without a name for readiness, only metrics and log.
 * Damage is reported until a restart finds none.
 */
export function watchDatabase<Tables>(
  {
    telemetry: { readiness, databases },
    log,
  }: { readonly telemetry: Telemetry; readonly log: Log },
  names: { readonly readiness: string | undefined; readonly metric: string },
  database: Database<Tables>,
): void {
  const { damaged } = database
  const fields = { database: names.metric }
  damaged.addEventListener('abort', () => {
    const error: unknown = damaged.reason
    log.error({ ...fields, error }, `a database is damaged: ${RESTORE_ADVICE}`)
  })
  const look = logged(databaseCheck(database), { fields, messages: DATABASE_OUTAGE, log })
  const check = async (): Promise<void> => {
    if (damaged.aborted) throw new Error('the database is damaged', { cause: damaged.reason })
    await look()
  }
  if (names.readiness !== undefined) readiness.add(`database ${names.readiness}`, check)
  databases.set(names.metric, check)
}

const NOT_STORED = { headers: { 'Cache-Control': 'no-store' } }

/** `/metrics` (Prometheus), `/healthz` (alive), `/readyz` (ready for work). */
export function createObservabilityRoutes(
  { metrics, samplers, readiness }: Pick<Telemetry, 'metrics' | 'samplers' | 'readiness'>,
  log: Log,
): Hono {
  const routes = new Hono({ strict: false })
  routes.onError((error) => {
    if (!(error instanceof ApiError)) log.error({ error }, 'the metrics could not be shown')
    return answerTo(error instanceof ApiError ? error : new ApiError('internal_server_error'))
  })
  routes.notFound(() => answerTo(new ApiError('route_not_found')))
  routes.get('/metrics', async () => {
    await runSamplers(samplers, log)
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

function answerTo(error: ApiError): Response {
  return Response.json(explainedBody(error, {}), { ...NOT_STORED, status: error.status })
}
