import { ENVIRONMENTS } from '@cofre/contracts'
import { createSandboxAcquirer } from '@cofre/sandbox'
import {
  type Vault,
  type VaultAdministration,
  createVault,
  createVaultAdministration,
} from '@cofre/vault'
import { type VaultClient, createVaultClient } from '@cofre/vault/client'
import { type RequestLimits, createServiceRoutes, createVaultRoutes } from '@cofre/vault/http'
import { startDueWork } from '@cofre/work'
import { createClientAddress } from '../http/addresses.js'
import { listen } from '../http/listen.js'
import { createOriginPage } from '../http/origin-page.js'
import { DATABASES } from '../installation/databases.js'
import { openVaultKeys, vaultKeyFileOf } from '../installation/keys.js'
import { readCardFields, readLibrary } from '../installation/library.js'
import { vaultServiceOf } from '../installation/roles.js'
import { devStore } from '../installation/test-store.js'
import { currentRequest } from '../observability/log.js'
import {
  chargeObserver,
  observedAcquirers,
  observedDatabase,
  tracedAcquirer,
} from '../observability/observed-ports.js'
import { cachedForAMinute, workerCheck } from '../observability/readiness.js'
import { reachSampler, vaultJobSampler, vaultSampler } from '../observability/samplers.js'
import { watchDatabase, watchVault } from '../observability/telemetry.js'
import { createAcquirerConnections } from './providers/acquirer-connections.js'
import { openForService } from './gateway/opened-database.js'
import { type ProcessParts, listenAs, servingDeps } from './parts.js'
import type { SimulatedAcquirers } from './providers/simulated-acquirers.js'
import {
  prepareSimulatorAccounts,
  refuseSimulatorAccounts,
} from './providers/simulator-accounts.js'

/** An open vault that does not serve yet. */
export interface OpenedVault {
  readonly vault: Vault
  /** In `npm start`: the simulated acquirers. */
  readonly simulated: SimulatedAcquirers | undefined
}

export async function openVault(parts: ProcessParts): Promise<OpenedVault> {
  const { config, log, clock, telemetry, closings } = parts
  const { keeper, keys } = await openVaultKeys(config)
  if (keeper === 'file' && keys.isNew && config.mode === 'serve')
    log.warn(
      { file: vaultKeyFileOf(config) },
      'a key was created: back it up, apart from the database',
    )
  const opened = await openForService(parts, DATABASES.vault)
  const database = observedDatabase(opened, 'vault', telemetry)
  const administration = createVaultAdministration({ database, keys, clock })
  await administration.claimKeys()
  watchDatabase(parts, { readiness: 'vault', metric: 'vault' }, database)
  const { metrics, readiness, samplers } = telemetry
  readiness.add(
    'vault keys',
    cachedForAMinute(() => administration.checkKeys()),
  )
  const simulated = await prepareAccounts(parts, administration)
  const acquirers = createAcquirerConnections({
    tools: { clock, log },
    simulated: simulated?.connect,
  })
  closings.push(() => acquirers.close())
  const vault = createVault({
    database,
    keys,
    clock,
    log,
    connectionOf: observedAcquirers(acquirers.of, telemetry),
    installmentsOf: acquirers.installmentsOf,
    captureDaysOf: acquirers.captureDaysOf,
    // In production, money moves only through accounts.
    played: { sandbox: tracedAcquirer(createSandboxAcquirer(), telemetry) },
    observer: chargeObserver(metrics),
  })
  samplers.push(vaultSampler(metrics, vault, { keyStatus: administration.keyStatus, clock }))
  return { vault, simulated }
}

/** Cards of the test store in production use simulated acquirers. */
async function prepareAccounts(
  parts: ProcessParts,
  { accounts }: VaultAdministration,
): Promise<SimulatedAcquirers | undefined> {
  const { config, clock, log } = parts
  if (config.mode === 'serve') {
    for (const environment of ENVIRONMENTS)
      await refuseSimulatorAccounts(accounts(environment), environment)
    return undefined
  }
  const production = accounts('production')
  const merchantId = devStore(config).id
  const store = { accounts: production, storeId: merchantId }
  await prepareSimulatorAccounts('card', { ...store, log, nowMs: clock.now() })
  const { createSimulatedAcquirers } = await import('./providers/simulated-acquirers.js')
  return createSimulatedAcquirers(parts, { clock, log }, async () => {
    const known = await production.list(merchantId)
    const played = known.filter(({ kind }) => kind === 'simulator')
    const found = await Promise.all(played.map(({ id }) => production.find(id)))
    return found.filter((account) => account !== undefined)
  })
}

/** Serves browsers, and on another port gateways in other processes. @throws ListenError */
export async function serveVault(parts: ProcessParts, vault: Vault): Promise<void> {
  const { config, log, clock, telemetry, stops } = parts
  const upkeep = startDueWork(vault.upkeep, { log })
  const job = startDueWork(vault.followUp, { log })
  stops.push(
    () => upkeep.stop(),
    () => job.stop(),
  )
  telemetry.readiness.add('vault job', workerCheck(job))
  telemetry.samplers.push(vaultJobSampler(telemetry.metrics, job))
  const limits: RequestLimits = {
    sessionsPerMinute: config.sessionsPerMinute,
    depositsPerMinute: config.depositsPerMinute,
    addressOf: createClientAddress(config.trustedProxies, log),
    refused(reason) {
      telemetry.metrics.requestsRefused.inc({ role: 'vault', reason })
    },
  }
  const library = readLibrary(config.vendor)
  const { docsOrigin, endpoints } = config
  const cardFields = {
    files: readCardFields(config.vendor),
    paymentPageOrigins: [endpoints.api.publicUrl, endpoints.sandbox.publicUrl],
  }
  const routes = createVaultRoutes(vault, { library, cardFields, log, limits, docsOrigin })
  await listenAs(parts, 'vault', routes.route('/', createOriginPage('vault', config)))
  const { keys, url = '', ...place } = config.vaultService
  if (keys === undefined) return
  const close = await listen({
    ...place,
    role: 'vault-service',
    publicUrl: url,
    application: createServiceRoutes(vault, { keys, clock, log }),
    // Any caller of this port may name its request and trace. Both have a bounded form, appear only
    // in log and traces, and are separate from the signature: access does not depend on them.
    serving: { ...servingDeps(parts, '', 'bounded'), isTrustedPeer: () => true },
  })
  stops.push(close)
}

/**
 * The vault in another process, which may start later. @throws ConfigError if its address is
 * unknown
 */
export function connectVault(parts: ProcessParts): VaultClient {
  const { config, log, clock, telemetry, closings } = parts
  const { url, keys } = vaultServiceOf(config)
  const callerContext = () => ({
    requestId: currentRequest.getStore()?.requestId,
    traceparent: telemetry.tracing.traceparent(),
  })
  const client = createVaultClient({ url, keys, clock, callerContext, log })
  const check = watchVault(client, url, log)
  telemetry.samplers.push(reachSampler(telemetry.metrics, check))
  closings.push(() => {
    client.close()
  })
  // The watch logs it.
  void check().catch(() => undefined)
  return client
}
