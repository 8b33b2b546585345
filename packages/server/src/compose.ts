import { randomInt } from 'node:crypto'
import path from 'node:path'
import type { Clock, Environment } from '@cofre/contracts'
import { createDemoShop } from '@cofre/demo'
import {
  type Gateway,
  acceptsTarget,
  createGateway,
  createHttpSender,
  createPayerBlocklist,
} from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import { createMerchantClient } from '@cofre/merchant'
import {
  type Sandbox,
  type TestDesk,
  blockTestPayers,
  createSandboxAcquirer,
  createSandboxCardPayments,
  createSandboxRails,
  createTestClockRoutes,
  createTestDeskRoutes,
  createWalletRoutes,
  startSandbox,
} from '@cofre/sandbox'
import { type Vault, createVault, loadKeyFile, openVaultDatabase } from '@cofre/vault'
import { createVaultRoutes } from '@cofre/vault/http'
import type { Logger } from 'pino'
import { panelApplication } from './compose-panel.js'
import type { Config, Role, ServingRole } from './config/config.js'
import { devSecretKeeper, devStore } from './dev-store.js'
import { openBankDatabase, openEnvironmentDatabase } from './environment-database.js'
import { listen, type Listener } from './http/listen.js'
import { readLibrary } from './library-file.js'
import { setUp } from './setup-error.js'
import { startSweeper } from './sweeper.js'

/** A running process. */
export interface RunningCofre {
  /** Stops listening, lets running requests finish, closes the databases. */
  close(): Promise<void>
}

type Closing = () => Promise<void>
type Fetch = Listener['fetch']

const systemClock: Clock = { now: () => Date.now() }

