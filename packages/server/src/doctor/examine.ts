import { type Clock, ENVIRONMENTS } from '@cofre/contracts'
import type { Config, Mode, Role } from '../config/config.js'
import { ConfigError } from '../config/errors.js'
import { type ConfiguredDatabase, databasesOf, folderOf } from '../installation/databases.js'
import { exposuresOf } from '../installation/files.js'
import { areVaultKeysGiven } from '../installation/keys.js'
import { ALL_IN_ONE, installedRoles } from '../installation/roles.js'
import { checkAccounts, checkCardAccounts } from './account-checks.js'
import { checkCardFields } from './card-field-checks.js'
import { checkConfiguration, servingRoles } from './configuration-checks.js'
import { checkConsole, checkLetters } from './console-checks.js'
import { checkDatabase, checkPages } from './database-checks.js'
import { FOLDER_ADVICE, checkFolder } from './folder-checks.js'
import { checkEvents } from './event-checks.js'
import { checkDumps } from './dump-checks.js'
import { type Finding, about, messageOf } from './finding.js'
import { checkGatewayKeys, checkVaultKeys, checkVaultRecords } from './key-checks.js'
import {
  PUBLIC_ROLES,
  checkNotifications,
  checkPort,
  checkPublicUrl,
  checkVaultService,
} from './network-checks.js'
import { checkParked } from './parked-checks.js'
import { checkReferences } from './reference-checks.js'

/** The installation to examine. */
interface Installation {
  /** Reads the configuration. @throws ConfigError */
  readonly config: (mode: Mode) => Config
  readonly clock: Clock
}

type Found = Finding | undefined | Iterable<Finding | undefined>

/**
 * Checks everything that a start of these roles needs, and changes nothing.
 * @param named - Roles for this machine; undefined for those that the variables describe.
 */
export async function examine(
  { config: read, clock }: Installation,
  named: readonly Role[] | undefined,
): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = read('serve')
  } catch (error) {
    const advice = error instanceof ConfigError ? error.advice : 'see docs/configuration.md'
    return [about('configuration').problem(messageOf(error), advice)]
  }
  const findings = await examineRoles(config, clock, named ?? localRoles(config))
  return findings.filter((finding) => finding !== undefined)
}

async function examineRoles(
  config: Config,
  clock: Clock,
  roles: readonly Role[],
): Promise<readonly (Finding | undefined)[]> {
  const databases = databasesOf(config, roles)
  const hasVault = databases.some(({ name }) => name === 'vault')
  const environments = ENVIRONMENTS.filter((each) => databases.some(({ name }) => name === each))
  const serving = servingRoles(roles)
  const hasStores = environments.length > 0
  const hasConsole = roles.includes('panel')
  const sendsNotifications = roles.includes('worker')
  const findings: Found[] = [
    checkConfiguration(config, roles),
    foldersOf(config, databases).map(checkFolder),
    exposuresOf(config, roles).map(({ finding, advice }) =>
      about('files of keys and cards').problem(finding, advice),
    ),
    ...(await Promise.all([
      ...databases.map((database) => checkDatabase(config, database)),
      guarded('vault keys', hasVault, () => checkVaultKeys(config, clock)),
      guarded('gateway key', hasStores, () => checkGatewayKeys(config, clock, environments)),
      ...environments.map((environment) =>
        guarded('accounts', true, () => checkAccounts(config, clock, environment)),
      ),
      guarded('accounts', hasVault, () => checkCardAccounts(config, clock)),
      ...environments.map((environment) =>
        guarded('card fields', true, () => checkCardFields(config, clock, environment)),
      ),
      ...environments.map((environment) =>
        guarded('references', true, () => checkReferences(config, environment)),
      ),
      guarded('events', environments.includes('production'), () => checkEvents(config, clock)),
      guarded('parked work', hasVault, () => checkParked(config)),
      checkDumps(config, databases),
      checkVaultService(config, clock),
      hasConsole ? checkLetters(config) : undefined,
      ...PUBLIC_ROLES.filter((role) => serving.includes(role)).map((role) =>
        checkPublicUrl(config, role),
      ),
    ])),
    hasConsole ? checkConsole(config) : undefined,
    // In development, notifications may reach this machine, which is no finding.
    sendsNotifications && config.mode === 'serve' ? checkNotifications(config) : undefined,
  ]
  // Afterwards, because other checks listen on these ports themselves.
  findings.push(await Promise.all(serving.map((role) => checkPort(config, role))))
  // Last, because these may block this process for minutes.
  findings.push(await Promise.all(databases.map((database) => checkPages(config, database))))
  findings.push(await guarded('vault records', hasVault, () => checkVaultRecords(config, clock)))
  return findings.flatMap((found) =>
    found !== undefined && Symbol.iterator in found ? [...found] : found,
  )
}

/** If the data directory is not readable, which is its own finding, all roles are checked. */
function localRoles(config: Config): readonly Role[] {
  try {
    const roles = installedRoles(config)
    // A vault alone also listens for acquirers' reports.
    return roles.includes('api') ? roles : [...roles, 'notices']
  } catch {
    return ALL_IN_ONE
  }
}

/** A check that fails, for example on an unreadable file, is also a finding. */
async function guarded(
  subject: string,
  isHere: boolean,
  check: () => Promise<Found>,
): Promise<Found> {
  if (!isHere) return undefined
  try {
    return await check()
  } catch (error) {
    return about(subject).problem(messageOf(error), FOLDER_ADVICE)
  }
}

/** Folders of this configuration's files: SQLite databases, and keys that no variable gives. */
function foldersOf(config: Config, databases: readonly ConfiguredDatabase[]): readonly string[] {
  const folders = databases.flatMap((database) => folderOf(config, database) ?? [])
  const keepsKeys = databases.some(({ name }) =>
    name === 'vault' ? !areVaultKeysGiven(config) : config.gatewayKeys === undefined,
  )
  return [...new Set(keepsKeys ? [config.dataDir, ...folders] : folders)]
}
