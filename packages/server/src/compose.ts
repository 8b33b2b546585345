import { randomInt } from 'node:crypto'
import path from 'node:path'
import type { Clock, Environment } from '@cofre/contracts'
import { createDemoShop } from '@cofre/demo'
import {
  type CardPayments,
  type Gateway,
  acceptsTarget,
  createGateway,
  openGatewayDatabase,
} from '@cofre/gateway'
import { createGatewayRoutes } from '@cofre/gateway/http'
import { createMerchantClient } from '@cofre/merchant'
import { createSandboxAcquirer, createSandboxCardPayments } from '@cofre/sandbox'
import { type Vault, createVault, loadKeyFile, openVaultDatabase } from '@cofre/vault'
import { createVaultRoutes } from '@cofre/vault/http'
import type { Logger } from 'pino'
import type { Config, Role } from './config/config.js'
import { sandboxDatabaseUrl } from './config/sandbox-database-url.js'
import { devStore } from './dev-store.js'
import { listen, type Listener } from './http/listen.js'
import { readLibrary } from './library-file.js'
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
  const close = async (): Promise<void> => {
    for (const closing of opened.splice(0).reverse()) await closing()
  }
  try {
    const vault = await openVault(config, log, opened)
    const applications: Readonly<Record<Role, () => Fetch | Promise<Fetch>>> = {
      vault: () => vaultApplication(config, vault, log),
      api: () => gatewayApplication({ config, log, opened }, 'production', vault),
      sandbox: () =>
        gatewayApplication({ config, log, opened }, 'sandbox', createSandboxCardPayments(vault)),
      demo: () => demoApplication(config, log),
    }
    if (roles.includes('vault')) opened.push(startSweeper(vault, log))
    for (const role of roles) {
      const { port, portVariable } = config.endpoints[role]
      const fetch = await applications[role]()
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
  const database = await openVaultDatabase(config.vaultDatabaseUrl)
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

interface GatewayParts {
  readonly config: Config
  readonly log: Logger
  readonly opened: Closing[]
}

async function gatewayApplication(
  parts: GatewayParts,
  environment: Environment,
  cards: CardPayments,
): Promise<Fetch> {
  const gateway = await openGateway(parts, environment, cards)
  if (parts.config.mode === 'dev') await gateway.saveMerchant(devStore(parts.config))
  return createGatewayRoutes(gateway, { mediaVendor: parts.config.mediaVendor }).fetch
}

async function openGateway(
  { config, log, opened }: GatewayParts,
  environment: Environment,
  cards: CardPayments,
): Promise<Gateway> {
  const url = config.gatewayDatabaseUrl
  const database = await openGatewayDatabase(
    environment === 'sandbox' ? sandboxDatabaseUrl(url) : url,
    environment,
  )
  opened.push(() => database.close())
  return createGateway({
    environment,
    database,
    cards,
    clock: systemClock,
    randomBelow: (limit) => randomInt(limit),
    log,
    installmentTerms: config.installmentTerms,
    signatureDigest: config.signatureDigest,
    requestPolicy: {
      wallets: config.wallets,
      acceptsNotificationUrl: (target) => acceptsTarget(target, config.notifyAllow),
    },
  })
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
  }).fetch
}

function globalName(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1)
}
