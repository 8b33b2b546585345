import { createSandboxAcquirer } from '@cofre/sandbox'
import { type Vault, createVault, createVaultAdministration } from '@cofre/vault'
import { type VaultClient, createVaultClient } from '@cofre/vault/client'
import { type RequestLimits, createServiceRoutes, createVaultRoutes } from '@cofre/vault/http'
import { type Config, type Role, needsGateway } from './config/config.js'
import { ConfigError } from './config/variable.js'
import { VAULT_SERVICE_PORT } from './config/vault-config.js'
import { openConfiguredVaultDatabase } from './configured-vault-database.js'
import { createClientAddress } from './http/client-address.js'
import { listen } from './http/listen.js'
import { readLibrary } from './library-file.js'
import { currentRequest } from './observability/current-request.js'
import { observedDatabase, tracedAcquirer } from './observability/observed-ports.js'
import { heldForAMinute } from './observability/readiness-checks.js'
import { reachSampler, vaultSampler } from './observability/samplers.js'
import { watchVault } from './observability/vault-watch.js'
import { watchDatabase } from './observability/watched-database.js'
import { type ProcessParts, listenAs, servingDeps } from './process-parts.js'
import { startSweeper } from './sweeper.js'
import { keyFileOf, openVaultKeys } from './vault-keys.js'

/** Opens the vault in this process. */
export async function openVault({
  config,
  log,
  clock,
  telemetry,
  closings,
}: ProcessParts): Promise<Vault> {
  const { keeper, keys } = await openVaultKeys(config)
  if (keeper === 'file' && keys.isNew && config.mode === 'serve')
    log.warn({ file: keyFileOf(config) }, 'a key was created: back it up, apart from the database')
  const opened = await openConfiguredVaultDatabase(config)
  closings.push(() => opened.close())
  const database = observedDatabase(opened, 'vault', telemetry)
  const administration = createVaultAdministration({ database, keys, clock })
  await administration.claimKeys()
  const { metrics, readiness, samplers } = telemetry
  watchDatabase({ telemetry, log }, { readiness: 'vault', metric: 'vault' }, database)
  readiness.add(
    'vault keys',
    heldForAMinute(() => administration.checkKeys()),
  )
  const acquirer = tracedAcquirer(createSandboxAcquirer(), telemetry)
  const vault = createVault({
    database,
    keys,
    acquirers: { production: acquirer, sandbox: acquirer },
    clock,
    log,
  })
  samplers.push(vaultSampler(metrics, { vault, administration, clock }))
  return vault
}

/** Serves browsers, and gateways in other processes on a port of their own. @throws ListenError */
export async function serveVault(parts: ProcessParts, vault: Vault): Promise<void> {
  const { config, log, clock, stops } = parts
  stops.push(startSweeper(vault, log))
  await listenAs(parts, 'vault', browserRoutes(parts, vault))
  const { keys, host, port, url = '' } = config.vaultService
  if (keys === undefined) return
  const service = {
    role: 'vault-service',
    host,
    port,
    portVariable: VAULT_SERVICE_PORT,
    publicUrl: url,
    application: createServiceRoutes(vault, { keys, clock, log }),
    // Whoever reaches this port may say which request and trace it is for. Both have a bounded form, get into the log and
    // the traces only, and stand beside the signature: who is let in does not depend on them.
    serving: { ...servingDeps(parts, '', 'bounded'), isTrustedPeer: () => true },
  }
  stops.push(await listen(service))
}

function browserRoutes({ config, log, telemetry }: ProcessParts, vault: Vault) {
  const { sessionsPerMinute, depositsPerMinute, trustedProxies } = config
  const addressOf = createClientAddress(trustedProxies, log)
  const limits: RequestLimits = {
    sessionsPerMinute,
    depositsPerMinute,
    addressOf,
    refused(reason) {
      telemetry.metrics.requestsRefused.inc({ role: 'vault', reason })
    },
  }
  return createVaultRoutes(vault, { library: readLibrary(config.vendor), log, limits })
}

/** @throws ConfigError when these roles need a vault that is in none of them, and nobody said where it is */
export function requireVault({ vaultService }: Config, roles: readonly Role[]): void {
  if (!roles.includes('vault') && roles.some(needsGateway)) serviceOf(vaultService)
}

function serviceOf({ url, keys }: Config['vaultService']) {
  if (url !== undefined && keys !== undefined) return { url, keys }
  throw new ConfigError(
    'COFRE_VAULT_SERVICE_URL',
    undefined,
    'where the vault answers its gateways, like http://127.0.0.1:8086; or give this process the role vault',
  )
}

/** The vault in another process. It need not be there yet. @throws ConfigError when nobody said where it is */
export function connectVault({
  config,
  log,
  clock,
  telemetry,
  closings,
}: ProcessParts): VaultClient {
  const { url, keys } = serviceOf(config.vaultService)
  const callerContext = () => ({
    requestId: currentRequest.getStore()?.requestId,
    traceparent: telemetry.tracing.traceparent(),
  })
  const client = createVaultClient({ url, keys, clock, callerContext, log })
  const check = watchVault(client, url, log)
  telemetry.samplers.push(reachSampler(telemetry.metrics, check))
  closings.push(() => {
    client.close()
    return Promise.resolve()
  })
  // The watch has told of it.
  void check().catch(() => undefined)
  return client
}
