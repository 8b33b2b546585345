import type { Clock } from '@cofre/contracts'
import type { Logger } from 'pino'
import { serveDemo } from './compose-demo.js'
import { openGateways, serveGateways, startWorkers } from './compose-gateway.js'
import { servePanel } from './compose-panel.js'
import { connectVault, openVault, serveVault } from './compose-vault.js'
import type { Config, Role } from './config/config.js'
import type { ProcessParts } from './process-parts.js'

/** A running process. */
export interface RunningCofre {
  /** Stops listening, lets running requests finish, closes the databases. */
  close(): Promise<void>
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
  const parts: ProcessParts = { config, log, clock: systemClock, closings: [] }
  const close = async (): Promise<void> => {
    for (const closing of parts.closings.splice(0).reverse()) await closing()
  }
  try {
    await start(parts, rolesHere(config, roles))
    return { close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(parts: ProcessParts, roles: readonly Role[]): Promise<void> {
  const vault = roles.includes('vault') ? await openVault(parts) : undefined
  if (roles.some(needsGateway)) {
    const gateways = await openGateways(parts, vault ?? connectVault(parts))
    if (roles.includes('worker')) startWorkers(parts, gateways)
    await serveGateways(parts, gateways, roles)
    if (roles.includes('panel'))
      await servePanel(parts, { desk: gateways.desk, hasShop: roles.includes('demo') })
  }
  if (vault !== undefined) await serveVault(parts, vault)
  if (roles.includes('demo')) await serveDemo(parts)
  parts.log.info({ roles }, 'started')
}

/** `dev` runs everything but a vault that runs elsewhere. */
function rolesHere({ mode, vaultService }: Config, roles: readonly Role[]): readonly Role[] {
  const isElsewhere = mode === 'dev' && vaultService.url !== undefined
  return isElsewhere ? roles.filter((role) => role !== 'vault') : roles
}

function needsGateway(role: Role): boolean {
  return role === 'api' || role === 'sandbox' || role === 'panel' || role === 'worker'
}
