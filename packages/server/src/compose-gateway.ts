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
import { type ProcessParts, listenAs } from './process-parts.js'

/** The gateway of each environment, and what the sandbox has beside its own. */
export interface Gateways {
  readonly production: Gateway
  readonly sandbox: Gateway
  /** The sandbox's clock, bank and request log. */
  readonly play: Sandbox
  /** What stores' developers see and do in the sandbox. */
  readonly desk: TestDesk
}

/** @param vault - In this process or in another. */
export async function openGateways(parts: ProcessParts, vault: CardPayments): Promise<Gateways> {
  const play = await openPlay(parts)
  const { bank, clock } = play
  const production = await openGateway(parts, 'production', { cards: vault, clock: parts.clock })
  const cards = createSandboxCardPayments(vault, bank)
  const sandbox = await openGateway(parts, 'sandbox', { cards, clock, bank })
  const keeper = parts.config.mode === 'dev' ? devSecretKeeper(parts.config, production) : undefined
  return { production, sandbox, play, desk: play.createTestDesk(sandbox, keeper) }
}

async function openPlay(parts: ProcessParts): Promise<Sandbox> {
  const { config, log, clock: machineClock, closings } = parts
  const database = await openBankDatabase(config)
  closings.push(() => database.close())
  const play = await startSandbox({ database, machineClock, log })
  closings.push(() => {
    play.stop()
    return Promise.resolve()
  })
  return play
}

/** What differs between the environments. */
interface EnvironmentParts {
  readonly cards: CardPayments
  readonly clock: Clock
  /** Who settles what waits for a payer; only the sandbox has one. */
  readonly bank?: SandboxBank
}

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, clock: machineClock, closings }: ProcessParts,
  environment: Environment,
  { cards, clock, bank }: EnvironmentParts,
): Promise<Gateway> {
  const { notifyAllow } = config
  const database = await openEnvironmentDatabase(config, environment)
  closings.push(() => database.close())
  const gateway = createGateway({
    environment,
    database,
    cards,
    rails: createSandboxRails({
      publicUrl: publicUrlOf(config, environment),
      ...(bank !== undefined && { bank }),
    }),
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
  if (environment === 'sandbox') await blockTestPayers(createPayerBlocklist(database))
  return gateway
}

/** Starts what must outlive a request, in both environments. */
export function startWorkers(
  { closings }: ProcessParts,
  { production, sandbox, play }: Gateways,
): void {
  const workers = [production.startWorker(), sandbox.startWorker(), play.startBankWorker(sandbox)]
  closings.push(...workers.map((worker) => () => worker.stop()))
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
    await listenAs(parts, 'api', app.route('/', createWalletRoutes(production)).fetch)
  }
  if (roles.includes('sandbox')) {
    const publicUrl = publicUrlOf(parts.config, 'sandbox')
    const app = createGatewayRoutes(sandbox, { mediaVendor, publicUrl })
    app
      .route('/', createWalletRoutes(sandbox))
      .route('/', createTestClockRoutes(sandbox, play.clock))
      .route('/', createTestDeskRoutes(sandbox, desk))
    const recorded = play.recorded((request, bindings) => app.fetch(request, bindings), sandbox)
    parts.closings.push(() => recorded.idle())
    await listenAs(parts, 'sandbox', (request, bindings) => recorded.fetch(request, bindings))
  }
}

function publicUrlOf({ endpoints }: Config, environment: Environment): string {
  return (environment === 'sandbox' ? endpoints.sandbox : endpoints.api).publicUrl
}
