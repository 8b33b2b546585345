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

/** What the pieces of a process are put together from. */
export interface ProcessParts extends ServiceEnd {
  readonly config: Config
  readonly log: Logger
  /** The machine's time. */
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** One for all listeners: the bound on requests is the process's. */
  readonly control: AdmissionControl
  /** What a trial asks before it shows a page. */
  readonly door: TrialDoor | undefined
}

/** Which requests are bounded, and counted by address. The vault's routes count their own. */
const ADMISSIONS: Readonly<Record<EndpointName, ServingDeps['admission']>> = {
  api: 'bounded-and-counted',
  sandbox: 'bounded-and-counted',
  vault: 'bounded',
  panel: 'all',
  demo: 'all',
  'demo-production': 'all',
  metrics: 'all',
  notices: 'bounded-and-counted',
  'pix-api': 'all',
  adyen: 'all',
  cielo: 'all',
  inter: 'all',
}

/** Files of 200 MB come in over lines of 3 Mbit/s. */
const PATIENCE: Partial<Record<EndpointName, Pick<Listener, 'requestTimeoutMs'>>> = {
  panel: { requestTimeoutMs: 10 * MINUTE_MS },
}

/** Listens on the port of a role, or of what `npm start` has beside. @throws ListenError */
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
    ...PATIENCE[role],
  }
  // Operators watch the end, too.
  const ends = role === 'metrics' ? closings : stops
  ends.push(await listen(listener))
}

/** What a listener of this process serves its requests with. */
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
