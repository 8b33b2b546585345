import path from 'node:path'
import { type Clock, DAY_MS, ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { isFileThere } from '@cofre/sql'
import { KeyRingError } from '@cofre/vault'
import { createSecretWrapping, createSqlMerchantStore } from '@cofre/gateway'
import type { Config } from '../config/config.js'
import type { ConfiguredDatabase } from '../configured-databases.js'
import { neededVaultKeys } from '../configured-vault-database.js'
import { hasWrappedSecrets, openEnvironmentDatabase } from '../environment-database.js'
import { gatewayKeyFileOf, openGatewayKeys } from '../gateway-keys.js'
import { RESTORE_ADVICE } from '../opened-database.js'
import { SetupError } from '../setup-error.js'
import { administerVault } from '../vault-administration.js'
import { keyFileOf } from '../vault-keys.js'
import { FOLDER_ADVICE, whyNotWritable } from './folder-checks.js'
import { type Finding, messageOf, ok, problem, warning } from './finding.js'

const KEY_AGE_MAX_DAYS = 365
const GATEWAY_KEY = 'gateway key'
export const RECORDS = 'vault records'

/** Whether the vault's keys are there and open what they have wrapped. */
export async function checkVaultKeys(
  config: Config,
  clock: Clock,
  vault: ConfiguredDatabase,
): Promise<readonly Finding[]> {
  const subject = 'vault keys'
  const isGiven = config.vaultKeys !== undefined || config.vaultKeyShares !== undefined
  const file = keyFileOf(config)
  const state = await stateOf(vault)
  if (state === 'unreachable') return []
  if (!isGiven && !isFileThere(file))
    return [
      state === 'ready' && (await neededVaultKeys(config)).length > 0
        ? problem(
            subject,
            `${file} is gone`,
            'bring it back from its backup: without it no saved card opens',
          )
        : notYet(subject, file),
    ]
  // Only what is up to date is opened: the doctor changes nothing.
  if (state !== 'ready')
    return [ok(subject, 'there; what they open is seen once the database is up to date')]
  try {
    const keys = await administerVault(config, clock, async (administration) => {
      await administration.checkKeys()
      return await administration.keyStatus()
    })
    const sinceMs = keys.find((key) => key.state === 'current')?.inUseSinceMs ?? clock.now()
    const days = Math.floor((clock.now() - sinceMs) / DAY_MS)
    const age =
      days > KEY_AGE_MAX_DAYS
        ? warning(subject, `the current key is ${days} days in use`, 'rotate it: cofre keys rotate')
        : ok(subject, `there, and open what they wrapped; the current one is ${days} days in use`)
    return [age]
  } catch (error) {
    return [problem(subject, messageOf(error), 'see cofre keys status')]
  }
}

/** Whether what the vault has sealed is as it was: every data key opens, and no entry of the audit log was changed. Reads all of it. */
export async function checkVaultRecords(
  config: Config,
  clock: Clock,
  vault: ConfiguredDatabase,
): Promise<readonly Finding[]> {
  if ((await stateOf(vault)) !== 'ready') return []
  try {
    return await administerVault(config, clock, async (administration) => {
      const unopened = await administration.unopenedDataKeys()
      const verdict = await administration.readAuditChain()
      return [
        unopened.length === 0
          ? ok(RECORDS, 'every data key opens')
          : problem(RECORDS, `data keys do not open: ${unopened.join(', ')}`, RESTORE_ADVICE),
        verdict.kind === 'intact'
          ? ok(RECORDS, `the audit log is whole to its entry ${verdict.head.position}`)
          : problem(
              RECORDS,
              `the audit log is broken at entry ${verdict.position}`,
              'see cofre audit verify: it was tampered with, or the database is damaged (docs/incidents.md)',
            ),
      ]
    })
  } catch (error) {
    // Keys that are not there, or open nothing: the check of the keys has told.
    if (error instanceof KeyRingError || error instanceof SetupError) return []
    return [problem(RECORDS, messageOf(error), RESTORE_ADVICE)]
  }
}

/** Whether the stores' secrets open, in the environments whose databases these are: one key wraps those of both. */
export async function checkGatewayKeys(
  config: Config,
  clock: Clock,
  databases: readonly ConfiguredDatabase[],
): Promise<readonly Finding[]> {
  const file = gatewayKeyFileOf(config)
  const states = await Promise.all(databases.map(stateOf))
  if (states.every((state) => state === 'unreachable')) return []
  const environments = ENVIRONMENTS.filter((environment) =>
    databases.some(({ name }, i) => name === environment && states[i] === 'ready'),
  )
  if (config.gatewayKeys === undefined && !isFileThere(file)) {
    const needing = await filterAsync(environments, (each) => hasWrappedSecrets(config, each))
    return [
      needing.length > 0
        ? problem(
            GATEWAY_KEY,
            `${file} is gone, which opens the secrets of the stores of ${needing.join(' and ')}`,
            'bring it back from its backup, or set COFRE_GATEWAY_KEY: without it no store can sign',
          )
        : notYet(GATEWAY_KEY, file),
    ]
  }
  if (environments.length === 0)
    return [ok(GATEWAY_KEY, 'there; what it opens is seen once the databases are up to date')]
  return await Promise.all(environments.map((each) => openSecrets(config, clock, each)))
}

async function openSecrets(
  config: Config,
  clock: Clock,
  environment: Environment,
): Promise<Finding> {
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const secrets = createSecretWrapping(environment, await openGatewayKeys(config))
    const { length } = await createSqlMerchantStore({ database, clock, secrets }).list()
    const told = `there, and opens the secrets of the stores of ${environment} (${length})`
    return ok(GATEWAY_KEY, told)
  } catch (error) {
    return problem(
      GATEWAY_KEY,
      `in ${environment}, ${messageOf(error)}`,
      'check COFRE_GATEWAY_KEY and COFRE_DATA_DIR; start once to wrap secrets of an earlier version',
    )
  } finally {
    await database.close()
  }
}

async function filterAsync<T>(
  values: readonly T[],
  holds: (value: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const answers = await Promise.all(values.map(holds))
  return values.filter((_, i) => answers[i] === true)
}

async function stateOf(
  database: ConfiguredDatabase,
): Promise<'ready' | 'new' | 'old' | 'unreachable'> {
  try {
    const { isNew, missing, unknown } = await database.inspect()
    if (isNew) return 'new'
    return missing.length + unknown.length > 0 ? 'old' : 'ready'
  } catch {
    // Told by the check of the database.
    return 'unreachable'
  }
}

function notYet(subject: string, file: string): Finding {
  const reason = whyNotWritable(path.dirname(file))
  return reason === undefined
    ? ok(subject, 'not there yet: the first start creates a key file')
    : problem(subject, `not there, and cannot be created: ${reason}`, FOLDER_ADVICE)
}
