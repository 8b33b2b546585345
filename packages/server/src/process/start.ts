import { randomInt } from 'node:crypto'
import type { CardAccounts, CardChecks, StoredCards } from '@cofre/contracts'
import type { CardService } from '@cofre/contracts'
import type { Logger } from 'pino'
import { type Config, ROLES, type Role } from '../config/config.js'
import { createAdmissionControl } from '../http/admission.js'
import { createClientAddress } from '../http/addresses.js'
import { type ListenAddress, refuseUnlistenable } from '../http/listen.js'
import { createOriginPage } from '../http/origin-page.js'
import { refuseDamagedFiles } from '../installation/databases.js'
import { lockServedFiles, refuseExposed } from '../installation/files.js'
import { isVaultUnreachable, opensGateway, vaultServiceOf } from '../installation/roles.js'
import { watchClock, watchDescriptors } from '../observability/machine-watch.js'
import { createObservabilityRoutes, createTelemetry } from '../observability/telemetry.js'
import { createTrialDoor } from '../trial/trial-door.js'
import { refuseRealDatabases } from '../trial/trial-mark.js'
import { endProcess, endService } from './end.js'
import { type BankConnections, createBankConnections } from './providers/bank-connections.js'
import {
  type Gateways,
  type SandboxGateway,
  addExamples,
  openGateways,
  serveProduction,
  serveSandbox,
  startWorkers,
} from './gateway/gateways.js'
import { gatewayReceiver, vaultReceiver } from './notices/notice-receivers.js'
import { createNoticeRoutes } from './notices/notice-routes.js'
import { type ProcessParts, listenAs } from './parts.js'
import type { OwnerLink } from './panel.js'
import type { SimulatedBanks } from './providers/simulated-banks.js'
import { type OpenedVault, connectVault, openVault, serveVault } from './vault.js'

export interface RunningCofre {
  /** In `npm start`: the link for the test store's owner; undefined if one has signed up. */
  readonly ownerLink: OwnerLink | undefined
  /**
   * Gives the test store of a new `dev` a month of example payments, in the background. Resolves to
   * true if the store has any; false in any other process.
   */
  giveExamples(): Promise<boolean>
  /**
   * Announces the stop in `/readyz` and waits for the configured time. Then stops listening and
   * working, finishes running work and closes the databases. Takes bounded time. Resolves to false
   * if something was left unfinished.
   */
  close(): Promise<boolean>
}

/**
 * Starts the roles in this process. Only processes with the role vault have card data.
 * @throws ConfigError, ListenError, and errors of a database or a key file
 */
export async function startCofre(
  config: Config,
  roles: readonly Role[],
  log: Logger,
): Promise<RunningCofre> {
  const telemetry = await createTelemetry(config, log)
  const parts: ProcessParts = {
    config,
    log,
    clock: Date,
    telemetry,
    control: createAdmissionControl(config),
    door:
      config.trial &&
      createTrialDoor(config.trial, createClientAddress(config.trustedProxies, log)),
    stops: [],
    closings: [() => telemetry.tracing.close()],
  }
  // `dev` runs all roles, except a vault that runs in another process.
  const isVaultElsewhere = config.mode === 'dev' && config.vaultService.url !== undefined
  try {
    const { ownerLink, sandbox } = await start(
      parts,
      roles.filter((role) => !isVaultElsewhere || role !== 'vault'),
    )
    return {
      ownerLink,
      giveExamples: async () =>
        config.mode === 'dev' && sandbox !== undefined && (await addExamples(parts, sandbox)),
      async close() {
        telemetry.readiness.stopping()
        // Without a drain, immediately: redirected clients would still find the port open.
        if (config.drainMs > 0) await new Promise((resolve) => setTimeout(resolve, config.drainMs))
        return await endService(parts, log)
      },
    }
  } catch (error) {
    await endProcess(parts, log)
    throw error
  }
}

interface StartedParts {
  readonly ownerLink: OwnerLink | undefined
  readonly sandbox: SandboxGateway | undefined
}

async function start(parts: ProcessParts, roles: readonly Role[]): Promise<StartedParts> {
  const { config, log, telemetry } = parts
  const has = (role: Role): boolean => roles.includes(role)
  await check(parts, roles)
  if (has('metrics') || config.showsMetrics)
    await listenAs(
      parts,
      'metrics',
      createObservabilityRoutes(telemetry, log).route('/', createOriginPage('metrics', config)),
    )
  const vault = has('vault') ? await openVault(parts) : undefined
  const gateways = opensGateway(roles)
    ? await openWithBanks(parts, vault?.vault ?? connectVault(parts), roles)
    : undefined
  if (gateways?.sandbox !== undefined) parts.door?.countBy(gateways.sandbox.gateway.storeSessions)
  await serveNotices(parts, { vault, gateways }, roles)
  const ownerLink = gateways && (await serveGateways(parts, gateways, roles))
  if (vault !== undefined) await serveVault(parts, vault.vault)
  if (has('demo')) await (await import('./demo.js')).serveDemo(parts)
  watchMachine(parts)
  telemetry.readiness.started()
  log.info({ roles }, 'started')
  return { ownerLink, sandbox: gateways?.sandbox }
}

