import { randomInt } from 'node:crypto'
import type { Environment } from '@cofre/contracts'
import {
  type CardPayments,
  type Gateway,
  type GatewayOptions,
  acceptsTarget,
  createGateway,
  createHttpSender,
  createPayerBlocklist,
} from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import {
  type Sandbox,
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
import { databaseCheck, workerCheck } from './observability/readiness-checks.js'
import { outboxSampler, workerSampler } from './observability/samplers.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** The gateway of each environment, and what the sandbox has beside its own. */
export interface Gateways {
  readonly production: Gateway
  readonly sandbox: Gateway
  readonly play: Sandbox
}

/** @param vault - In this process or in another. */
export async function openGateways(parts: ProcessParts, vault: CardPayments): Promise<Gateways> {
  const play = await openSandbox(parts)
  const { config, clock, telemetry } = parts
  const gateways = {
    production: await openGateway(parts, 'production', {
      cards: vault,
      rails: createSandboxRails({ publicUrl: publicUrlOf(config, 'production') }),
      clock,
    }),
    sandbox: await openGateway(parts, 'sandbox', {
      cards: createSandboxCardPayments(vault, play.bank),
      rails: createSandboxRails({ publicUrl: publicUrlOf(config, 'sandbox'), bank: play.bank }),
      clock: play.clock,
    }),
    play,
  }
  const { production, sandbox } = gateways
  telemetry.samplers.push(outboxSampler(telemetry.metrics, [production, sandbox]))
  return gateways
}

/** A clock, a bank, and what the sandbox's developers look at. */
async function openSandbox({
  config,
  log,
  clock: machineClock,
  closings,
}: ProcessParts): Promise<Sandbox> {
  const database = await openBankDatabase(config)
  closings.push(() => database.close())
  const sandbox = await startSandbox({ database, machineClock, log })
  closings.push(() => {
    sandbox.stop()
    return Promise.resolve()
  })
  return sandbox
}

/** What differs between the environments. */
type EnvironmentParts = Pick<GatewayOptions, 'cards' | 'rails' | 'clock'>

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, clock: machineClock, telemetry, closings }: ProcessParts,
  environment: Environment,
  { cards, rails, clock }: EnvironmentParts,
): Promise<Gateway> {
  const { notifyAllow } = config
  const opened = await openEnvironmentDatabase(config, environment)
  closings.push(() => opened.close())
  const database = observedDatabase(opened, `gateway_${environment}`, telemetry)
  telemetry.readiness.add(`database ${environment}`, databaseCheck(database))
  const gateway = createGateway({
    environment,
    database,
    secretKeys: await openGatewayKeys(config),
    cards: observedCardPayments(cards, telemetry),
    rails,
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
  { production, sandbox, play }: Gateways,
  roles: readonly Role[],
): Promise<void> {
  const { config, closings } = parts
  const { mediaVendor, mode } = config
  if (roles.includes('api')) {
    const publicUrl = publicUrlOf(config, 'production')
    const app = createGatewayRoutes(production, { mediaVendor, publicUrl, sandbox })
    await listenAs(parts, 'api', app.route('/', createWalletRoutes(production)))
  }
  if (roles.includes('sandbox')) {
    const publicUrl = publicUrlOf(config, 'sandbox')
    const app = createGatewayRoutes(sandbox, { mediaVendor, publicUrl })
    const desk = play.createTestDesk(
      sandbox,
      mode === 'dev' ? devSecretKeeper(config, production) : undefined,
    )
    app
      .route('/', createWalletRoutes(sandbox))
      .route('/', createTestClockRoutes(sandbox, desk.clock))
      .route('/', createTestDeskRoutes(sandbox, desk))
    const recorded = play.recorded(app.fetch, sandbox)
    closings.push(() => recorded.idle())
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
