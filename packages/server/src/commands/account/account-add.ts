import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type {
  AccountDescription,
  AccountMethod,
  AccountStore,
  ProviderAccount,
} from '@cofre/provider-kit/account'
import type { Secret } from '@cofre/contracts'
import { OperatorError } from '../../config/errors.js'
import { isUnopened } from '../../installation/accounts.js'
import {
  type NoticeOptions,
  type NoticeReport,
  checkNoticeOptions,
  drawNoticeSecret,
  registerNotices,
  signIn,
  reportNotices,
  withProvider,
} from './account-connection.js'
import { type Contract, contractNamed, enterAccount, kindOf } from './account-entry.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  timeOrNull,
  sandboxOption,
} from '../line/command.js'
import { isTrialInstallation } from '../../trial/trial-mark.js'
import { checkStore, withAccount, withAccounts } from './account-zones.js'
import { type AccountOptions, contractOf } from './known-account.js'

interface EntryOptions extends InEnvironment, NoticeOptions {
  readonly from?: string
  readonly check: boolean
}

interface AddOptions extends EntryOptions {
  readonly store: string
  readonly provider: string
  readonly profile?: string
  readonly method?: AccountMethod
  readonly kind?: 'live' | 'test'
  readonly label?: string
}

type RotateOptions = EntryOptions & AccountOptions

export async function add(context: CommandContext, options: AddOptions): Promise<Shown> {
  const { environment, store } = options
  const named = await contractNamed(context, options)
  const contract: Contract = { ...named, kind: kindOf(named.profile, options) }
  const method = methodOf(contract, options)
  const config = context.config('dev')
  checkNoticeOptions(config, options, contract)
  // The zone would be marked only at the trial's next start, which this account would prevent.
  if (await isTrialInstallation(config))
    throw new OperatorError(
      'this installation was served as a trial and keeps that mark: add an account at a real provider to another installation, with another COFRE_DATA_DIR',
    )
  return await withAccounts(context, { environment, zone: contract.zone }, async (accounts) => {
    await checkStore(context, options)
    const account = await newAccount(context, contract, options)
    const made = { ...contract, account }
    return await withProvider(context, made, async (connection) => {
      if (options.check) await signIn(connection)
      const sharing = await sharingOf(accounts, account)
      if (!(await accounts.create(account, [method], operator())))
        throw new OperatorError(`the account ${account.id} already exists: try again`)
      // After the account exists: a bank may call the address while it registers it.
      const notices = await reportNotices(config, made, registerNotices(connection, options))
      const added = `The account ${account.id} of ${store} is added in ${environment}: ${account.label}, ${account.kind}.\n`
      return shownAs({ account, environment, notices }, [
        added,
        ...untriedText(options, account.id),
        await placeText(accounts, account, method),
        ...furtherText(account, contract, method),
        ...unconfirmedText(contract),
        ...sharing,
      ])
    })
  })
}

/** Warns that `--no-check` leaves the first test to a payment. */
function untriedText({ check, environment }: EntryOptions, id: string): string[] {
  if (check) return []
  const option = sandboxOption(environment)
  return [
    `The credentials were not tried. Run cofre account test ${id}${option} before payments arrive.\n`,
  ]
}

async function newAccount(
  context: CommandContext,
  contract: Contract,
  options: AddOptions,
): Promise<ProviderAccount> {
  const { provider, profile, kind } = contract
  const { credentials, ...entered } = await enterAccount(context, contract, options)
  return {
    id: `${provider.profiles.length === 1 ? provider.name : profile.name}-${randomBytes(4).toString('hex')}`,
    merchantId: options.store,
    provider: provider.name,
    kind,
    label: options.label ?? profile.company,
    ...entered,
    secrets: { credentials, noticeSecret: drawNoticeSecret() },
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: context.clock.now(),
  }
}

/**
 * Warns of other accounts with the same PIX key: a bank sends a key's notices to only one address.
 */
async function sharingOf(accounts: AccountStore, added: AccountDescription): Promise<string[]> {
  const { pixKey } = added.settings
  const others = (await accounts.list()).filter(
    ({ kind, provider, settings }) =>
      pixKey !== undefined &&
      settings.pixKey === pixKey &&
      kind === added.kind &&
      provider === added.provider,
  )
  if (others.length === 0) return []
  const names = others.map(({ id, merchantId }) => `${id} of ${merchantId}`).join(', ')
  return [
    `Its PIX key is that of ${names}, too. A bank sends the notices of a key to one address: register the address of one of these accounts, and of no other system. The other accounts' payments are found by polling the bank, within a minute.\n`,
  ]
}

