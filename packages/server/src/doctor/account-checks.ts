import type { AccountDescription, AccountStore } from '@cofre/provider-kit/account'
import { type Clock, DAY_MS, ENVIRONMENTS, type Environment, HOUR_MS } from '@cofre/contracts'
import { isFileThere } from '@cofre/sql'
import {
  type ForeignNotices,
  KeyRingError,
  type ReadingsBehind,
  type UnreportedCharge,
  type UnlinkedCharge,
} from '@cofre/vault'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { DATABASES } from '../installation/databases.js'
import {
  administerVault,
  areVaultKeysLocal,
  gatewayKeyFileOf,
  openGatewayKeys,
} from '../installation/keys.js'
import { publicNoticesUrl } from '../installation/notice-path.js'
import { isUnopened } from '../installation/accounts.js'
import { openStores } from '@cofre/gateway/upkeep'
import { type Finding, about, messageOf } from './finding.js'
import { stateOf } from './key-checks.js'

/** A bank needs days to issue a new one. */
const CERTIFICATE_WARNING_MS = 30 * DAY_MS

/** Checks the stores' accounts at banks, and which stores lack one for PIX. */
export async function checkAccounts(
  config: Config,
  clock: Clock,
  environment: Environment,
): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES[environment])) !== 'ready') return []
  // Opening would create a key file, and the doctor changes nothing.
  if (config.gatewayKeys === undefined && !isFileThere(gatewayKeyFileOf(config))) return []
  return await unlessReported(async () => {
    const keys = await openGatewayKeys(config)
    return await DATABASES[environment].use(config, async (database) => {
      const { stores, accounts } = openStores({ environment, database, keys, clock })
      const served = new Set((await enabledOf(accounts)).map(({ merchantId }) => merchantId))
      const unserved = (await stores.list()).filter(
        (store) => store.enabled && !served.has(store.id),
      )
      return [
        ...(await checkEach(accounts, { config, clock, environment, zone: 'gateway' })),
        ...(environment === 'production' ? withoutPix(unserved) : []),
      ]
    })
  })
}

/** Checks the stores' accounts at acquirers. */
export async function checkCardAccounts(config: Config, clock: Clock): Promise<readonly Finding[]> {
  if ((await stateOf(config, DATABASES.vault)) !== 'ready') return []
  if (!areVaultKeysLocal(config)) return []
  return await unlessReported(() =>
    administerVault(config, clock, async (vault) => {
      const findings: Finding[] = []
      for (const environment of ENVIRONMENTS) {
        const surroundings = { config, clock, environment, zone: 'vault' } as const
        findings.push(...(await checkEach(vault.accounts(environment), surroundings)))
        // Both environments share the database and its mark.
        if (await vault.accounts(environment).isTrial()) break
      }
      return [
        ...findings,
        ...foreignFindings(await vault.foreignNotices(), clock.now()),
        ...behindFindings(await vault.readingsBehind()),
        ...unreportedFindings(await vault.unreportedCharges()),
        ...unlinkedFindings(await vault.unlinkedCharges()),
      ]
    }),
  )
}

/** Other checks report keys that are missing or don't fit. */
async function unlessReported(
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    const isReported = [KeyRingError, SetupError].some((kind) => error instanceof kind)
    if (isReported || isUnopened(error)) return []
    throw error
  }
}

/** Readings are spread over a day. */
const BEHIND_WARNING_MS = 3 * DAY_MS

function behindFindings(readings: readonly ReadingsBehind[]): readonly Finding[] {
  return readings.map(({ accountId, due, behindMs }) => {
    const { ok, warning } = about(`account ${accountId}`)
    if (due === 0) return ok('all due charges were read again')
    const hours = Math.ceil(behindMs / HOUR_MS)
    const finding = `charges are read again ${hours} hours late: ${due} are due`
    return behindMs < BEHIND_WARNING_MS
      ? ok(finding)
      : warning(
          finding,
          'check the vault’s log; a chargeback whose notice was lost is noticed late',
        )
  })
}

function unreportedFindings(unheard: readonly UnreportedCharge[]): readonly Finding[] {
  return [...Map.groupBy(unheard, ({ accountId }) => accountId)].map(([id, charges]) => {
    const [oldest] = charges
    const { problem, warning } = about(`account ${id}`)
    const report = oldest?.environment === 'production' ? problem : warning
    const sinceText = oldest === undefined ? '' : timeText(oldest.chargedAtMs)
    return report(
      `${charges.length} charges approved at least a day ago have no notice, the first ${oldest?.transactionCode} on ${sinceText}`,
      `check the webhook at the acquirer: is it active, with the address of cofre account notices ${id}?`,
    )
  })
}

/** The newest comes first. */
function unlinkedFindings(unlinked: readonly UnlinkedCharge[]): readonly Finding[] {
  return [...Map.groupBy(unlinked, ({ accountId }) => accountId)].map(([id, charges]) => {
    const [newest] = charges
    const last = newest === undefined ? '' : `, the last ${newest.transactionCode}`
    return about(`account ${id}`).warning(
      `${charges.length} charges of saved cards of the last 30 days were sent without an id that the card's brand requires${last}`,
      'run cofre cards fill-links; cofre transactions unlinked lists them',
    )
  })
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16) + 'Z'
}