/** The gateways, with the banks of their accounts. */
interface GatewaysWithBanks extends Gateways {
  readonly banks: BankConnections
  /** In this process or in another. */
  readonly vault: CardAccounts
  /** In `npm start`: the simulated banks. */
  readonly simulated: SimulatedBanks | undefined
}

async function openWithBanks(
  parts: ProcessParts,
  vault: CardService & CardAccounts & StoredCards & CardChecks,
  roles: readonly Role[],
): Promise<GatewaysWithBanks> {
  const { config, clock, log, closings } = parts
  const tools = { clock, log, randomBelow: randomInt }
  const simulated =
    config.mode === 'dev'
      ? (await import('./providers/simulated-banks.js')).createSimulatedBanks(parts, tools)
      : undefined
  const banks = createBankConnections({ tools, simulated: simulated?.connect })
  closings.push(() => banks.close())
  return {
    ...(await openGateways(parts, { roles, vault, bankOf: banks.bankOf })),
    banks,
    vault,
    simulated,
  }
}

interface Opened {
  readonly vault: OpenedVault | undefined
  readonly gateways: GatewaysWithBanks | undefined
}

/** Receives providers' notices on payments, including those of simulated providers. */
async function serveNotices(
  parts: ProcessParts,
  { vault, gateways }: Opened,
  roles: readonly Role[],
): Promise<void> {
  const { config, log, telemetry } = parts
  const ofGateways = [gateways?.production, gateways?.sandbox?.gateway].flatMap((gateway) =>
    gateway === undefined || gateways === undefined
      ? []
      : [gatewayReceiver(gateway, gateways.banks.of, log)],
  )
  const ofVault =
    vault === undefined ? [] : [vaultReceiver(vault.vault, telemetry.metrics, { log, clock: Date })]
  const notices = createNoticeRoutes({ receivers: [...ofGateways, ...ofVault], log })
  if (roles.includes('notices'))
    await listenAs(parts, 'notices', notices.route('/', createOriginPage('notices', config)))
  for (const simulated of [gateways?.simulated, vault?.simulated]) await simulated?.serve(notices)
}

async function serveGateways(
  parts: ProcessParts,
  gateways: GatewaysWithBanks,
  roles: readonly Role[],
): Promise<OwnerLink | undefined> {
  const has = (role: Role): boolean => roles.includes(role)
  const { sandbox, production, vault } = gateways
  if (has('worker')) startWorkers(parts, gateways)
  if (has('api') && production !== undefined)
    await serveProduction(parts, production, sandbox?.gateway)
  if (has('sandbox') && sandbox !== undefined) await serveSandbox(parts, sandbox)
  if (has('operator') && production !== undefined && sandbox !== undefined) {
    const { serveOperator } = await import('./gateway/operator-api.js')
    await serveOperator(parts, { production, sandbox: sandbox.gateway })
  }
  // Loaded only with the role panel: other processes stay smaller.
  if (!has('panel')) return undefined
  const { servePanel } = await import('./panel.js')
  return await servePanel(parts, gateways, { hasShop: has('demo'), vault })
}

/** Refuses a start that can't serve or would do harm, and warns of likely mistakes. */
async function check(parts: ProcessParts, roles: readonly Role[]): Promise<void> {
  const { config, log, closings } = parts
  if (!roles.includes('vault') && opensGateway(roles)) vaultServiceOf(config)
  refuseExposed(config, roles)
  // Before any write or port: the files may be another process's.
  await lockServedFiles(config, roles, (lock) => {
    closings.push(() => {
      lock.release()
    })
  })
  await refuseDamagedFiles(config, roles, (file, bytes) => {
    log.info({ file, bytes }, 'a large database is not checked at the start: see cofre doctor')
  })
  if (config.trial !== undefined) {
    await refuseRealDatabases(config)
    // A start that can't serve must not mark the databases.
    await refuseUnlistenable(listenAddresses(config, roles))
  }
  if (isVaultUnreachable(config, roles))
    log.warn(
      {},
      'COFRE_VAULT_SERVICE_KEY is not set: no gateway can use this vault; set the key here and at the gateway',
    )
}

/** Listening addresses of a `dev` with these roles. */
function listenAddresses(config: Config, roles: readonly Role[]): readonly ListenAddress[] {
  const unserved: readonly string[] = ROLES.filter((role) => !roles.includes(role))
  const places = Object.entries(config.endpoints).map(([role, place]) => ({ role, ...place }))
  const { keys, ...service } = config.vaultService
  return [
    ...places.filter(({ role }) => !unserved.includes(role)),
    ...(keys === undefined ? [] : [{ role: 'vault-service', ...service }]),
  ]
}

function watchMachine({ clock, log, telemetry, stops }: ProcessParts): void {
  const endClock = watchClock({ clock, log }, () => {
    telemetry.metrics.clockJumps.inc()
  })
  const endDescriptors = watchDescriptors(log)
  stops.push(() => {
    endClock()
    endDescriptors()
  })
}