/** Starts the roles in this process. @throws ListenError, and what a database or a key file refuses with */
export async function startCofre(
  config: Config,
  roles: readonly Role[],
  log: Logger,
): Promise<RunningCofre> {
  const opened: Closing[] = []
  const stop = new AbortController()
  const stopping = stop.signal
  const close = async (): Promise<void> => {
    stop.abort()
    for (const closing of opened.splice(0).reverse()) await closing()
  }
  try {
    const vault = await openVault(config, log, opened)
    const play = await openSandbox(config, log, opened)
    const parts: GatewayParts = { config, log, opened, vault, play }
    const production = await openGateway(parts, 'production')
    const sandbox = await openGateway(parts, 'sandbox')
    const desk = play.createTestDesk(
      sandbox,
      config.mode === 'dev' ? devSecretKeeper(config, production) : undefined,
    )
    const applications: Readonly<Record<ServingRole, () => Fetch>> = {
      vault: () => vaultApplication(config, vault, log),
      api: () => apiApplication(config, production, sandbox),
      sandbox: () => {
        const recorded = play.recorded(sandboxApplication(config, sandbox, desk), sandbox)
        opened.push(() => recorded.idle())
        return (request, bindings) => recorded.fetch(request, bindings)
      },
      panel: () => panelApplication({ config, log, clock: systemClock, desk, stopping }),
      demo: () => demoApplication(config, log),
    }
    if (roles.includes('vault')) opened.push(startSweeper(vault, log))
    if (roles.includes('worker')) {
      const workers = [
        production.startWorker(),
        sandbox.startWorker(),
        play.startBankWorker(sandbox),
      ]
      opened.push(...workers.map((worker) => () => worker.stop()))
    }
    for (const role of roles.filter((candidate) => candidate !== 'worker')) {
      const { port, portVariable } = config.endpoints[role]
      const fetch = applications[role]()
      opened.push(await listen({ role, host: config.host, port, portVariable, fetch }, log))
    }
    log.info({ roles }, 'started')
    return { close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openVault(config: Config, log: Logger, opened: Closing[]): Promise<Vault> {
  const keys = config.vaultKeys ?? (await loadKeyFile(path.join(config.dataDir, 'vault-keys')))
  const database = await setUp(
    'The database that COFRE_VAULT_DATABASE_URL names cannot be opened: check that it is there and may be written',
    () => openVaultDatabase(config.vaultDatabaseUrl),
  )
  opened.push(() => database.close())
  const acquirer = createSandboxAcquirer()
  return createVault({
    database,
    keys,
    acquirers: { production: acquirer, sandbox: acquirer },
    clock: systemClock,
    log,
  })
}

function vaultApplication({ vendor }: Config, vault: Vault, log: Logger): Fetch {
  return createVaultRoutes(vault, { library: readLibrary(vendor), log }).fetch
}

/** What the sandbox has beside its gateway: a clock, a bank, and what its developers look at. */
async function openSandbox(config: Config, log: Logger, opened: Closing[]): Promise<Sandbox> {
  const database = await openBankDatabase(config)
  opened.push(() => database.close())
  const sandbox = await startSandbox({ database, machineClock: systemClock, log })
  opened.push(() => {
    sandbox.stop()
    return Promise.resolve()
  })
  return sandbox
}

interface GatewayParts {
  readonly config: Config
  readonly log: Logger
  readonly opened: Closing[]
  readonly vault: Vault
  readonly play: Sandbox
}

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, opened, vault, play }: GatewayParts,
  environment: Environment,
): Promise<Gateway> {
  const isSandbox = environment === 'sandbox'
  const { notifyAllow } = config
  const database = await openEnvironmentDatabase(config, environment)
  opened.push(() => database.close())
  const gateway = createGateway({
    environment,
    database,
    cards: isSandbox ? createSandboxCardPayments(vault, play.bank) : vault,
    rails: createSandboxRails({
      publicUrl: publicUrlOf(config, environment),
      ...(isSandbox && { bank: play.bank }),
    }),
    clock: isSandbox ? play.clock : systemClock,
    machineClock: systemClock,
    sender: createHttpSender({ allowances: notifyAllow }),
    notifyIntervalMs: config.notifyIntervalMs,
    randomBelow: (limit) => randomInt(limit),
    log,
    installmentTerms: config.installmentTerms,
    purchaseLimits: {
      perTransactionMinor: config.purchaseLimitMinor,
      perPeriodMinor: isSandbox ? undefined : config.purchaseLimitMinor,
    },
    boletoDays: config.boletoDays,
    signatureDigest: config.signatureDigest,
    requestPolicy: {
      wallets: config.wallets,
      acceptsNotificationUrl: (target) => acceptsTarget(target, notifyAllow),
    },
  })
  if (config.mode === 'dev') await gateway.saveMerchant(devStore(config))
  if (isSandbox) await blockTestPayers(createPayerBlocklist(database))
  return gateway
}

function publicUrlOf({ endpoints }: Config, environment: Environment): string {
  return (environment === 'sandbox' ? endpoints.sandbox : endpoints.api).publicUrl
}

function apiApplication(config: Config, gateway: Gateway, sandbox: Gateway): Fetch {
  const publicUrl = publicUrlOf(config, 'production')
  const app = createGatewayRoutes(gateway, { mediaVendor: config.mediaVendor, publicUrl, sandbox })
  return app.route('/', createWalletRoutes(gateway)).fetch
}

function sandboxApplication(config: Config, gateway: Gateway, desk: TestDesk): Fetch {
  const publicUrl = publicUrlOf(config, 'sandbox')
  const app = createGatewayRoutes(gateway, { mediaVendor: config.mediaVendor, publicUrl })
  return app
    .route('/', createWalletRoutes(gateway))
    .route('/', createTestClockRoutes(gateway, desk.clock))
    .route('/', createTestDeskRoutes(gateway, desk)).fetch
}

function demoApplication(config: Config, log: Logger): Fetch {
  const { id, secret } = devStore(config)
  const { api, vault, demo } = config.endpoints
  return createDemoShop({
    merchant: createMerchantClient({
      baseUrl: api.publicUrl,
      storeId: id,
      secret: secret.reveal(),
      vendor: config.mediaVendor,
    }),
    libraryUrl: `${vault.publicUrl}/payment.${config.vendor}.min.js`,
    libraryGlobal: globalName(config.vendor),
    shopUrl: demo.publicUrl,
    log,
    stateFile: path.join(config.dataDir, 'demo-shop.json'),
  }).fetch
}

function globalName(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1)
}
