import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import type { Config, Role } from './config/config.js'

type WorkerConfig = Pick<Config, 'workerEnvironments'>

/** The environments that processes with these roles serve or work for. */
export function environmentsOf(
  { workerEnvironments }: WorkerConfig,
  roles: readonly Role[],
): readonly Environment[] {
  const has = (...some: readonly Role[]): boolean => some.some((role) => roles.includes(role))
  const isServed = { production: has('api'), sandbox: has('sandbox', 'panel') }
  return ENVIRONMENTS.filter(
    (each) => isServed[each] || (has('worker') && workerEnvironments.includes(each)),
  )
}

/** The same as a question. */
export function servedIn(
  config: WorkerConfig,
  roles: readonly Role[],
): (environment: Environment) => boolean {
  const served = environmentsOf(config, roles)
  return (environment) => served.includes(environment)
}

/** Whether the sandbox's databases are opened: production's API, too, writes the refunds there that have `test-mode: 1`. */
export function reachesSandbox(config: WorkerConfig, roles: readonly Role[]): boolean {
  return roles.includes('api') || servedIn(config, roles)('sandbox')
}
