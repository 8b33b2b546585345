import { createSandboxAcquirer } from '@cofre/sandbox'
import { type Vault, createVault, createVaultAdministration } from '@cofre/vault'
import { type VaultClient, createVaultClient } from '@cofre/vault/client'
import { createServiceRoutes, createVaultRoutes } from '@cofre/vault/http'
import { ConfigError } from './config/variable.js'
import { VAULT_SERVICE_PORT } from './config/vault-config.js'
import { createClientAddress } from './http/client-address.js'
import { listen } from './http/listen.js'
import { readLibrary } from './library-file.js'
import { type ProcessParts, listenAs } from './process-parts.js'
import { startSweeper } from './sweeper.js'
import { openConfiguredVaultDatabase } from './vault-administration.js'
import { keyFileOf, openVaultKeys } from './vault-keys.js'

/** Opens the vault in this process. */
export async function openVault({ config, log, clock, closings }: ProcessParts): Promise<Vault> {
  const { keeper, keys } = await openVaultKeys(config)
  if (keeper === 'file' && keys.isNew && config.mode === 'serve')
    log.warn({ file: keyFileOf(config) }, 'a key was created: back it up, apart from the database')
  if (keeper === 'file' && keys.isExposed)
    log.warn({ file: keyFileOf(config) }, 'others may read the key file: chmod 600 it')
  const database = await openConfiguredVaultDatabase(config)
  closings.push(() => database.close())
  await createVaultAdministration({ database, keys, clock }).claimKeys()
  const acquirer = createSandboxAcquirer()
  return createVault({
    database,
    keys,
    acquirers: { production: acquirer, sandbox: acquirer },
    clock,
    log,
  })
}

/** Serves browsers, and gateways in other processes on a port of their own. @throws ListenError */
export async function serveVault(parts: ProcessParts, vault: Vault): Promise<void> {
  const { config, log, clock, closings } = parts
  closings.push(startSweeper(vault, log))
  await listenAs(parts, 'vault', browserRoutes(parts, vault).fetch)
  const { keys, port } = config.vaultService
  if (keys === undefined) return
  const service = {
    role: 'vault-service',
    host: config.host,
    port,
    portVariable: VAULT_SERVICE_PORT,
    fetch: createServiceRoutes(vault, { keys, clock, log }).fetch,
  }
  closings.push(await listen(service, log))
}

function browserRoutes({ config, log }: ProcessParts, vault: Vault) {
  const { sessionsPerMinute, depositsPerMinute, trustedProxies } = config
  const addressOf = createClientAddress(trustedProxies, log)
  const limits = { sessionsPerMinute, depositsPerMinute, addressOf }
  return createVaultRoutes(vault, { library: readLibrary(config.vendor), log, limits })
}

/** The vault in another process. It need not be there yet. @throws ConfigError when nobody said where it is */
export function connectVault({ config, log, clock, closings }: ProcessParts): VaultClient {
  const { url, keys } = config.vaultService
  if (url === undefined || keys === undefined) {
    throw new ConfigError(
      'COFRE_VAULT_SERVICE_URL',
      undefined,
      'where the vault answers its gateways, like http://127.0.0.1:8086; or give this process the role vault',
    )
  }
  const client = createVaultClient({ url, keys, clock })
  closings.push(() => {
    client.close()
    return Promise.resolve()
  })
  void client.ping().catch((error: unknown) => {
    log.warn({ url, error }, 'the vault does not answer; cards cannot be charged until it does')
  })
  return client
}
