import type { Log } from '@cofre/contracts'
import type { Config } from '../config/config.js'
import { productVersion } from '../product-version.js'
import { type Metrics, createMetrics } from './metrics.js'
import { Readiness } from './readiness.js'
import type { Sampler } from './samplers.js'
import { NO_TRACING, type Tracing, createTracing } from './tracing.js'

/** What a process tells its operators of itself. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly readiness: Readiness
  /** Readings for the metrics, added as the parts of the process start. */
  readonly samplers: Sampler[]
}

export function createTelemetry(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  log: Log,
): Telemetry {
  const version = productVersion()
  const metrics = createMetrics(version)
  return {
    metrics,
    tracing:
      otlpEndpoint === undefined
        ? NO_TRACING
        : createTracing(otlpEndpoint, version, { metrics, log }),
    readiness: new Readiness(),
    samplers: [],
  }
}
