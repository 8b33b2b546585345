import path from 'node:path'
import { createFileSessionStore, createPanel } from '@cofre/panel'
import type { TestDesk } from '@cofre/sandbox'
import { createClientAddress } from './http/client-address.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** Serves the merchant test panel over the sandbox's test desk. @throws ListenError */
export async function servePanel(parts: ProcessParts, desk: TestDesk): Promise<void> {
  const { config, log, clock, stopping } = parts
  const { panel, sandbox } = config.endpoints
  const app = createPanel({
    desk,
    sessions: createFileSessionStore(path.join(config.dataDir, 'panel-sessions.json'), log),
    clock,
    log,
    publicUrl: panel.publicUrl,
    sandboxUrl: sandbox.publicUrl,
    mediaVendor: config.mediaVendor,
    addressOf: createClientAddress(config.trustedProxies, log),
    stopping,
  })
  await listenAs(parts, 'panel', app.fetch)
}
