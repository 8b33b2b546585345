import { randomInt } from 'node:crypto'
import type { Clock, Environment } from '@cofre/contracts'
import {
  type CardPayments,
  type Gateway,
  acceptsTarget,
  createGateway,
  createHttpSender,
} from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import {
  type TestClock,
  createSandboxCardPayments,
  createSandboxRails,
  createSqlTestClockStore,
  createTestClockRoutes,
  createWalletRoutes,
  startTestClock,
} from '@cofre/sandbox'
import type { Config, Role } from './config/config.js'
import { devStore } from './dev-store.js'
import { openBankDatabase, openEnvironmentDatabase } from './environment-database.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** The gateway of each environment, and the clock that the sandbox's developers move. */
export interface Gateways {
  readonly production: Gateway
  readonly sandbox: Gateway
  readonly testClock: TestClock
}

/** @param vault - In this process or in another. */
export async function openGateways(parts: ProcessParts, vault: CardPayments): Promise<Gateways> {
  const testClock = await openTestClock(parts)
  const sandboxCards = createSandboxCardPayments(vault)
  return {
    production: await openGateway(parts, 'production', { cards: vault, clock: parts.clock }),
    sandbox: await openGateway(parts, 'sandbox', { cards: sandboxCards, clock: testClock }),
    testClock,
  }
}

async function openTestClock(parts: ProcessParts): Promise<TestClock> {
  const { config, log, clock: machineClock, closings } = parts
  const database = await openBankDatabase(config)
  closings.push(() => database.close())
  const store = createSqlTestClockStore(database)
  const clock = await startTestClock({ store, machineClock, log })
  closings.push(() => {
    clock.stop()
    return Promise.resolve()
  })
  return clock
}

/** What differs between the environments. */
interface EnvironmentParts {
  readonly cards: CardPayments
  readonly clock: Clock
}

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, clock: machineClock, closings }: ProcessParts,
  environment: Environment,
  { cards, clock }: EnvironmentParts,
): Promise<Gateway> {
  const { notifyAllow } = config
  const database = await openEnvironmentDatabase(config, environment)
  closings.push(() => database.close())
  const gateway = createGateway({
    environment,
    database,
    cards,
    rails: createSandboxRails({ publicUrl: publicUrlOf(config, environment) }),
    clock,
    machineClock,
    sender: createHttpSender({ allowances: notifyAllow }),
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
  if (config.mode === 'dev') await gateway.saveMerchant(devStore(config))
  return gateway
}

/** Starts what must outlive a request, in both environments. */
export function startWorkers({ closings }: ProcessParts, gateways: Gateways): void {
  for (const gateway of [gateways.production, gateways.sandbox]) {
    const worker = gateway.startWorker()
    closings.push(() => worker.stop())
  }
}

/** Serves the APIs that are among the roles. @throws ListenError */
export async function serveGateways(
  parts: ProcessParts,
  { production, sandbox, testClock }: Gateways,
  roles: readonly Role[],
): Promise<void> {
  const { mediaVendor } = parts.config
  if (roles.includes('api')) {
    const publicUrl = publicUrlOf(parts.config, 'production')
    const app = createGatewayRoutes(production, { mediaVendor, publicUrl, sandbox })
    await listenAs(parts, 'api', app.route('/', createWalletRoutes(production)).fetch)
  }
  if (roles.includes('sandbox')) {
    const publicUrl = publicUrlOf(parts.config, 'sandbox')
    const app = createGatewayRoutes(sandbox, { mediaVendor, publicUrl })
    app
      .route('/', createWalletRoutes(sandbox))
      .route('/', createTestClockRoutes(sandbox, testClock))
    await listenAs(parts, 'sandbox', app.fetch)
  }
}

function publicUrlOf({ endpoints }: Config, environment: Environment): string {
  return (environment === 'sandbox' ? endpoints.sandbox : endpoints.api).publicUrl
}
