import type { Config, Role, ServingRole } from '../config/config.js'
import { isVaultUnreachable, opensGateway } from '../installation/roles.js'
import { type Finding, about } from './finding.js'

const { ok, warning, problem } = about('configuration')

/** Checks that the variables fit together. */
export function* checkConfiguration(config: Config, roles: readonly Role[]): Iterable<Finding> {
  const isVaultKnown = roles.includes('vault') || config.vaultService.url !== undefined
  yield opensGateway(roles) && !isVaultKnown
    ? problem(
        'these roles include no vault, and COFRE_VAULT_SERVICE_URL is not set',
        'set it, or add the role vault',
      )
    : ok(`readable; data in ${config.dataDir}`)
  for (const sentence of config.misspelt) yield warning(sentence, 'correct its name, or remove it')
  if (isVaultUnreachable(config, roles))
    yield warning(
      'the vault runs alone without COFRE_VAULT_SERVICE_KEY, so it answers no gateway',
      'set it to the gateways’ key',
    )
  yield* checkProxies(config, roles)
  yield* checkSharedPorts(config, roles)
}

/** The listening roles among these. */
export function servingRoles(roles: readonly Role[]): readonly ServingRole[] {
  return roles.filter((role) => role !== 'worker')
}

/** Behind an unknown proxy, all shoppers share its address. */
function* checkProxies(config: Config, roles: readonly Role[]): Iterable<Finding> {
  const urls = servingRoles(roles).map((role) => config.endpoints[role].publicUrl)
  const secure = urls.find((url) => url.startsWith('https:'))
  if (secure === undefined || config.trustedProxies.rules.length > 0) return
  yield about('proxies').warning(
    `${secure} is https, so it is behind a proxy, but COFRE_TRUSTED_PROXIES is not set: all shoppers count as one address and are refused together`,
    "set it to the proxy's address or network",
  )
}

function* checkSharedPorts(config: Config, roles: readonly Role[]): Iterable<Finding> {
  const serving = new Set(servingRoles(roles))
  if (config.showsMetrics) serving.add('metrics')
  const { keys, ...service } = config.vaultService
  const isServiceOpen = serving.has('vault') && keys !== undefined
  const ports = [
    ...[...serving].map((role) => config.endpoints[role]),
    ...(isServiceOpen ? [service] : []),
  ]
  for (const [i, { port, portVariable }] of ports.entries())
    for (const other of ports.slice(i + 1))
      if (other.port === port)
        yield problem(
          `${portVariable} and ${other.portVariable} are the same port, ${port}`,
          'set different ports',
        )
}
