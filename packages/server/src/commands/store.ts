import { randomBytes } from 'node:crypto'
import { type Environment, type RequestRules, Secret } from '@cofre/contracts'
import {
  type Merchant,
  type MerchantSettings,
  PREVIOUS_SECRET_LIVES_MS,
  type RefundRight,
} from '@cofre/gateway'
import { LIMIT_SETTINGS } from '@cofre/operator'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { presentEnvironments } from '../installation/databases.js'
import { keepDevSecret, testStoreSecret } from '../installation/test-store.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  timeText,
  sandboxOption,
} from './command.js'
import { unknownStore, withStores } from './opened-stores.js'
import {
  type FieldOptions,
  type OriginOptions,
  checkOrigins,
  createdFields,
  setFields,
} from './store-fields.js'
import { type DefaultOptions, defaultSettings } from './store-defaults.js'
import { interest } from './store-interest.js'
import { list } from './store-list.js'
import { type DeclineOptions, settingsText, shownSettings } from './store-text.js'

interface StoreOptions extends InEnvironment {
  readonly id: string
}

interface SettingOptions extends DeclineOptions, DefaultOptions, FieldOptions {
  readonly name?: string
  readonly refunds?: RefundRight
  readonly rules?: RequestRules
  readonly cardReferences?: 'allow' | 'refuse'
  readonly signature?: 'any' | 'rfc9421'
  readonly surplus?: 'keep' | 'refund'
  readonly savedCards?: 'own' | 'fixed'
  readonly unknownFields?: 'say' | 'refuse'
  readonly cardChecks?: 'on' | 'off'
}

interface CreateOptions
  extends
    Required<
      Omit<
        SettingOptions,
        | 'name'
        | 'savedCards'
        | 'unknownFields'
        | 'cardChecks'
        | 'origin'
        | keyof DeclineOptions
        | keyof DefaultOptions
      >
    >,
    Pick<SettingOptions, 'savedCards' | 'unknownFields' | 'cardChecks' | 'origin'>,
    DeclineOptions,
    DefaultOptions,
    InEnvironment {
  readonly id?: string
  readonly name?: string
  readonly rawCards?: true
}

interface SetOptions extends SettingOptions, OriginOptions, StoreOptions {
  readonly rawCards?: 'on' | 'off'
  readonly installments?: number | 'usual'
}

interface RotateOptions extends StoreOptions {
  readonly atOnce?: true
}

/** `cofre store`: the stores that may use the gateway. */
export const storeCommands = {
  'store create': create,
  'store list': list,
  'store set': setSettings,
  'store interest': interest,
  'store rotate': rotate,
  'store enable': enabling(true),
  'store disable': enabling(false),
  'store log': log,
}

function drawSecret(): Secret<string> {
  return new Secret(randomBytes(32).toString('base64url'))
}

async function create(context: CommandContext, options: CreateOptions): Promise<Shown> {
  const { id = `store-${randomBytes(4).toString('hex')}`, environment } = options
  const secret = drawSecret()
  const merchant: Merchant = {
    id,
    name: options.name ?? id,
    secret,
    enabled: true,
    mayUseRawCards: options.rawCards === true,
    refunds: options.refunds,
    rules: options.rules,
    refusesCardReferences: options.cardReferences === 'refuse',
    signature: onlySignature(options.signature),
    surplus: keptSurplus(options.surplus),
    cardChecks: options.cardChecks,
    ...defaultSettings(context, options),
    ...createdFields(options),
    ...sandboxSettings(options),
    ...declineSettings(options),
  }
  const { isNew, isTrial } = await withStores(
    context,
    { environment, mayBeFirst: true },
    async ({ stores, accounts }) => ({
      isNew: await stores.create(merchant, operator()),
      isTrial: await accounts.isTrial(),
    }),
  )
  if (!isNew)
    throw new SetupError(
      `There is a store ${id} in ${environment} already`,
      `see cofre store list${sandboxOption(environment)}`,
    )
  const trial = isTrial ? '\nIt is a trial’s: these databases never take real money.' : ''
  const sentence = `The store ${id} may use the gateway in ${environment} now.${trial}`
  const text = secretText(sentence, secret)
  return { data: { id, environment, secret: secret.reveal() }, text }
}

async function rotate(context: CommandContext, options: RotateOptions): Promise<Shown> {
  const { id, environment, atOnce: isAtOnce = false } = options
  const secret = drawSecret()
  const untilMs = context.clock.now() + (isAtOnce ? 0 : PREVIOUS_SECRET_LIVES_MS)
  const rotateIn = (one: Environment) =>
    withStores(context, { environment: one }, ({ stores }) =>
      stores.rotateSecret(id, secret, { previousUntilMs: untilMs, actor: operator() }),
    )
  const config = context.config('dev')
  const { isTestStore, others } = await sameSecret(config, options)
  if (!(await rotateIn(environment))) throw unknownStore(id, environment)
  // The next start applies the secret in its file to both environments.
  if (isTestStore) keepDevSecret(config, secret)
  for (const other of others) await rotateIn(other)
  const previousSecretUntil = timeText(untilMs)
  const old = isAtOnce ? 'does not sign any more' : `signs until ${previousSecretUntil}`
  const where = [environment, ...others].join(' and ')
  const sentence = `The store ${id} has a new secret in ${where}; the old one ${old}.`
  return {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil },
    text: secretText(sentence, secret),
  }
}

/** The test store of `dev` has one secret for both environments. @throws SetupError */
async function sameSecret(config: Config, { id, environment }: StoreOptions) {
  const { isTestStore, fixedBy } = testStoreSecret(config, id)
  if (fixedBy !== undefined)
    throw new SetupError(`${fixedBy} sets the secret of ${id}: change it there`, 'it is set')
  const present = isTestStore ? await presentEnvironments(config) : []
  return { isTestStore, others: present.filter((one) => one !== environment) }
}

