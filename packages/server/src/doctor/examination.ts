import type { Clock } from '@cofre/contracts'
import type { Config, Role } from '../config/config.js'
import { ConfigError } from '../config/variable.js'
import { type ConfiguredDatabase, databasesOf, folderOf } from '../configured-databases.js'
import { exposuresOf } from '../exposed-files.js'
import { ALL_IN_ONE, rolesOfZone } from '../zone.js'
import { checkConfiguration } from './configuration-checks.js'
import { checkDatabase, checkPages } from './database-checks.js'
import { FOLDER_ADVICE, checkFolder } from './folder-checks.js'
import { type Finding, messageOf, problem } from './finding.js'
import { RECORDS, checkGatewayKeys, checkVaultKeys, checkVaultRecords } from './key-checks.js'
import { checkNotifications, checkPort, checkVaultService, servingRoles } from './network-checks.js'
import { PUBLIC_ROLES, checkPublicUrl } from './public-url-check.js'

/** What is examined. */
export interface Patient {
  /** Reads the configuration. @throws ConfigError */
  config(mode: Config['mode']): Config
  readonly clock: Clock
  /** The roles that are to run on this machine; undefined for those of the zone that the variables describe. */
  readonly roles: readonly Role[] | undefined
}

const NOTHING: Promise<readonly Finding[]> = Promise.resolve([])

/** Looks at everything that a start of these roles needs, and changes nothing. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const unfit = new Map<string, string>()
  const config = readableConfig(patient, unfit)
  return [
    ...[...unfit].map(([finding, advice]) => problem('configuration', finding, advice)),
    ...(config === undefined ? [] : await examineConfigured(patient, config)),
  ]
}

/** That of `serve`. What `npm start` runs may lack what service wants said: the rest of it is looked at none the less. */
function readableConfig(patient: Patient, unfit: Map<string, string>): Config | undefined {
  for (const mode of ['serve', 'dev'] as const) {
    try {
      return patient.config(mode)
    } catch (error) {
      const advice = error instanceof ConfigError ? error.advice : 'see docs/configuration.md'
      unfit.set(messageOf(error), advice)
    }
  }
  return undefined
}

async function examineConfigured(
  { clock, roles: named }: Patient,
  config: Config,
): Promise<readonly Finding[]> {
  const roles = named ?? rolesHere(config)
  const databases = databasesOf(config, roles)
  const vault = databases.find(({ name }) => name === 'vault')
  const ofStores = databases.filter(({ name }) => name === 'production' || name === 'sandbox')
  const serving = servingRoles(roles)
  const findings = await Promise.all([
    Promise.resolve(checkConfiguration(config, roles)),
    Promise.resolve(foldersOf(config, databases).map(checkFolder)),
    Promise.resolve(
      exposuresOf(config, roles).map(({ finding, advice }) =>
        problem('files of keys and cards', finding, advice),
      ),
    ),
    ...databases.map(checkDatabase),
    vault === undefined
      ? NOTHING
      : guarded('vault keys', () => checkVaultKeys(config, clock, vault)),
    ofStores.length === 0
      ? NOTHING
      : guarded('gateway key', () => checkGatewayKeys(config, clock, ofStores)),
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
  // Last: they may take minutes, in which nothing else is done here.
  const pages = await Promise.all(databases.map(checkPages))
  const records =
    vault === undefined ? [] : await guarded(RECORDS, () => checkVaultRecords(config, clock, vault))
  return [...findings.flat(), ...ports, ...pages.flat(), ...records]
}

/** Where the data directory may not be seen, which is a finding of its own, all are looked at. */
function rolesHere(config: Config): readonly Role[] {
  try {
    return rolesOfZone(config)
  } catch {
    return ALL_IN_ONE
  }
}

/** What cannot even be looked at, like a file that this user may not see, is a finding too. */
async function guarded(
  subject: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [problem(subject, messageOf(error), FOLDER_ADVICE)]
  }
}

/** Where this configuration keeps files: those of SQLite, and keys that no variable gives. */
function foldersOf(config: Config, databases: readonly ConfiguredDatabase[]): readonly string[] {
  const folders = databases.flatMap(({ url }) => folderOf(url) ?? [])
  const keepsKeys = databases.some(({ name }) =>
    name === 'vault'
      ? config.vaultKeys === undefined && config.vaultKeyShares === undefined
      : config.gatewayKeys === undefined,
  )
  return [...new Set(keepsKeys ? [config.dataDir, ...folders] : folders)]
}
