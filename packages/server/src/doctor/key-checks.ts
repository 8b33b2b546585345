import path from 'node:path'
import { type Clock, DAY_MS, ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { findLostSecrets } from '@cofre/gateway/upkeep'
import { isFileThere } from '@cofre/sql'
import { KeyRingError } from '@cofre/vault'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import {
  type ConfiguredDatabase,
  DATABASES,
  RESTORE_ADVICE,
  hasWrappedSecrets,
  neededVaultKeys,
} from '../installation/databases.js'
import {
  administerVault,
  areVaultKeysGiven,
  gatewayKeyFileOf,
  openGatewayKeys,
  vaultKeyFileOf,
} from '../installation/keys.js'
import { openStores } from '@cofre/gateway/upkeep'
import { FOLDER_ADVICE, writeProblem } from './folder-checks.js'
import { type Finding, about, messageOf } from './finding.js'

const KEY_AGE_MAX_DAYS = 365
const vaultKeys = about('vault keys')
const gatewayKey = about('gateway key')
const records = about('vault records')

/** Checks that the vault's keys exist and open the data keys that they wrapped. */
export async function checkVaultKeys(config: Config, clock: Clock): Promise<Finding | undefined> {
  const { ok, warning, problem } = vaultKeys
  const file = vaultKeyFileOf(config)
  const state = await stateOf(config, DATABASES.vault)
  if (state === 'unreachable') return undefined
  if (!areVaultKeysGiven(config) && !isFileThere(file)) {
    const isNeeded = state === 'ready' && (await neededVaultKeys(config)).length > 0
    return isNeeded
      ? problem(
          `${file} is gone`,
          'restore it from its backup: without it, no saved card can be opened and no account at an acquirer can be used',
        )
      : notYet(vaultKeys, file)
  }
  // Only opens an up-to-date database: the doctor changes nothing.
  if (state !== 'ready') return ok('they exist; update the database to check what they open')
  try {
    const keys = await administerVault(config, clock, async (administration) => {
      await administration.checkKeys()
      return await administration.keyStatus()
    })
    const sinceMs = keys.find((key) => key.state === 'current')?.inUseSinceMs ?? clock.now()
    const days = Math.floor((clock.now() - sinceMs) / DAY_MS)
    return days > KEY_AGE_MAX_DAYS
      ? warning(`the current key has been in use for ${days} days`, 'rotate it: cofre keys rotate')
      : ok(`they open what they wrapped; the current one has been in use for ${days} days`)
  } catch (error) {
    return problem(messageOf(error), 'see cofre keys status')
  }
}

/** Checks that every data key opens and the audit log is unchanged. Reads all of it. */
export async function checkVaultRecords(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const { ok, problem } = records
  if ((await stateOf(config, DATABASES.vault)) !== 'ready') return []
  try {
    return await administerVault(config, clock, async (administration) => {
      const unopened = await administration.unopenedDataKeys()
      const verdict = await administration.readAuditChain()
      return [
        unopened.length === 0
          ? ok('every data key opens')
          : problem(`data keys do not open: ${unopened.join(', ')}`, RESTORE_ADVICE),
        verdict.kind === 'intact'
          ? ok(`the audit log is intact up to entry ${verdict.head.position}`)
          : problem(
              `the audit log is broken at entry ${verdict.position}`,
              'see cofre audit verify: it was tampered with, or the database is damaged (docs/incidents.md)',
            ),
      ]
    })
  } catch (error) {
    // `checkVaultKeys` reports missing keys and keys that don't fit.
    if (error instanceof KeyRingError || error instanceof SetupError) return []
    return [problem(messageOf(error), RESTORE_ADVICE)]
  }
}

/** Checks that stores' secrets open in these environments, which share one key. */
export async function checkGatewayKeys(
  config: Config,
  clock: Clock,
  looked: readonly Environment[],
): Promise<readonly Finding[]> {
  const { ok, problem } = gatewayKey
  const file = gatewayKeyFileOf(config)
  const states = new Map<Environment, string>()
  for (const each of looked) states.set(each, await stateOf(config, DATABASES[each]))
  if ([...states.values()].every((state) => state === 'unreachable')) return []
  const environments = ENVIRONMENTS.filter((each) => states.get(each) === 'ready')
  if (config.gatewayKeys === undefined && !isFileThere(file)) {
    const wrapped = await Promise.all(environments.map((each) => hasWrappedSecrets(config, each)))
    const needing = environments.filter((_, i) => wrapped[i] === true)
    return [
      needing.length > 0
        ? problem(
            `${file} is missing; it opens the secrets of the stores of ${needing.join(' and ')} and of their accounts`,
            'restore it from its backup, or set COFRE_GATEWAY_KEY: without it, no store can sign and no account at a bank can be used; if it is lost, see docs/incidents.md',
          )
        : notYet(gatewayKey, file),
    ]
  }
  if (environments.length === 0)
    return [ok('it exists; update the databases to check what it opens')]
  return await Promise.all(environments.map((each) => openSecrets(config, clock, each)))
}

async function openSecrets(
  config: Config,
  clock: Clock,
  environment: Environment,
): Promise<Finding> {
  const { ok, problem } = gatewayKey
  return await DATABASES[environment].use(config, async (database) => {
    try {
      const keys = await openGatewayKeys(config)
      const { stores } = openStores({ environment, database, keys, clock })
      const { length } = await stores.list()
      const { people } = await findLostSecrets({ database, environment, keys, clock })
      if (people.length > 0)
        return problem(
          `does not open the authenticators of ${people.join(', ')}`,
          'restore its key from a backup; if it is lost, see docs/incidents.md',
        )
      return ok(`it opens the secrets of the stores of ${environment} (${length})`)
    } catch (error) {
      return problem(
        `in ${environment}, ${messageOf(error)}`,
        'check COFRE_GATEWAY_KEY and COFRE_DATA_DIR; if the key is lost, see docs/incidents.md',
      )
    }
  })
}

/** State of a database; `unreachable` for one that `checkDatabase` reports as out of reach. */
export async function stateOf(
  config: Config,
  database: ConfiguredDatabase,
): Promise<'ready' | 'new' | 'old' | 'unreachable'> {
  try {
    const { isNew, missing, unknown } = await database.inspect(config)
    if (isNew) return 'new'
    return missing.length + unknown.length > 0 ? 'old' : 'ready'
  } catch {
    return 'unreachable'
  }
}

function notYet({ ok, problem }: ReturnType<typeof about>, file: string): Finding {
  const reason = writeProblem(path.dirname(file))
  return reason === undefined
    ? ok('does not exist yet: the first start creates a key file')
    : problem(`does not exist, and cannot be created: ${reason}`, FOLDER_ADVICE)
}
