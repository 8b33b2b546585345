import path from 'node:path'
import { createFileSessionStore, createPanel } from '@cofre/panel'
import type { Gateway } from '@cofre/gateway'
import { isDamage, isUnavailable } from '@cofre/sql'
import { createClientAddress } from '../http/addresses.js'
import { devSecretKeeper } from '../installation/test-store.js'
import type { SandboxGateway } from './gateways.js'
import { type ProcessParts, listenAs } from './parts.js'

/**
 * Serves the merchant test panel over the sandbox's back office.
 * @param hasShop - Whether the demo shop runs beside it.
 * @throws ListenError
 */
export async function servePanel(
  parts: ProcessParts,
  { gateway, play }: SandboxGateway,
  { production, hasShop }: { readonly production: Gateway | undefined; readonly hasShop: boolean },
): Promise<void> {
  const { config, log, clock, stops } = parts
  const stopping = new AbortController()
  const panel = createPanel({
    environments: {
      sandbox: {
        backOffice: gateway.backOffice,
        payments: gateway.payments,
        paymentActs: gateway.paymentActs,
        figures: gateway.figures,
        clock: play.clock,
        tools: play,
        apiUrl: config.endpoints.sandbox.publicUrl,
      },
    },
    ...(config.mode === 'dev' &&
      production !== undefined && { secretKeeper: devSecretKeeper(config, production) }),
    sessions: createFileSessionStore(path.join(config.dataDir, 'panel-sessions.json'), log),
    clock,
    log,
    isUnavailable: (error) => isUnavailable(error) || isDamage(error),
    publicUrl: config.endpoints.panel.publicUrl,
    ...(hasShop && { demoShopUrl: config.endpoints.demo.publicUrl }),
    mediaVendor: config.mediaVendor,
    addressOf: createClientAddress(config.trustedProxies, log),
    stopping: stopping.signal,
  })
  await listenAs(parts, 'panel', panel)
  // Live updates would hold the port.
  stops.push(() => {
    stopping.abort()
  })
}
