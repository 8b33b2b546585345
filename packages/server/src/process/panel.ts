import type { Environment, ReadSettlement } from '@cofre/contracts'
import { type PanelDeps, createPanel } from '@cofre/panel'
import type { Gateway } from '@cofre/gateway'
import { isDamage, isUnavailable } from '@cofre/sql'
import { createClientAddress, isIn } from '../http/addresses.js'
import { devSecretKeeper, devStore } from '../installation/test-store.js'
import type { Gateways } from './gateways.js'
import { createMailer } from './mailer.js'
import { type ProcessParts, listenAs } from './parts.js'

/**
 * Serves the console over the environments that it shows.
 * @returns in `npm start`, while the test store has no owner: the link that makes one
 * @throws ListenError
 */
export async function servePanel(
  parts: ProcessParts,
  gateways: Gateways,
  { hasShop }: { readonly hasShop: boolean },
): Promise<string | undefined> {
  const { config, log, clock, stops } = parts
  if (config.lacksPanelUrl)
    log.warn(
      {},
      'the console shows the sandbox alone: production wants COFRE_PUBLIC_PANEL_URL, an https origin with a name',
    )
  const { production } = gateways
  const isProductionShown = config.panelEnvironments.includes('production')
  const people = isProductionShown ? production?.people : undefined
  const stopping = new AbortController()
  const panel = createPanel({
    environments: environmentsOf(parts, gateways),
    ...(people !== undefined && { people }),
    readSettlement: settlementReader,
    ...(config.smtp !== undefined && { mailer: createMailer(config.smtp) }),
    ...(config.mode === 'dev' &&
      production !== undefined && { secretKeeper: devSecretKeeper(config, production) }),
    clock,
    log,
    isUnavailable: (error) => isUnavailable(error) || isDamage(error),
    publicUrl: config.endpoints.panel.publicUrl,
    inboxOrigin: config.inboxOrigin,
    ...(hasShop && { demoShopUrl: config.endpoints.demo.publicUrl }),
    mediaVendor: config.mediaVendor,
    addressOf: createClientAddress(config.trustedProxies, log),
    isNamedNetwork: (address) => isIn(config.consoleNetworks, address),
    stopping: stopping.signal,
  })
  await listenAs(parts, 'panel', panel)
  // Live updates would hold the port.
  stops.push(() => {
    stopping.abort()
  })
  return config.mode === 'dev' && people !== undefined
    ? await firstOwnerLink(parts, people)
    : undefined
}

function environmentsOf(
  { config, clock }: ProcessParts,
  { production, sandbox }: Gateways,
): PanelDeps['environments'] {
  const { endpoints, panelEnvironments } = config
  const shown = ({
    accounts,
    backOffice,
    figures,
    paymentActs,
    paymentLinks,
    payments,
    settlements,
  }: Gateway) => ({
    accounts,
    backOffice,
    figures,
    paymentActs,
    paymentLinks,
    payments,
    settlements,
  })
  return {
    ...(production !== undefined &&
      panelEnvironments.includes('production') && {
        production: { ...shown(production), clock, apiUrl: endpoints.api.publicUrl },
      }),
    ...(sandbox !== undefined &&
      panelEnvironments.includes('sandbox') && {
        sandbox: {
          ...shown(sandbox.gateway),
          storeSessions: sandbox.gateway.storeSessions,
          clock: sandbox.play.clock,
          tools: sandbox.play,
          apiUrl: endpoints.sandbox.publicUrl,
        },
      }),
  }
}

async function firstOwnerLink(
  { config }: ProcessParts,
  { links }: Gateway['people'],
): Promise<string | undefined> {
  const by = { actor: 'start', address: '', browser: '' } as const
  const link = await links.forFirstOwner(devStore(config).id, by)
  return link && `${config.endpoints.panel.publicUrl}/link/${link.token.reveal()}`
}

/** Loads its readers with the first upload. */
async function settlementReader(environment: Environment): Promise<ReadSettlement> {
  const [{ settlementReader: readerOf }, { readReturnSettlement }] = await Promise.all([
    import('@cofre/acquirers'),
    import('@cofre/banks'),
  ])
  const readAcquirers = readerOf(environment)
  return (format, content) =>
    format === 'cnab' ? readReturnSettlement(content) : readAcquirers(format, content)
}