/**
 * First method of the account. @throws UsageError for a method that its provider does not support
 */
function methodOf({ provider: { methods, name } }: Contract, { method }: AddOptions) {
  if (method === undefined) return methods[0]
  if (!methods.includes(method))
    throw new UsageError(`accounts of ${name} serve ${methods.join(' and ')}, and not ${method}`)
  return method
}

async function placeText(
  accounts: AccountStore,
  { id, merchantId }: AccountDescription,
  method: AccountMethod,
): Promise<string> {
  const first = await accounts.firstEnabled({ merchantId, method })
  return first === id
    ? `New charges by ${method} go to it.\n`
    : `New charges by ${method} go to ${first ?? 'none'} first: see cofre account order.\n`
}

/** Names the provider's other methods. */
function furtherText(
  { id, merchantId }: AccountDescription,
  { kind, provider }: Contract,
  served: AccountMethod,
): string[] {
  const option = kind === 'test' ? ' --sandbox' : ''
  return provider.methods
    .filter((method) => method !== served)
    .map(
      (method) =>
        `To use it for ${method} too: cofre account order --store ${merchantId} --method ${method} ${id}${option}\n`,
    )
}

function unconfirmedText({ profile: { company, unconfirmed } }: Contract): string[] {
  if (unconfirmed.length === 0) return []
  return [`Not yet confirmed with ${company}: ${unconfirmed.join('; ')}. Ask them.\n`]
}

/** Replaces the credentials of an account, which keeps its identity. */
export async function rotate(context: CommandContext, options: RotateOptions): Promise<Shown> {
  const { environment, id } = options
  const config = context.config('dev')
  return await withAccount(context, options, async (accounts, described) => {
    const contract = await contractOf(context, described)
    checkNoticeOptions(config, options, contract)
    const { settings } = described
    const { credentials, ...entered } = await enterAccount(context, contract, {
      from: options.from,
      settings,
    })
    const different = differing(settings, entered.settings)
    if (different !== '')
      throw new OperatorError(
        `nothing was stored: only credentials can be changed, and this would change ${different} of ${id}; add another account instead`,
      )
    const before = await noticeSecretOf(accounts, id)
    const secrets = { credentials, noticeSecret: before ?? drawNoticeSecret() }
    const account: ProviderAccount = { ...described, ...entered, secrets }
    const made = { ...contract, account }
    return await withProvider(context, made, async (connection) => {
      if (options.check) await signIn(connection)
      await accounts.rotate(id, account, operator())
      const notices = await reportNotices(config, made, registerNotices(connection, options))
      const changed = `The account ${id} now uses the new credentials.\n`
      const untried = untriedText(options, id)
      return before === undefined || options.register === true
        ? shownAs({ account, environment, notices }, [changed, ...untried])
        : shownAs({ account, environment }, [
            changed,
            ...untried,
            'The address for notices stays the same.\n',
          ])
    })
  })
}

/** Undefined if the key is lost, because then none of the sealed secrets can be read. */
async function noticeSecretOf(
  accounts: AccountStore,
  id: string,
): Promise<Secret<string> | undefined> {
  try {
    return (await accounts.find(id))?.secrets.noticeSecret
  } catch (error) {
    if (isUnopened(error)) return undefined
    throw error
  }
}

type Settings = ProviderAccount['settings']

/** An omitted answer is undefined in one object and absent from the other. */
function differing(before: Settings, after: Settings): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).join(', ')
}

interface Changed extends InEnvironment {
  readonly account: AccountDescription
  readonly notices?: NoticeReport
}

function shownAs({ account, environment, notices }: Changed, sentences: readonly string[]): Shown {
  const until = timeOrNull(account.certificateUntilMs)
  const lasts = until === null ? [] : [`Its certificate expires on ${until.slice(0, 10)}.\n`]
  return {
    data: {
      id: account.id,
      store: account.merchantId,
      environment,
      kind: account.kind,
      certificateUntil: until,
      ...(notices && { noticeAddress: notices.address, registered: notices.isRegistered }),
    },
    text: [...sentences, ...lasts, ...(notices === undefined ? [] : ['\n', notices.text])].join(''),
    isFailure: notices?.isRegistered === false,
  }
}
