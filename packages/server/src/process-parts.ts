import type { Clock } from '@cofre/contracts'
import type { Logger } from 'pino'
import type { Config, ServingRole } from './config/config.js'
import { type Listener, listen } from './http/listen.js'
import type { ProcessEnd } from './process-end.js'

/** What the pieces of a process are put together from. */
export interface ProcessParts extends ProcessEnd {
  readonly config: Config
  readonly log: Logger
  /** The machine's time. */
  readonly clock: Clock
}

/** Listens on the port of a role. @throws ListenError */
export async function listenAs(
  { config, log, stops }: ProcessParts,
  role: ServingRole,
  fetch: Listener['fetch'],
): Promise<void> {
  const { port, portVariable } = config.endpoints[role]
  stops.push(await listen({ role, host: config.host, port, portVariable, fetch }, log))
}
