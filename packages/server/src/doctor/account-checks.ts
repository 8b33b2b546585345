import type { AccountDescription, AccountStore } from '@cofre/accounts'
import { type Clock, DAY_MS, type Environment } from '@cofre/contracts'
import { StoreSecretError } from '@cofre/gateway'
import { isFileThere } from '@cofre/sql'
import { KeyRingError } from '@cofre/vault'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { DATABASES } from '../installation/databases.js'
import { gatewayKeyFileOf, openGatewayKeys } from '../installation/keys.js'
import { publicNoticesUrl } from '../installation/notice-path.js'
import { openStores } from '../installation/stores.js'
import { type Finding, about, messageOf } from './finding.js'
import { stateOf } from './key-checks.js'

/** A bank needs days to give a new one. */
const CERTIFICATE_WARNING_MS = 30 * DAY_MS

/** Whether stores' accounts at banks can be used, and what of PIX does not work without them. */
export async function checkAccounts(
  config: Config,
  clock: Clock,
  environment: Environment,
): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES[environment])) !== 'ready') return []
  // Opening would make one: the doctor changes nothing.
  if (config.gatewayKeys === undefined && !isFileThere(gatewayKeyFileOf(config))) return []
  try {
    const keys = await openGatewayKeys(config)
    return await DATABASES[environment].use(config, async (database) => {
      const { stores, accounts } = openStores({ environment, database, keys, clock })
      const known = await accounts.list()
      const enabled = known.filter(({ disabledAtMs }) => disabledAtMs === undefined)
      const served = new Set(enabled.map(({ merchantId }) => merchantId))
      const unserved = (await stores.list()).filter(
        (store) => store.enabled && !served.has(store.id),
      )
      const unopened = await unopenedOf(accounts, known)
      return [
        ...[...unopened].map(([{ id, merchantId }, error]) =>
          about(`account ${id} of ${merchantId}`).problem(
            messageOf(error),
            `it is not used until the key is back, or it has new credentials: cofre account rotate ${id}${optionOf(environment)}`,
          ),
        ),
        ...enabled
          .filter((account) => !unopened.has(account))
          .flatMap((account) => checkAccount(account, { config, clock, environment })),
        ...(environment === 'production' ? withoutPix(unserved) : []),
      ]
    })
  } catch (error) {
    // Keys that are not there, or open nothing: `checkGatewayKeys` reports them.
    const isReported = [KeyRingError, SetupError, StoreSecretError].some(
      (kind) => error instanceof kind,
    )
    if (isReported) return []
    throw error
  }
}

interface Surroundings {
  readonly config: Config
  readonly clock: Clock
  readonly environment: Environment
}

function optionOf(environment: Environment): string {
  return environment === 'sandbox' ? ' --sandbox' : ''
}

function checkAccount(
  { id, merchantId, label, kind, certificateUntilMs }: AccountDescription,
  { config, clock, environment }: Surroundings,
): readonly Finding[] {
  const { ok, warning, problem } = about(`account ${id} of ${merchantId}`)
  const option = optionOf(environment)
  if (kind === 'simulator')
    return config.mode === 'dev'
      ? []
      : [
          problem(
            'it is a simulator’s, which npm start alone plays: cofre serve does not start',
            `run cofre account disable ${id}${option}`,
          ),
        ]
  const heard =
    publicNoticesUrl(config) === undefined
      ? '; its payments are found by asking the bank, as COFRE_PUBLIC_NOTICES_URL is not set'
      : ''
  if (certificateUntilMs === undefined) return [ok(`${label}, ${kind}${heard}`)]
  const leftMs = certificateUntilMs - clock.now()
  const date = new Date(certificateUntilMs).toISOString().slice(0, 10)
  const advice = `ask the bank for a new one, then run cofre account rotate ${id}${option}`
  if (leftMs <= 0) return [problem(`its certificate expired on ${date}`, advice)]
  if (leftMs <= CERTIFICATE_WARNING_MS)
    return [
      warning(`its certificate ends on ${date}, in ${Math.floor(leftMs / DAY_MS)} days`, advice),
    ]
  return [ok(`${label}, ${kind}, its certificate lasts until ${date}${heard}`)]
}

/** Disabled ones, too: what they have charged goes on. Those of a simulator get no others. */
async function unopenedOf(
  accounts: AccountStore,
  known: readonly AccountDescription[],
): Promise<ReadonlyMap<AccountDescription, StoreSecretError>> {
  const unopened = new Map<AccountDescription, StoreSecretError>()
  for (const account of known.filter(({ kind }) => kind !== 'simulator'))
    try {
      await accounts.find(account.id)
    } catch (error) {
      if (!(error instanceof StoreSecretError)) throw error
      unopened.set(account, error)
    }
  return unopened
}

/** What a shop that takes no PIX does not miss is no warning. */
function withoutPix(stores: readonly { readonly id: string }[]): readonly Finding[] {
  if (stores.length === 0) return []
  const names = stores.map(({ id }) => id).join(', ')
  return [
    about('accounts').ok(
      `PIX is refused (210601) to stores of production that have no account at a bank: ${names}. cofre account add gives them one`,
    ),
  ]
}
