import { type CardAccounts, DAY_MS } from '@cofre/contracts'
import { type PanelDeps, createPanel } from '@cofre/panel'
import type { Gateway } from '@cofre/gateway'
import { NotificationCard, type PerEnvironment, type RoomPages } from '@cofre/panel/page'
import { eventsPage } from '@cofre/events/console'
import { paymentLinksPage } from '@cofre/links/console'
import { notificationsPage } from '@cofre/notifications/console'
import { operatorPages } from '@cofre/operator/console'
import { searchPages } from '@cofre/search/console'
import { settlementsPage } from '@cofre/settlements/console'
import { isDamage, isUnavailable } from '@cofre/sql'
import { createClientAddress, isIn } from '../http/addresses.js'
import { commandLine } from '../installation/command-line.js'
import { noteDevProcess } from '../installation/dev-process.js'
import { demoStoreIdOf, devSecretKeeper, devStore } from '../installation/test-store.js'
import type { Gateways } from './gateway/gateways.js'
import type { GatewayWithRooms } from './gateway/opened-gateway.js'
import { createMailer } from './gateway/mailer.js'
import { type ProcessParts, listenAs } from './parts.js'
import { loadSettlementFormats } from './providers/settlement-formats.js'
import { createShownAccounts } from './providers/shown-accounts.js'

/** A link that `npm start` prints: it signs in the demo store's owner, or creates one. */
export interface OwnerLink {
  readonly kind: 'signs-in' | 'makes-owner'
  readonly url: string
}

/**
 * Serves the console over its environments.
 * @returns in `npm start` the link for the test store's owner; undefined if one has signed up
 * @throws ListenError
 */
export async function servePanel(
  parts: ProcessParts,
  gateways: Gateways,
  { hasShop, vault }: { readonly hasShop: boolean; readonly vault: CardAccounts },
): Promise<OwnerLink | undefined> {
  const { config, log, clock, stops } = parts
  if (config.lacksPanelUrl)
    // Only information in a trial, whose start already warns its operator.
    log[config.trial === undefined ? 'warn' : 'info'](
      {},
      'console shows only the sandbox; for production, set COFRE_PUBLIC_PANEL_URL to an https origin with a host name',
    )
  const { production } = gateways
  const isProductionShown = config.panelEnvironments.includes('production')
  const people = isProductionShown ? production?.people : undefined
  const stopping = new AbortController()
  const deps: PanelDeps = {
    environments: environmentsOf(parts, gateways, vault),
    ...(people !== undefined && { people }),
    ...(config.smtp !== undefined && { mailer: createMailer(config.smtp) }),
    ...(config.mode === 'dev' &&
      production !== undefined && { secretKeeper: devSecretKeeper(config, production) }),
    clock,
    log,
    isUnavailable: (error) => isUnavailable(error) || isDamage(error),
    publicUrl: config.endpoints.panel.publicUrl,
    inboxOrigin: config.inboxOrigin,
    ...(hasShop && { demoShopUrl: config.endpoints.demo.publicUrl }),
    ...(config.signsDemoOwnerIn && { openCommand: commandLine('open', config) }),
    mediaVendor: config.mediaVendor,
    addressOf: createClientAddress(config.trustedProxies, log),
    isNamedNetwork: (address) => isIn(config.consoleNetworks, address),
    stopping: stopping.signal,
  }
  await listenAs(parts, 'panel', await createPanel(deps, await pagesOfRooms(gateways)))
  // Live updates would keep the port open.
  stops.push(() => {
    stopping.abort()
  })
  if (config.mode !== 'dev') return undefined
  stops.push(noteDevProcess(config))
  return people === undefined ? undefined : await ownerLink(parts, people)
}

/** Adds the rooms' own pages to the console. */
async function pagesOfRooms({ production, sandbox }: Gateways): Promise<readonly RoomPages[]> {
  const each = <Port>(portOf: (gateway: GatewayWithRooms) => Port): PerEnvironment<Port> => ({
    ...(production !== undefined && { production: portOf(production) }),
    ...(sandbox !== undefined && { sandbox: portOf(sandbox.gateway) }),
  })
  return [
    ...searchPages({
      payments: each(({ payments }) => payments),
      figures: each(({ figures }) => figures),
    }),
    ...operatorPages({
      desks: each(({ backOffice }) => backOffice),
      paymentActs: each(({ paymentActs }) => paymentActs),
      waitingCaptures: each(({ waitingCaptures }) => waitingCaptures),
      linkOf: each(
        ({ paymentLinks }) =>
          (storeId: string, code: string) =>
            paymentLinks.ofPayment(storeId, code),
      ),
      NotificationCard,
    }),
    paymentLinksPage({
      links: each(({ paymentLinks }) => paymentLinks),
      lastNotificationUrl: each(({ payments }) => async (storeId: string) => {
        const { items } = await payments.find(storeId, { limit: 1 })
        return items[0]?.transaction.notificationUrl
      }),
    }),
    notificationsPage(each(({ notifications }) => notifications)),
    eventsPage(each(({ events }) => events)),
    settlementsPage({
      settlements: each((gateway) => gateway.settlements),
      accountsOfPayments: each(
        ({ payments }) =>
          async (storeId: string) =>
            (await payments.choices(storeId)).accounts,
      ),
      formats: await loadSettlementFormats(),
    }),
  ]
}

function environmentsOf(
  { config, clock, log }: ProcessParts,
  { production, sandbox }: Gateways,
  vault: CardAccounts,
): PanelDeps['environments'] {
  const { endpoints, panelEnvironments } = config
  const shown = ({ accounts, backOffice, environment }: GatewayWithRooms) => ({
    accounts: createShownAccounts({ environment, accounts, vault, clock, log }),
    backOffice,
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
          desk: sandbox.gateway.backOffice,
          storeSessions: sandbox.gateway.storeSessions,
          clock: sandbox.simulation.clock,
          tools: sandbox.simulation,
          apiUrl: endpoints.sandbox.publicUrl,
        },
      }),
  }
}

const BY_START = { actor: 'start', address: '', browser: '' } as const
/** Valid until used or until the process ends: no process runs longer. */
const WHILE_IT_RUNS_MS = 365 * DAY_MS

async function ownerLink(
  { config, stops }: ProcessParts,
  { links }: Gateway['people'],
): Promise<OwnerLink | undefined> {
  const { publicUrl } = config.endpoints.panel
  const storeId = devStore(config).id
  // Links of a killed process must not work in this one.
  await links.endForDemoOwner(storeId)
  const isDemo = demoStoreIdOf(config) !== undefined
  stops.push(() => links.endForDemoOwner(storeId))
  const link = isDemo
    ? await links.forDemoOwner(storeId, BY_START, WHILE_IT_RUNS_MS)
    : await links.forFirstOwner(storeId, BY_START)
  return (
    link && {
      kind: isDemo ? 'signs-in' : 'makes-owner',
      url: `${publicUrl}/link/${link.token.reveal()}`,
    }
  )
}
