import type { Log } from '@cofre/contracts'
import type { Config } from '../config/config.js'
import { productVersion } from '../product-version.js'
import { type Metrics, createMetrics } from './metrics.js'
import { Readiness, type ReadinessCheck } from './readiness.js'
import { type Sampler, databaseSampler } from './samplers.js'
import { NO_TRACING, type Tracing, createTracing } from './tracing.js'

/** What a process tells its operators of itself. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly readiness: Readiness
  /** Readings for the metrics, added as the parts of the process start. */
  readonly samplers: Sampler[]
  /** Whether each database answers and can be written, by its name in the metrics; added as they are opened. */
  readonly databases: Map<string, ReadinessCheck>
}

export function createTelemetry(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  log: Log,
): Telemetry {
  const version = productVersion()
  const metrics = createMetrics(version)
  const databases = new Map<string, ReadinessCheck>()
  return {
    metrics,
    tracing:
      otlpEndpoint === undefined
        ? NO_TRACING
        : createTracing(otlpEndpoint, version, { metrics, log }),
    readiness: new Readiness(),
    samplers: [databaseSampler(metrics, databases)],
    databases,
  }
}
