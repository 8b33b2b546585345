import path from 'node:path'
import { createSandboxAcquirer } from '@cofre/sandbox'
import { type Vault, createVault, loadKeyFile, openVaultDatabase } from '@cofre/vault'
import { type VaultClient, createVaultClient } from '@cofre/vault/client'
import { createServiceRoutes, createVaultRoutes } from '@cofre/vault/http'
import { VAULT_SERVICE_PORT } from './config/config.js'
import { ConfigError } from './config/variable.js'
import { listen } from './http/listen.js'
import { readLibrary } from './library-file.js'
import { type ProcessParts, listenAs } from './process-parts.js'
import { setUp } from './setup-error.js'
import { startSweeper } from './sweeper.js'

/** Opens the vault in this process. */
export async function openVault({ config, log, clock, closings }: ProcessParts): Promise<Vault> {
  const keys = config.vaultKeys ?? (await loadKeyFile(path.join(config.dataDir, 'vault-keys')))
  const database = await setUp(
    'The database that COFRE_VAULT_DATABASE_URL names cannot be opened: check that it is there and may be written',
    () => openVaultDatabase(config.vaultDatabaseUrl),
  )
  closings.push(() => database.close())
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
  const { fetch } = createVaultRoutes(vault, { library: readLibrary(config.vendor), log })
  await listenAs(parts, 'vault', fetch)
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