const FOREIGN_FOR_MS = 7 * DAY_MS

/** Advice for notices of merchant accounts that no account here has. */
export const NARROW_WEBHOOK =
  'Restrict the webhook at the acquirer to the merchant accounts of this installation, or add theirs with cofre account add'

function foreignFindings(heard: readonly ForeignNotices[], nowMs: number): readonly Finding[] {
  const lately = heard.filter(({ lastAtMs }) => nowMs - lastAtMs < FOREIGN_FOR_MS)
  return [...Map.groupBy(lately, ({ accountId }) => accountId)].map(([id, of]) =>
    about(`account ${id}`).warning(
      `notices of merchant accounts without an account here: ${of.map(({ name, notices }) => `${name} (${notices})`).join(', ')}`,
      NARROW_WEBHOOK,
    ),
  )
}

async function enabledOf(accounts: AccountStore): Promise<readonly AccountDescription[]> {
  return (await accounts.list()).filter(({ disabledAtMs }) => disabledAtMs === undefined)
}

async function checkEach(
  accounts: AccountStore,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  if (surroundings.config.mode === 'serve' && (await accounts.isTrial()))
    return [trialFinding(surroundings)]
  const unopened = await unopenedOf(accounts)
  return [
    ...[...unopened].map(([id, { merchantId, finding }]) =>
      about(`account ${id} of ${merchantId}`).problem(
        finding,
        `it is not used until its key is restored, or it has new credentials: cofre account rotate ${id}${optionOf(surroundings.environment)}`,
      ),
    ),
    ...(await enabledOf(accounts))
      .filter(({ id }) => !unopened.has(id))
      .flatMap((account) => checkAccount(account, surroundings)),
  ]
}

function trialFinding({ zone, environment }: Surroundings): Finding {
  return about(zone === 'vault' ? 'database vault' : `database ${environment}`).problem(
    'it was served as a trial and keeps that mark: cofre serve does not start',
    'use another database: set another COFRE_DATA_DIR or the database’s variable',
  )
}

interface Surroundings {
  readonly config: Config
  readonly clock: Clock
  readonly environment: Environment
  /** Place of the accounts: beside the gateway for banks, in the vault for acquirers. */
  readonly zone: 'gateway' | 'vault'
}

function optionOf(environment: Environment): string {
  return environment === 'sandbox' ? ' --sandbox' : ''
}

function checkAccount(
  { id, merchantId, label, kind, certificateUntilMs }: AccountDescription,
  { config, clock, environment, zone }: Surroundings,
): readonly Finding[] {
  const { ok, warning, problem } = about(`account ${id} of ${merchantId}`)
  const option = optionOf(environment)
  if (kind === 'simulator')
    return config.mode === 'dev'
      ? []
      : [
          problem(
            'it is a simulator’s, and only npm start runs simulators: cofre serve does not start',
            `run cofre account disable ${id}${option}`,
          ),
        ]
  const heard = publicNoticesUrl(config) === undefined ? NO_NOTICES_ADVICE[zone] : ''
  if (certificateUntilMs === undefined) return [ok(`${label}, ${kind}${heard}`)]
  const leftMs = certificateUntilMs - clock.now()
  const date = new Date(certificateUntilMs).toISOString().slice(0, 10)
  const advice = `ask the bank for a new one, then run cofre account rotate ${id}${option}`
  if (leftMs <= 0) return [problem(`its certificate expired on ${date}`, advice)]
  if (leftMs <= CERTIFICATE_WARNING_MS)
    return [
      warning(`its certificate expires on ${date}, in ${Math.floor(leftMs / DAY_MS)} days`, advice),
    ]
  return [ok(`${label}, ${kind}, its certificate is valid until ${date}${heard}`)]
}

const NO_NOTICES_ADVICE = {
  gateway: '; without COFRE_PUBLIC_NOTICES_URL, its payments are found by polling the bank',
  vault: '; without COFRE_PUBLIC_NOTICES_URL, none of its notices arrives',
} as const

interface Unopened extends Pick<AccountDescription, 'merchantId'> {
  readonly finding: string
}

/** Accounts that can't be opened, by id; disabled ones too, because their charges continue. */
async function unopenedOf(accounts: AccountStore): Promise<ReadonlyMap<string, Unopened>> {
  const unopened = new Map<string, Unopened>()
  for (const { id, kind, merchantId } of await accounts.list()) {
    // A simulator's account gets no new credentials.
    if (kind === 'simulator') continue
    try {
      await accounts.find(id)
    } catch (error) {
      if (!isUnopened(error)) throw error
      unopened.set(id, { merchantId, finding: messageOf(error) })
    }
  }
  return unopened
}

/** A shop without PIX misses nothing, so this is not a warning. */
function withoutPix(stores: readonly { readonly id: string }[]): readonly Finding[] {
  if (stores.length === 0) return []
  const names = stores.map(({ id }) => id).join(', ')
  return [
    about('accounts').ok(
      `production stores without an account at a bank cannot take PIX (210601): ${names}. Add one with cofre account add`,
    ),
  ]
}
