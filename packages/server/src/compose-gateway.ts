import { randomInt } from 'node:crypto'
import type { Clock, Environment } from '@cofre/contracts'
import {
  type CardPayments,
  type Gateway,
  acceptsTarget,
  createGateway,
  createHttpSender,
  createPayerBlocklist,
} from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import {
  type Sandbox,
  type SandboxBank,
  type TestDesk,
  blockTestPayers,
  createSandboxCardPayments,
  createSandboxRails,
  createTestClockRoutes,
  createTestDeskRoutes,
  createWalletRoutes,
  startSandbox,
} from '@cofre/sandbox'
import type { Config, Role } from './config/config.js'
import { devSecretKeeper, devStore } from './dev-store.js'
import { openBankDatabase, openEnvironmentDatabase } from './environment-database.js'
import { openGatewayKeys } from './gateway-keys.js'
import {
  observedCardPayments,
  observedDatabase,
  observedSender,
} from './observability/observed-ports.js'
import { workerCheck } from './observability/readiness-checks.js'
import { outboxSampler, underReviewSampler, workerSampler } from './observability/samplers.js'
import { watchDatabase } from './observability/watched-database.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** The gateway of each environment, and what the sandbox has beside its own. */
export interface Gateways {
  readonly production: Gateway
  readonly sandbox: Gateway
  readonly play: Sandbox
  readonly desk: TestDesk
}

/** @param vault - In this process or in another. */
export async function openGateways(parts: ProcessParts, vault: CardPayments): Promise<Gateways> {
  const { config, clock, telemetry } = parts
  const play = await openSandbox(parts)
  const production = await openGateway(parts, 'production', { cards: vault, clock })
  const { bank } = play
  const cards = createSandboxCardPayments(vault, bank)
  const sandbox = await openGateway(parts, 'sandbox', { cards, clock: play.clock, bank })
  const keeper = config.mode === 'dev' ? devSecretKeeper(config, production) : undefined
  const { metrics, samplers } = telemetry
  samplers.push(outboxSampler(metrics, [production, sandbox]))
  samplers.push(underReviewSampler(metrics, [production, sandbox]))
  return { production, sandbox, play, desk: play.createTestDesk(sandbox, keeper) }
}

/** What the sandbox has beside its gateway: a clock, a bank, and what its developers look at. */
async function openSandbox(parts: ProcessParts): Promise<Sandbox> {
  const { config, log, clock: machineClock, closings } = parts
  const database = await openBankDatabase(config)
  closings.push(() => database.close())
  watchDatabase(parts, { readiness: 'bank', metric: 'bank' }, database)
  const sandbox = await startSandbox({ database, machineClock, log })
  closings.push(() => sandbox.stop())
  return sandbox
}

/** What differs between the environments. */
interface EnvironmentParts {
  readonly cards: CardPayments
  readonly clock: Clock
  /** The sandbox's, which reports what becomes of its payments. */
  readonly bank?: SandboxBank
}

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, clock: machineClock, telemetry, closings }: ProcessParts,
  environment: Environment,
  { cards, clock, bank }: EnvironmentParts,
): Promise<Gateway> {
  const { notifyAllow } = config
  const opened = await openEnvironmentDatabase(config, environment)
  closings.push(() => opened.close())
  const metric = `gateway_${environment}`
  const database = observedDatabase(opened, metric, telemetry)
  watchDatabase({ telemetry, log }, { readiness: environment, metric }, database)
  const gateway = createGateway({
    environment,
    database,
    secretKeys: await openGatewayKeys(config),
    cards: observedCardPayments(cards, telemetry),
    rails: createSandboxRails({
      publicUrl: publicUrlOf(config, environment),
      ...(bank !== undefined && { bank }),
    }),
    clock,
    machineClock,
    sender: observedSender(createHttpSender({ allowances: notifyAllow }), environment, telemetry),
    notifyIntervalMs: config.notifyIntervalMs,
    randomBelow: (limit) => randomInt(limit),
    log,
    installmentTerms: config.installmentTerms,
    purchaseLimits: {
      perTransactionMinor: config.purchaseLimitMinor,
      perPeriodMinor: environment === 'sandbox' ? undefined : config.purchaseLimitMinor,
    },
    boletoDays: config.boletoDays,
    signatureDigest: config.signatureDigest,
    requestPolicy: {
      wallets: config.wallets,
      acceptsNotificationUrl: (target) => acceptsTarget(target, notifyAllow),
    },
  })
  const wrapped = await gateway.rewrapSecrets()
  if (wrapped > 0) log.info({ environment, stores: wrapped }, 'secrets of stores were wrapped')
  if (config.mode === 'dev') await gateway.saveMerchant(devStore(config))
  if (environment === 'sandbox') await blockTestPayers(createPayerBlocklist(database))
  return gateway
}

/** Starts what must outlive a request, in both environments. */
export function startWorkers(
  { stops, telemetry }: ProcessParts,
  { production, sandbox, play }: Gateways,
): void {
  const watched = { production: production.startWorker(), sandbox: sandbox.startWorker() }
  const workers = [...Object.values(watched), play.startBankWorker(sandbox)]
  stops.push(...workers.map((worker) => () => worker.stop()))
  telemetry.samplers.push(workerSampler(telemetry.metrics, watched))
  for (const [environment, worker] of Object.entries(watched))
    telemetry.readiness.add(`worker ${environment}`, workerCheck(worker))
}

/** Serves the APIs that are among the roles. @throws ListenError */
export async function serveGateways(
  parts: ProcessParts,
  { production, sandbox, play, desk }: Gateways,
  roles: readonly Role[],
): Promise<void> {
  const { mediaVendor } = parts.config
  if (roles.includes('api')) {
    const publicUrl = publicUrlOf(parts.config, 'production')
    const app = createGatewayRoutes(production, { mediaVendor, publicUrl, sandbox })
    await listenAs(parts, 'api', app.route('/', createWalletRoutes(production)))
  }
  if (roles.includes('sandbox')) {
    const publicUrl = publicUrlOf(parts.config, 'sandbox')
    const app = createGatewayRoutes(sandbox, { mediaVendor, publicUrl })
    app
      .route('/', createWalletRoutes(sandbox))
      .route('/', createTestClockRoutes(sandbox, desk.clock))
      .route('/', createTestDeskRoutes(sandbox, desk))
    const recorded = play.recorded((request, bindings) => app.fetch(request, bindings), sandbox)
    parts.closings.push(() => recorded.idle())
    await listenAs(parts, 'sandbox', {
      fetch: (request, bindings) => recorded.fetch(request, bindings),
      router: app.router,
      getPath: app.getPath,
    })
  }
}

function publicUrlOf({ endpoints }: Config, environment: Environment): string {
  return (environment === 'sandbox' ? endpoints.sandbox : endpoints.api).publicUrl
}
