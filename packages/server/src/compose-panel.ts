import path from 'node:path'
import { createFileSessionStore, createPanel } from '@cofre/panel'
import type { TestDesk } from '@cofre/sandbox'
import { createClientAddress } from './http/client-address.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** Serves the merchant test panel over the sandbox's test desk. @throws ListenError */
export async function servePanel(parts: ProcessParts, desk: TestDesk): Promise<void> {
  const { config, log, clock, closings } = parts
  const stopping = new AbortController()
  const panel = createPanel({
    desk,
    sessions: createFileSessionStore(path.join(config.dataDir, 'panel-sessions.json'), log),
    clock,
    log,
    publicUrl: config.endpoints.panel.publicUrl,
    sandboxUrl: config.endpoints.sandbox.publicUrl,
    mediaVendor: config.mediaVendor,
    addressOf: createClientAddress(config.trustedProxies, log),
    stopping: stopping.signal,
  })
  await listenAs(parts, 'panel', panel.fetch)
  // Before the port is closed: live updates would hold it.
  closings.push(() => {
    stopping.abort()
    return Promise.resolve()
  })
}
