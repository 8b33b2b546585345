import { type Environment } from '@cofre/contracts'
import { type BankOfAccount } from '@cofre/provider-kit/bank'
import type { CardAccounts, CardChecks, CardService, StoredCards } from '@cofre/contracts'
import { type Gateway } from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import {
  type EnvironmentParts,
  type GatewayWithRooms,
  type OpenedGateway,
  openGateway,
} from './opened-gateway.js'
import { NOT_NOTIFIED, createOperator } from '@cofre/operator'
import type { WatchedWork } from '@cofre/work'
import {
  SANDBOX_OPERATIONS,
  type Sandbox,
  type Examples,
  createBankRoutes,
  createControlRoutes,
  createInboxRoutes,
  createReferenceRoutes,
  createSandboxCardPayments,
  createSandboxStoredCards,
  createStreamRoutes,
  createWalletRoutes,
  hasExamples,
  startExamples,
  startSandbox,
} from '@cofre/sandbox'
import type { Role } from '../../config/config.js'
import { readCountries } from '../../installation/country-table.js'
import { DATABASES, presentEnvironments } from '../../installation/databases.js'
import { reachesSandbox, servesEnvironment } from '../../installation/roles.js'
import { devStore } from '../../installation/test-store.js'
import { workerCheck } from '../../observability/readiness.js'
import {
  bankSampler,
  cardFieldsSampler,
  eventSampler,
  outboxSampler,
  searchIndexSampler,
  underReviewSampler,
  workerSampler,
} from '../../observability/samplers.js'
import { watchDatabase } from '../../observability/telemetry.js'
import { watchBoletoFolder } from '../providers/boleto-folder.js'
import { type ProcessParts, listenAs } from '../parts.js'
import { createOriginPage } from '../../http/origin-page.js'
import { createPaymentPage } from './payment-page.js'
import { type ImportedFile, importReturnFile } from '../providers/return-import.js'

/** The gateways of this process. An environment that none of its roles needs is not opened. */
export interface Gateways {
  readonly production: GatewayWithRooms | undefined
  readonly sandbox: SandboxGateway | undefined
}

/** The sandbox's gateway with its additions. */
export interface SandboxGateway extends OpenedGateway {
  readonly simulation: Sandbox
  /** In `dev`: true if this start created the databases, so that no store existed before. */
  readonly isNew: boolean
}

interface Opening {
  readonly roles: readonly Role[]
  /** In this process or in another. */
  readonly vault: CardService & CardAccounts & StoredCards & CardChecks
  readonly bankOf: BankOfAccount
}

export async function openGateways(
  parts: ProcessParts,
  { roles, vault, bankOf }: Opening,
): Promise<Gateways> {
  const asked = { cards: vault, cardAccounts: vault, storedCards: vault, bankOf }
  const { config, clock, telemetry } = parts
  const { countriesFile } = config
  const countryOf = countriesFile === undefined ? undefined : readCountries(countriesFile)
  const isServed = (environment: Environment): boolean =>
    servesEnvironment(config, roles, environment)
  const isNew = config.mode === 'dev' && (await presentEnvironments(config)).length === 0
  const production = isServed('production')
    ? (await openGateway(parts, 'production', { ...asked, clock, countryOf, isServed: true }))
        .gateway
    : undefined
  const sandbox = reachesSandbox(config, roles)
    ? await openSandbox(parts, {
        ...asked,
        countryOf,
        isNew,
        isServed: isServed('sandbox'),
        boletoObjections: production?.boletoObjections,
      })
    : undefined
  const { metrics, samplers } = telemetry
  const served = [production, isServed('sandbox') ? sandbox?.gateway : undefined]
  const sampled = served.filter((gateway) => gateway !== undefined)
  samplers.push(
    outboxSampler(metrics, sampled),
    eventSampler(metrics, sampled),
    underReviewSampler(metrics, sampled),
    searchIndexSampler(metrics, sampled),
    cardFieldsSampler(metrics, sampled, parts.clock),
    bankSampler(metrics, sampled, parts.clock),
  )
  return { production, sandbox }
}

/** The sandbox's gateway with its clock, its bank, and its developer tools. */
async function openSandbox(
  parts: ProcessParts,
  { cards, isNew, ...of }: Omit<EnvironmentParts, 'clock' | 'bank'> & Pick<SandboxGateway, 'isNew'>,
): Promise<SandboxGateway> {
  const { config, log, clock: machineClock, closings } = parts
  const database = await DATABASES.bank.open(config)
  closings.push(() => database.close())
  watchDatabase(parts, { readiness: of.isServed ? 'bank' : undefined, metric: 'bank' }, database)
  const simulation = await startSandbox({ database, machineClock, log })
  closings.push(() => simulation.stop())
  const { bank, clock } = simulation
  const opened: OpenedGateway = await openGateway(parts, 'sandbox', {
    ...of,
    // Called after the gateway exists, which knows the card setting of each store.
    cards: createSandboxCardPayments(cards, bank, (storeId) =>
      opened.gateway.keepsOwnCards(storeId),
    ),
    storedCards: createSandboxStoredCards(of.storedCards, (merchantId) =>
      opened.gateway.keepsOwnCards({ merchantId }),
    ),
    clock,
    bank,
  })
  return { ...opened, simulation, isNew }
}

