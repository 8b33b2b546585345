import { type Clock, MINUTE_MS } from '@cofre/contracts'
import type { Logger } from 'pino'
import type { Config, EndpointName } from '../config/config.js'
import { createClientAddress, isFromProxy } from '../http/addresses.js'
import { type Listener, listen } from '../http/listen.js'
import { type Application, type ServingDeps, securityHeaders } from '../http/serve.js'
import type { Telemetry } from '../observability/telemetry.js'
import type { ServiceEnd } from './end.js'
import type { AdmissionControl } from '../http/admission.js'
import type { TrialDoor } from '../trial/trial-door.js'

/** Shared parts of a process. */
export interface ProcessParts extends ServiceEnd {
  readonly config: Config
  readonly log: Logger
  /** The machine's time. */
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** One for all listeners: the bound on requests applies to the process. */
  readonly control: AdmissionControl
  /** Password check of a trial. */
  readonly door: TrialDoor | undefined
}

/** Bounds and address counts by endpoint. The vault's routes count their own. */
const ADMISSIONS: Readonly<Record<EndpointName, ServingDeps['admission']>> = {
  api: 'bounded-and-counted',
  sandbox: 'bounded-and-counted',
  vault: 'bounded',
  panel: 'all',
  demo: 'all',
  'demo-production': 'all',
  metrics: 'all',
  notices: 'bounded-and-counted',
  operator: 'bounded-and-counted',
  'pix-api': 'all',
  adyen: 'all',
  cielo: 'all',
  inter: 'all',
}

/** Enough for files of 200 MB over lines of 3 Mbit/s. */
const REQUEST_TIMEOUTS: Partial<Record<EndpointName, Pick<Listener, 'requestTimeoutMs'>>> = {
  panel: { requestTimeoutMs: 10 * MINUTE_MS },
}

/** Listens on the port of a role, or of an extra endpoint of `npm start`. @throws ListenError */
export async function listenAs(
  parts: ProcessParts,
  role: EndpointName,
  application: Application,
): Promise<void> {
  const { config, door, stops, closings } = parts
  const endpoint = config.endpoints[role]
  const serving = servingDeps(parts, endpoint.publicUrl, ADMISSIONS[role])
  const isInner = role === 'metrics' || role === 'notices'
  const listener: Listener = {
    ...endpoint,
    role,
    application: door?.guard(role, endpoint.publicUrl, application) ?? application,
    serving,
    ...(!isInner && { certificate: config.trial?.certificate }),
    ...REQUEST_TIMEOUTS[role],
  }
  // Operators also watch the end.
  const ends = role === 'metrics' ? closings : stops
  ends.push(await listen(listener))
}

/** A listener's tools for serving requests. */
export function servingDeps(
  { config, log, telemetry, control }: ProcessParts,
  publicUrl: string,
  admission: ServingDeps['admission'],
): Listener['serving'] {
  const { docsOrigin, trustedProxies } = config
  return {
    ...telemetry,
    log,
    control,
    admission,
    headers: securityHeaders(publicUrl),
    docsOrigin,
    addressOf: createClientAddress(trustedProxies, log),
    isTrustedPeer: (bindings) => isFromProxy(trustedProxies, bindings),
  }
}
