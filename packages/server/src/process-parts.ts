import type { Clock } from '@cofre/contracts'
import type { Logger } from 'pino'
import type { Config, ServingRole } from './config/config.js'
import { type Listener, listen } from './http/listen.js'

/** What the pieces of a process are put together from. */
export interface ProcessParts {
  readonly config: Config
  readonly log: Logger
  /** The machine's time. */
  readonly clock: Clock
  /** Aborted when the process is asked to stop: ends answers that would hold it, like live updates. */
  readonly stopping: AbortSignal
  /** Undoes what was opened; the last one first. */
  readonly closings: (() => Promise<void>)[]
}

/** Listens on the port of a role. @throws ListenError */
export async function listenAs(
  { config, log, closings }: ProcessParts,
  role: ServingRole,
  fetch: Listener['fetch'],
): Promise<void> {
  const { port, portVariable } = config.endpoints[role]
  closings.push(await listen({ role, host: config.host, port, portVariable, fetch }, log))
}
