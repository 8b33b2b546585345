import type { Clock } from '@cofre/contracts'
import type { Logger } from 'pino'
import type { Config, ServingRole } from './config/config.js'
import type { Application } from './http/application.js'
import { createClientAddress, isFromProxy } from './http/client-address.js'
import type { Intake } from './http/intake.js'
import { listen } from './http/listen.js'
import { securityHeaders } from './http/security-headers.js'
import type { ServingDeps } from './http/served-request.js'
import type { Telemetry } from './observability/telemetry.js'
import type { ProcessEnd } from './process-end.js'

/** What the pieces of a process are put together from. */
export interface ProcessParts extends ProcessEnd {
  readonly config: Config
  readonly log: Logger
  /** The machine's time. */
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** One for all listeners: the bound on requests is the process's. */
  readonly intake: Intake
}

/** Which requests are bounded, and counted by address. The vault's routes count their own. */
const ADMISSIONS: Readonly<Record<ServingRole, ServingDeps['admission']>> = {
  api: 'bounded-and-counted',
  sandbox: 'bounded-and-counted',
  vault: 'bounded',
  panel: 'all',
  demo: 'all',
  metrics: 'all',
}

/** Listens on the port of a role. @throws ListenError */
export async function listenAs(
  parts: ProcessParts,
  role: ServingRole,
  application: Application,
): Promise<void> {
  const { config, stops, closings } = parts
  const { host, port, portVariable, publicUrl } = config.endpoints[role]
  const serving = servingDeps(parts, publicUrl, ADMISSIONS[role])
  const listener = { role, host, port, portVariable, publicUrl, application, serving }
  const close = await listen(listener)
  // Operators watch the end, too.
  if (role === 'metrics') closings.push(close)
  else stops.push(close)
}

/** What a listener of this process serves its requests with. */
export function servingDeps(
  { config, log, telemetry, intake }: ProcessParts,
  publicUrl: string,
  admission: ServingDeps['admission'],
): Omit<ServingDeps, 'role' | 'acceptsHost'> {
  const { trustedProxies } = config
  const { metrics, tracing, readiness } = telemetry
  return {
    log,
    metrics,
    tracing,
    intake,
    admission,
    headers: securityHeaders(publicUrl),
    addressOf: createClientAddress(trustedProxies, log),
    isTrustedPeer: (bindings) => isFromProxy(trustedProxies, bindings),
    isStopping: () => readiness.isStopping,
  }
}
