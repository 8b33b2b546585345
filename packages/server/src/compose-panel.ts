import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import type { Clock } from '@cofre/contracts'
import { createFileSessionStore, createPanel } from '@cofre/panel'
import type { TestDesk } from '@cofre/sandbox'
import type { Logger } from 'pino'
import type { Config } from './config/config.js'
import type { Listener } from './http/listen.js'

interface PanelParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly desk: TestDesk
  /** Ends live updates, which would hold the process. */
  readonly stopping: AbortSignal
}

/** The merchant test panel over the sandbox's test desk. */
export function panelApplication(parts: PanelParts): Listener['fetch'] {
  const { config, log, clock, desk, stopping } = parts
  const { panel, sandbox } = config.endpoints
  return createPanel({
    desk,
    sessions: createFileSessionStore(path.join(config.dataDir, 'panel-sessions.json'), log),
    clock,
    log,
    publicUrl: panel.publicUrl,
    sandboxUrl: sandbox.publicUrl,
    mediaVendor: config.mediaVendor,
    addressOf: (_request, bindings) => peerOf(bindings),
    stopping,
  }).fetch
}

function peerOf(bindings: object): string {
  const { incoming } = bindings as { incoming?: IncomingMessage }
  return incoming?.socket.remoteAddress ?? ''
}
