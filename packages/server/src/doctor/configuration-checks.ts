import { type Config, type Role, needsGateway } from '../config/config.js'
import { misspeltSentence } from '../config/misspelt-variables.js'
import { VAULT_SERVICE_PORT } from '../config/vault-config.js'
import { PLAYED_BANK, playsProductionsBank } from '../played-bank.js'
import { standsAloneUnreachably } from '../zone.js'
import { type Finding, ok, problem, warning } from './finding.js'
import { servingRoles } from './network-checks.js'

const CONFIGURATION = 'configuration'

/** What the variables say, and how it fits together. */
export function checkConfiguration(config: Config, roles: readonly Role[]): readonly Finding[] {
  const isVaultKnown = roles.includes('vault') || config.vaultService.url !== undefined
  return [
    roles.some(needsGateway) && !isVaultKnown
      ? problem(
          CONFIGURATION,
          'no vault is in these roles, and COFRE_VAULT_SERVICE_URL is not set',
          'set it, or add the role vault',
        )
      : ok(CONFIGURATION, `readable; data in ${config.dataDir}`),
    ...config.misspelt.map((variable) =>
      warning(CONFIGURATION, misspeltSentence(variable), 'correct its name, or remove it'),
    ),
    ...(standsAloneUnreachably(config, roles)
      ? [
          warning(
            CONFIGURATION,
            'the vault stands alone, and COFRE_VAULT_SERVICE_KEY is not set: it answers no gateway',
            'set it to the same key as where the gateways run',
          ),
        ]
      : []),
    ...(playsProductionsBank(config, roles)
      ? [
          warning(
            'acquirer',
            PLAYED_BANK,
            'take no real orders with it: a real acquirer is code of yours (docs/operating.md)',
          ),
        ]
      : []),
    ...checkProxies(config, roles),
    ...checkSharedPorts(config, roles),
  ]
}

/** Behind a proxy that is not named, all shoppers have its address. */
function checkProxies(
  { endpoints, trustedProxies }: Config,
  roles: readonly Role[],
): readonly Finding[] {
  const secure = servingRoles(roles).filter((role) =>
    endpoints[role].publicUrl.startsWith('https:'),
  )
  const [first] = secure
  if (first === undefined || trustedProxies.rules.length > 0) return []
  return [
    warning(
      'proxies',
      `${endpoints[first].publicUrl} is https, so a proxy is in front, and COFRE_TRUSTED_PROXIES is not set: all shoppers count as one address, and are refused together`,
      "set it to the proxy's address or network",
    ),
  ]
}

interface Port {
  readonly port: number
  readonly variable: string
}

function checkSharedPorts(config: Config, roles: readonly Role[]): readonly Finding[] {
  const serving = new Set(servingRoles(roles))
  if (config.showsMetrics) serving.add('metrics')
  const ports: Port[] = [...serving].map((role) => {
    const { port, portVariable } = config.endpoints[role]
    return { port, variable: portVariable }
  })
  const { keys, port: servicePort } = config.vaultService
  if (serving.has('vault') && keys !== undefined)
    ports.push({ port: servicePort, variable: VAULT_SERVICE_PORT })
  return ports.flatMap(({ port, variable }, i) =>
    ports
      .slice(i + 1)
      .filter((other) => other.port === port)
      .map((other) =>
        problem(
          CONFIGURATION,
          `${variable} and ${other.variable} are one port, ${port}`,
          'give each a port of its own',
        ),
      ),
  )
}
