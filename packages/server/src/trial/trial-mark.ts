// A trial's databases are marked permanently, and so are their backups: data from strangers' tests
// must never be served with real money.
import {
  type AccountTables,
  UNSIMULATED,
  findAccountOf,
  isTrial,
  markTrial,
} from '@cofre/provider-kit/account'
import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import {
  type ConfiguredDatabase,
  DATABASES,
  isVaultPresent,
  presentEnvironments,
} from '../installation/databases.js'
import { knownStore } from '../installation/test-store.js'

type Named = Pick<ConfiguredDatabase, 'variable'>
type Accounts = Database<AccountTables>

const OTHER_DATA_DIR = 'start it with another COFRE_DATA_DIR'

/**
 * Refuses databases that may hold real money, before a trial marks any.
 * @throws SetupError with the fix
 */
export async function refuseRealDatabases(config: Config): Promise<void> {
  if (config.vaultService.url !== undefined)
    throw new SetupError(
      'A trial has a vault of its own: leave COFRE_VAULT_SERVICE_URL out',
      'another process would serve its database',
    )
  const { production, vault } = DATABASES
  for (const environment of await presentEnvironments(config)) {
    const database = DATABASES[environment]
    await database.use(config, (opened) => refuseUnsimulated(database, opened))
  }
  if (await isVaultPresent(config))
    await vault.use(config, (opened) => refuseUnsimulated(vault, opened))
  if (!(await presentEnvironments(config)).includes('production')) return
  await production.use(config, async ({ reader }) => {
    if (await isTrial(reader)) return
    const other = await reader
      .selectFrom('merchants')
      .select('id')
      .where('id', '!=', knownStore(config).id ?? '')
      .executeTakeFirst()
    if (other !== undefined)
      throw new SetupError(
        `A trial marks its databases for good, and these have stores of yours: ${OTHER_DATA_DIR}`,
        `store ${other.id} in production`,
      )
  })
}

/** True if any existing database was served as a trial, even if others are new. */
export async function isTrialInstallation(config: Config): Promise<boolean> {
  const { vault, ...gateways } = DATABASES
  for (const environment of await presentEnvironments(config))
    if (await gateways[environment].use(config, ({ reader }) => isTrial(reader))) return true
  return (
    (await isVaultPresent(config)) && (await vault.use(config, ({ reader }) => isTrial(reader)))
  )
}

/**
 * Marks a database that a trial serves. `cofre serve` refuses a marked database, and `cofre dev`
 * one with live accounts.
 * @throws SetupError with the fix
 */
export async function separateTrial(
  { config: { mode, trial }, clock }: { readonly config: Config; readonly clock: Clock },
  named: Named,
  database: Accounts,
): Promise<void> {
  if (trial !== undefined) {
    const unsimulated = await markTrial(database, clock)
    if (unsimulated !== undefined) throw unsimulatedError(named, unsimulated)
  } else if (mode === 'serve' && (await isTrial(database.reader)))
    throw new SetupError(
      `The database that ${named.variable} names was served as a trial, and is marked so for good: use another one, in another COFRE_DATA_DIR or named by the variable`,
      'a trial takes no real money',
    )
  if (mode === 'dev') await refuseLive(named, database)
}

/** `cofre dev` promises that no money moves. */
async function refuseLive({ variable }: Named, { reader }: Accounts): Promise<void> {
  const live = await findAccountOf(reader, ['live'])
  if (live !== undefined)
    throw new SetupError(
      `cofre dev has simulated providers, and the database that ${variable} names has a live account: start it by cofre serve, or ${OTHER_DATA_DIR}`,
      `account ${live}`,
    )
}

async function refuseUnsimulated(named: Named, { reader }: Accounts): Promise<void> {
  const unsimulated = await findAccountOf(reader, UNSIMULATED)
  if (unsimulated !== undefined) throw unsimulatedError(named, unsimulated)
}

function unsimulatedError({ variable }: Named, account: string): SetupError {
  return new SetupError(
    `A trial has simulated banks alone, and the database that ${variable} names has an account at a real one: ${OTHER_DATA_DIR}`,
    `account ${account}`,
  )
}