/** Starts work that outlives a request, in the environments that this process works for. */
export function startWorkers(
  { config, log, stops, telemetry }: ProcessParts,
  { production, sandbox }: Gateways,
): void {
  const gateways = { production, sandbox: sandbox?.gateway }
  const watched: Partial<Record<Environment, WatchedWork>> = {}
  for (const environment of config.workerEnvironments) {
    const worker = gateways[environment]?.startWorker()
    if (worker === undefined) continue
    watched[environment] = worker
    stops.push(() => worker.stop())
    telemetry.readiness.add(`worker ${environment}`, workerCheck(worker))
  }
  telemetry.samplers.push(workerSampler(telemetry.metrics, watched))
  watchFolder({ config, stops, log }, production)
  if (watched.sandbox === undefined || sandbox === undefined) return
  const bankWorker = sandbox.simulation.startBankWorker(sandbox.gateway)
  stops.push(() => bankWorker.stop())
}

/**
 * Gives the test store of a new installation a month of example payments, or continues those of an
 * earlier start. Resolves to true if it has any.
 */
export async function addExamples(
  { config, log, stops }: Pick<ProcessParts, 'config' | 'log' | 'stops'>,
  { isNew, options, simulation: { clock } }: SandboxGateway,
): Promise<boolean> {
  const merchant = devStore(config)
  const { publicUrl } = config.endpoints.sandbox
  const found = await hasExamples(options.database, merchant.id)
  if (!isNew && !found) return false
  const examples: Examples = startExamples({
    gateway: options,
    deskOn: (of, core) => createOperator(of, { ...core, notifications: NOT_NOTIFIED }),
    merchant,
    isNew,
    clock,
    log,
    publicUrl,
  })
  stops.push(() => examples.stop())
  return true
}

/** Imports banks' return files from a folder, if one is configured. */
function watchFolder(
  { config, stops, log }: Pick<ProcessParts, 'config' | 'log' | 'stops'>,
  production: GatewayWithRooms | undefined,
): void {
  const { boletoFolder: folder, workerEnvironments } = config
  if (folder === undefined || production === undefined) return
  if (!workerEnvironments.includes('production')) return
  const { accounts, returnFiles } = production
  const importFile = (file: ImportedFile) => importReturnFile({ accounts, returnFiles }, file)
  const watch = watchBoletoFolder({ folder, importFile, log })
  stops.push(() => watch.stop())
}

/**
 * Serves production's API.
 * @param sandbox - Receives refunds with `test-mode: 1`.
 * @throws ListenError
 */
export async function serveProduction(
  parts: ProcessParts,
  production: GatewayWithRooms,
  sandbox: Gateway | undefined,
): Promise<void> {
  const { mediaVendor, docsOrigin, endpoints } = parts.config
  const app = createGatewayRoutes(production, {
    mediaVendor,
    publicUrl: endpoints.api.publicUrl,
    docsOrigin,
    rooms: production.rooms,
    ...(sandbox !== undefined && { sandbox }),
  })
  app
    .route('/', createWalletRoutes(production))
    .route('/', createPaymentPage(parts, production, parts.clock))
    .route('/', createOriginPage('api', parts.config))
  await listenAs(parts, 'api', app)
}

/** Serves the sandbox's API, recording its requests for the panel. @throws ListenError */
export async function serveSandbox(
  parts: ProcessParts,
  { gateway, simulation }: SandboxGateway,
): Promise<void> {
  const { config, log, clock: machineClock, stops } = parts
  const { mediaVendor, docsOrigin, endpoints } = config
  const { publicUrl } = endpoints.sandbox
  const stopping = new AbortController()
  const operations = SANDBOX_OPERATIONS
  const { rooms } = gateway
  const app = createGatewayRoutes(gateway, {
    mediaVendor,
    publicUrl,
    docsOrigin,
    operations,
    rooms,
  })
  const { inboxes, requests, clock } = simulation
  const inbox = { inboxes, panelUrl: config.inboxOrigin }
  const streams = { requests, clock, machineClock, log, stopping: stopping.signal }
  app
    .route('/', createWalletRoutes(gateway))
    .route('/', createPaymentPage(parts, gateway, clock))
    .route('/', createBankRoutes(gateway))
    .route('/', createControlRoutes(gateway, simulation))
    .route('/', createOriginPage('sandbox', config))
    .route('/', createReferenceRoutes(publicUrl))
    .route('/', createInboxRoutes(gateway, inbox))
    .route('/', createStreamRoutes(gateway, streams))
  const recorded = simulation.recorded((request, bindings) => app.fetch(request, bindings), gateway)
  parts.closings.push(() => recorded.idle())
  await listenAs(parts, 'sandbox', {
    fetch: (request, bindings) => recorded.fetch(request, bindings),
    router: app.router,
    getPath: app.getPath,
  })
  stops.push(() => {
    stopping.abort()
  })
}
