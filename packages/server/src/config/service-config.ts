import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { type KeyRing, parseKeyRing } from '@cofre/vault'
import type { Variables } from './variable.js'
import * as rules from './variable-rules.js'

/** How much a process takes on, and what it tells its operators. */
export interface ServiceConfig {
  /** Requests to the APIs for each address; 0 is without limit. */
  readonly requestsPerMinute: number
  /** Requests that a store has signed, for each store; 0 is without limit. */
  readonly storeRequestsPerMinute: number
  /** Requests that the process answers at once. */
  readonly requestsAtOnce: number
  /** Milliseconds between the announcement of a stop, in `/readyz`, and the stop. */
  readonly drainMs: number
  /** OpenTelemetry collector; undefined: nothing is traced. */
  readonly otlpEndpoint: string | undefined
  /** Wrap stores' secrets; undefined: a key file in the data directory. */
  readonly gatewayKeys: KeyRing | undefined
  /** What a worker of this process works for. */
  readonly workerEnvironments: readonly Environment[]
  /** The port was named, so the process shows its metrics whatever its roles are. */
  readonly showsMetrics: boolean
}

export const METRICS_PORT = 'COFRE_METRICS_PORT'

// A shop's server is one address, and a flash sale is hundreds of requests a second.
const REQUESTS_PER_MINUTE = 30_000
// Far more than a database answers in the seconds that a shop waits.
const REQUESTS_AT_ONCE = 1000

/** @throws ConfigError */
export function readServiceConfig(variables: Variables): ServiceConfig {
  return {
    requestsPerMinute: variables.read(
      'COFRE_REQUESTS_PER_MINUTE',
      rules.perMinute,
      REQUESTS_PER_MINUTE,
    ),
    storeRequestsPerMinute: variables.read(
      'COFRE_STORE_REQUESTS_PER_MINUTE',
      rules.perMinute,
      REQUESTS_PER_MINUTE,
    ),
    requestsAtOnce: variables.read('COFRE_REQUESTS_AT_ONCE', rules.atOnce, REQUESTS_AT_ONCE),
    drainMs: variables.read('COFRE_DRAIN', rules.duration, 0),
    otlpEndpoint: variables.optional('OTEL_EXPORTER_OTLP_ENDPOINT', rules.collectorUrl),
    gatewayKeys: variables.secret('COFRE_GATEWAY_KEY', {
      accepts:
        'keys that wrap the secrets of stores, as id:key,id:key, each key 32 bytes in base64url; the first one is current',
      read: parseKeyRing,
      secret: true,
    }),
    workerEnvironments: variables.read(
      'COFRE_WORKER_ENVIRONMENTS',
      rules.environments,
      ENVIRONMENTS,
    ),
    showsMetrics: variables.optional(METRICS_PORT, rules.port) !== undefined,
  }
}
