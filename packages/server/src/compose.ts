import { randomInt } from 'node:crypto'
import path from 'node:path'
import type { Clock, Environment } from '@cofre/contracts'
import { createDemoShop } from '@cofre/demo'
import { type Gateway, acceptsTarget, createGateway, createHttpSender } from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import { createMerchantClient } from '@cofre/merchant'
import {
  type TestClock,
  createSandboxAcquirer,
  createSandboxCardPayments,
  createSandboxRails,
  createSqlTestClockStore,
  createTestClockRoutes,
  createWalletRoutes,
  startTestClock,
} from '@cofre/sandbox'
import { type Vault, createVault, createVaultAdministration } from '@cofre/vault'
import { createVaultRoutes } from '@cofre/vault/http'
import type { Logger } from 'pino'
import type { Config, Role, ServingRole } from './config/config.js'
import { devStore } from './dev-store.js'
import { openBankDatabase, openEnvironmentDatabase } from './environment-database.js'
import { createClientAddress } from './http/client-address.js'
import { listen, type Listener } from './http/listen.js'
import { readLibrary } from './library-file.js'
import { startSweeper } from './sweeper.js'
import { openConfiguredVaultDatabase } from './vault-administration.js'
import { keyFileOf, openVaultKeys } from './vault-keys.js'

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
  const close = async (): Promise<void> => {
    for (const closing of opened.splice(0).reverse()) await closing()
  }
  try {
    const vault = await openVault(config, log, opened)
    const testClock = await openTestClock(config, log, opened)
    const clocks = { production: systemClock, sandbox: testClock }
    const parts: GatewayParts = { config, log, opened, vault, clocks }
    const production = await openGateway(parts, 'production')
    const sandbox = await openGateway(parts, 'sandbox')
    const applications: Readonly<Record<ServingRole, () => Fetch>> = {
      vault: () => vaultApplication(config, vault, log),
      api: () => apiApplication(config, production, sandbox),
      sandbox: () => sandboxApplication(config, sandbox, testClock),
      demo: () => demoApplication(config, log),
    }
    if (roles.includes('vault')) opened.push(startSweeper(vault, log))
    if (roles.includes('worker')) {
      for (const gateway of [production, sandbox]) {
        const worker = gateway.startWorker()
        opened.push(() => worker.stop())
      }
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
  const { keeper, keys } = await openVaultKeys(config)
  if (keeper === 'file' && keys.isNew && config.mode === 'serve')
    log.warn({ file: keyFileOf(config) }, 'a key was created: back it up, apart from the database')
  const database = await openConfiguredVaultDatabase(config)
  opened.push(() => database.close())
  await createVaultAdministration({ database, keys, clock: systemClock }).checkKeys()
  const acquirer = createSandboxAcquirer()
  return createVault({
    database,
    keys,
    acquirers: { production: acquirer, sandbox: acquirer },
    clock: systemClock,
    log,
  })
}

function vaultApplication(config: Config, vault: Vault, log: Logger): Fetch {
  const { sessionsPerMinute, depositsPerMinute, trustedProxies } = config
  const addressOf = createClientAddress(trustedProxies, log)
  const limits = { sessionsPerMinute, depositsPerMinute, addressOf }
  return createVaultRoutes(vault, { library: readLibrary(config.vendor), log, limits }).fetch
}

/** The clock that the sandbox's developers move. */
async function openTestClock(config: Config, log: Logger, opened: Closing[]): Promise<TestClock> {
  const database = await openBankDatabase(config)
  opened.push(() => database.close())
  const store = createSqlTestClockStore(database)
  const clock = await startTestClock({ store, machineClock: systemClock, log })
  opened.push(() => {
    clock.stop()
    return Promise.resolve()
  })
  return clock
}

interface GatewayParts {
  readonly config: Config
  readonly log: Logger
  readonly opened: Closing[]
  readonly vault: Vault
  readonly clocks: Readonly<Record<Environment, Clock>>
}

/** The gateway of an environment, with the test store in development. */
async function openGateway(
  { config, log, opened, vault, clocks }: GatewayParts,
  environment: Environment,
): Promise<Gateway> {
  const isSandbox = environment === 'sandbox'
  const { notifyAllow } = config
  const database = await openEnvironmentDatabase(config, environment)
  opened.push(() => database.close())
  const gateway = createGateway({
    environment,
    database,
    cards: isSandbox ? createSandboxCardPayments(vault) : vault,
    rails: createSandboxRails({ publicUrl: publicUrlOf(config, environment) }),
    clock: clocks[environment],
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

function sandboxApplication(config: Config, gateway: Gateway, clock: TestClock): Fetch {
  const publicUrl = publicUrlOf(config, 'sandbox')
  const app = createGatewayRoutes(gateway, { mediaVendor: config.mediaVendor, publicUrl })
  return app
    .route('/', createWalletRoutes(gateway))
    .route('/', createTestClockRoutes(gateway, clock)).fetch
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
    payerUrl: api.publicUrl,
    wallets: config.wallets,
    log,
    stateFile: path.join(config.dataDir, 'demo-shop.json'),
  }).fetch
}

function globalName(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1)
}