function secretText(sentence: string, secret: Secret<string>): string {
  return `${sentence}\n\n  Secret key  ${secret.reveal()}\n\nIt is shown this once. Give it to the store's developer, and to nobody else.\n`
}

async function setSettings(context: CommandContext, options: SetOptions): Promise<Shown> {
  const { id, environment, name, rawCards, refunds, rules, cardReferences, signature, surplus } =
    options
  const { cardChecks, installments } = options
  const settings: Partial<MerchantSettings> = {
    ...(name !== undefined && { name }),
    ...(rawCards !== undefined && { mayUseRawCards: rawCards === 'on' }),
    ...(refunds !== undefined && { refunds }),
    ...(rules !== undefined && { rules }),
    ...(cardReferences !== undefined && { refusesCardReferences: cardReferences === 'refuse' }),
    ...(signature !== undefined && { signature: onlySignature(signature) }),
    ...(surplus !== undefined && { surplus: keptSurplus(surplus) }),
    ...(cardChecks !== undefined && { cardChecks }),
    ...(installments !== undefined && {
      installmentsMax: installments === 'usual' ? undefined : installments,
    }),
    ...defaultSettings(context, options),
    ...sandboxSettings(options),
    ...declineSettings(options),
    ...(options.fieldsBin !== undefined && { showsBin: options.fieldsBin === 'show' }),
  }
  const setsOrigins = checkOrigins(options)
  if (Object.keys(settings).length === 0 && !setsOrigins)
    throw new UsageError(
      'store set needs what to set: --name, --raw-cards, --refunds, --rules, --card-references, --signature, --surplus, --card-checks, --language, --notification-url, --installments, --saved-cards, --unknown-fields, --payer-declines, --address-declines, --bin-declines, --add-origin, --remove-origin, --origin or --fields-bin',
    )
  const changed = setsOrigins
    ? await setFields(context, options, settings)
    : await changeStore(context, options, settings)
  const text =
    Object.keys(changed).length === 0
      ? `The store ${id} is so in ${environment} already.\n`
      : `Changed the store ${id} in ${environment}: ${settingsText(changed)}.\n`
  return { data: { id, environment, changed: shownSettings(changed) }, text }
}

/** The named limits of declines; `usual` removes a store's own limit. */
function declineSettings(options: DeclineOptions): Partial<MerchantSettings> {
  const named = LIMIT_SETTINGS.flatMap((name) => {
    const limit = options[name]
    return limit === undefined ? [] : [[name, limit === 'usual' ? undefined : limit] as const]
  })
  return Object.fromEntries(named)
}

/** The only allowed signature; undefined allows any. */
function onlySignature(signature: SettingOptions['signature']): MerchantSettings['signature'] {
  return signature === 'rfc9421' ? signature : undefined
}

/** A surplus that is not kept is refunded. */
function keptSurplus(surplus: SettingOptions['surplus']): MerchantSettings['surplus'] {
  return surplus === 'keep' ? 'keep' : undefined
}

/**
 * @throws UsageError outside the sandbox: in production, saved cards always belong to payers, and
 *   unknown fields are always ignored
 */
function sandboxSettings({
  savedCards,
  unknownFields,
  environment,
}: Pick<SettingOptions, 'savedCards' | 'unknownFields'> &
  InEnvironment): Partial<MerchantSettings> {
  const named = Object.entries({ '--saved-cards': savedCards, '--unknown-fields': unknownFields })
  const [option] = named.find(([, value]) => value !== undefined) ?? []
  if (option !== undefined && environment === 'production')
    throw new UsageError(`${option} is for the sandbox alone: add --sandbox`)
  return {
    ...(savedCards !== undefined && { savedCards: savedCards === 'own' ? savedCards : undefined }),
    ...(unknownFields !== undefined && {
      unknownFields: unknownFields === 'refuse' ? unknownFields : undefined,
    }),
  }
}

function enabling(enabled: boolean) {
  return async (context: CommandContext, options: StoreOptions): Promise<Shown> => {
    const { id, environment } = options
    await changeStore(context, options, { enabled })
    const text = `The store ${id} is ${enabled ? 'enabled' : 'disabled'} in ${environment}.\n`
    return { data: { id, environment, enabled }, text }
  }
}

async function changeStore(
  context: CommandContext,
  options: StoreOptions,
  settings: Partial<MerchantSettings>,
) {
  const changed = await withStores(context, options, ({ stores }) =>
    stores.change(options.id, settings, operator()),
  )
  if (changed === undefined) throw unknownStore(options.id, options.environment)
  return changed
}

/** Shows the changes of one store or of all. @throws SetupError if the store is unknown */
async function log(
  context: CommandContext,
  { id, environment, limit }: Partial<StoreOptions> & InEnvironment & { readonly limit: number },
): Promise<Shown> {
  const changes = await withStores(context, { environment }, async ({ stores }) => {
    const found = await stores.listChanges({ id, limit })
    if (id !== undefined && found.length === 0 && (await stores.find(id)) === undefined)
      throw unknownStore(id, environment)
    return found
  })
  const data = changes.map(({ storeId, atMs, actor, action, settings }) => ({
    at: timeText(atMs),
    store: storeId,
    action,
    actor,
    settings: shownSettings(settings),
  }))
  const lines = changes.map(
    ({ storeId, atMs, actor, action, settings }) =>
      `${timeText(atMs)}  ${storeId}  ${action} by ${actor}: ${settingsText(settings)}\n`,
  )
  return { data, text: lines.join('') }
}
