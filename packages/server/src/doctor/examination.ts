import type { Clock } from '@cofre/contracts'
import type { Config, Role, ServingRole } from '../config/config.js'
import { misspeltSentence } from '../config/misspelt-variables.js'
import { configuredDatabases } from '../configured-databases.js'
import { checkDatabase } from './database-checks.js'
import { type Finding, messageOf, ok, problem, warning } from './finding.js'
import { checkGatewayKeys, checkVaultKeys } from './key-checks.js'
import {
  checkNotifications,
  checkPort,
  checkPublicUrl,
  checkVaultService,
  servingRoles,
} from './network-checks.js'

/** What is examined. */
export interface Patient {
  /** Reads the configuration. @throws ConfigError */
  config(mode: Config['mode']): Config
  readonly clock: Clock
  /** The roles that are to run on this machine. */
  readonly roles: readonly Role[]
}

/** Those that others are told an address of. */
const PUBLIC_ROLES: readonly ServingRole[] = ['api', 'sandbox', 'vault']

const NOTHING: Promise<readonly Finding[]> = Promise.resolve([])

/** Looks at everything that a start of these roles needs, and changes nothing. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const unfit = new Set<string>()
  const config = readableConfig(patient, unfit)
  const advice = 'set the variable; see README.md'
  return [
    ...[...unfit].map((finding) => problem('configuration', finding, advice)),
    ...(config === undefined ? [] : await examineConfigured(patient, config)),
  ]
}

/** That of `serve`. What `npm start` runs may lack what service wants said: the rest of it is looked at none the less. */
function readableConfig(patient: Patient, unfit: Set<string>): Config | undefined {
  for (const mode of ['serve', 'dev'] as const) {
    try {
      return patient.config(mode)
    } catch (error) {
      unfit.add(messageOf(error))
    }
  }
  return undefined
}

async function examineConfigured(
  { clock, roles }: Patient,
  config: Config,
): Promise<readonly Finding[]> {
  const databases = configuredDatabases(config).filter(({ name }) =>
    name === 'vault'
      ? roles.includes('vault')
      : roles.some((role) => role !== 'vault' && role !== 'metrics'),
  )
  const vault = databases.find(({ name }) => name === 'vault')
  const ofStores = databases.filter(({ name }) => name === 'production' || name === 'sandbox')
  const serving = servingRoles(roles)
  const findings = await Promise.all([
    Promise.resolve(configurationOf(config, roles)),
    ...databases.map(checkDatabase),
    vault === undefined ? NOTHING : checkVaultKeys(config, clock, vault),
    ofStores.length === 0 ? NOTHING : checkGatewayKeys(config, clock, ofStores),
    checkVaultService(config, clock),
    Promise.all(
      PUBLIC_ROLES.filter((role) => serving.includes(role)).map((role) =>
        checkPublicUrl(config, role),
      ),
    ),
    // In development they may reach this machine, which is no finding.
    Promise.resolve(
      roles.includes('worker') && config.mode === 'serve' ? [checkNotifications(config)] : [],
    ),
  ])
  // Afterwards: while it looks, this process listens on these ports itself.
  const ports = await Promise.all(serving.map((role) => checkPort(config, role)))
  return [...findings.flat(), ...ports]
}

function configurationOf(config: Config, roles: readonly Role[]): readonly Finding[] {
  const subject = 'configuration'
  const needsVault = roles.some((role) => role === 'api' || role === 'sandbox' || role === 'worker')
  const misspelt = config.misspelt.map((variable) =>
    warning(subject, misspeltSentence(variable), 'correct its name, or remove it'),
  )
  const isVaultKnown = roles.includes('vault') || config.vaultService.url !== undefined
  return [
    needsVault && !isVaultKnown
      ? problem(
          subject,
          'no vault is in these roles, and COFRE_VAULT_SERVICE_URL is not set',
          'set it, or add the role vault',
        )
      : ok(subject, `readable; data in ${config.dataDir}`),
    ...misspelt,
  ]
}
