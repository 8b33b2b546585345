import type { Clock } from '@cofre/contracts'
import type { Logger } from 'pino'
import { openGateways, serveGateways, startWorkers } from './compose-gateway.js'
import { serveMetrics } from './compose-metrics.js'
import { connectVault, openVault, requireVault, serveVault } from './compose-vault.js'
import { type Config, type Role, needsGateway } from './config/config.js'
import { refuseDamagedFiles } from './damaged-files.js'
import { watchDescriptors } from './descriptors.js'
import { refuseExposed } from './exposed-files.js'
import { createIntake } from './http/intake.js'
import { watchClock } from './observability/clock-watch.js'
import { createTelemetry } from './observability/telemetry.js'
import { PLAYED_BANK, playsProductionsBank } from './played-bank.js'
import { endProcess, endService } from './process-end.js'
import type { ProcessParts } from './process-parts.js'
import { lockServedFiles } from './serving-lock.js'
import { standsAloneUnreachably } from './zone.js'

/** A running process. */
export interface RunningCofre {
  /**
   * Says so in `/readyz`, waits as long as was configured, then stops listening and working, lets what runs finish, closes the databases; all in bounded time. Resolves to false when
   * something was left.
   */
  close(): Promise<boolean>
}

const systemClock: Clock = { now: () => Date.now() }

/**
 * Starts the roles in this process. Card data is in the processes with the role vault, and in no other.
 * @throws ConfigError, ListenError, and what a database or a key file refuses with
 */
export async function startCofre(
  config: Config,
  roles: readonly Role[],
  log: Logger,
): Promise<RunningCofre> {
  const telemetry = createTelemetry(config, log)
  const parts: ProcessParts = {
    config,
    log,
    clock: systemClock,
    telemetry,
    intake: createIntake(config),
    stops: [],
    closings: [() => telemetry.tracing.close()],
  }
  try {
    await start(parts, rolesHere(config, roles))
    return {
      async close() {
        telemetry.readiness.stopping()
        await new Promise((resolve) => setTimeout(resolve, config.drainMs))
        return await endService(parts, log)
      },
    }
  } catch (error) {
    await endProcess(parts, log)
    throw error
  }
}

// Pages are loaded where they are served: a process in service is smaller without them.
async function start(parts: ProcessParts, roles: readonly Role[]): Promise<void> {
  const { config, log, clock, telemetry, stops } = parts
  requireVault(config, roles)
  refuseExposed(config, roles)
  // Before anything is written or listened on: it may be another process's.
  await lockServedFiles(parts, roles)
  await refuseDamagedFiles(parts, roles)
  if (standsAloneUnreachably(config, roles))
    log.warn(
      {},
      'COFRE_VAULT_SERVICE_KEY is not set: this vault stands alone and answers no gateway',
    )
  if (playsProductionsBank(config, roles)) {
    log.warn({}, PLAYED_BANK)
    telemetry.metrics.acquirer.set({ environment: 'production', acquirer: 'sandbox' }, 1)
  }
  if (roles.includes('metrics') || config.showsMetrics) await serveMetrics(parts)
  const vault = roles.includes('vault') ? await openVault(parts) : undefined
  if (roles.some(needsGateway)) {
    const gateways = await openGateways(parts, vault ?? connectVault(parts), roles)
    if (roles.includes('worker')) startWorkers(parts, gateways)
    await serveGateways(parts, gateways, roles)
    if (roles.includes('panel') && gateways.sandbox !== undefined) {
      const { servePanel } = await import('./compose-panel.js')
      const { sandbox, production } = gateways
      await servePanel(parts, { sandbox, production, hasShop: roles.includes('demo') })
    }
  }
  if (vault !== undefined) await serveVault(parts, vault)
  if (roles.includes('demo')) await (await import('./compose-demo.js')).serveDemo(parts)
  const stopWatching = watchClock({ clock, log }, () => {
    telemetry.metrics.clockJumps.inc()
  })
  const stopLooking = watchDescriptors(log)
  stops.push(() => {
    stopWatching()
    stopLooking()
    return Promise.resolve()
  })
  telemetry.readiness.started()
  log.info({ roles }, 'started')
}

/** `dev` runs everything but a vault that runs elsewhere. */
function rolesHere({ mode, vaultService }: Config, roles: readonly Role[]): readonly Role[] {
  const isElsewhere = mode === 'dev' && vaultService.url !== undefined
  return isElsewhere ? roles.filter((role) => role !== 'vault') : roles
}
