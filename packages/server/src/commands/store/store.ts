import { randomBytes } from 'node:crypto'
import type { Merchant, MerchantSettings } from '@cofre/gateway'
import { type NamedSettings, newStoreSettings, settingsNamed } from '@cofre/operator'
import { SetupError } from '../../config/errors.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  timeText,
  sandboxOption,
} from '../line/command.js'
import { unknownStore, withStores } from './opened-stores.js'
import {
  type FieldOptions,
  type OriginOptions,
  checkOrigins,
  listedOrigins,
  setFields,
} from './store-fields.js'
import { checkAddress } from './store-defaults.js'
import { interest } from './store-interest.js'
import { list } from './store-list.js'
import { type RotateOptions, rotateFirstKey } from './store-rotation.js'
import { drawSecret, secretText } from './store-secret.js'
import { settingsText, shownSettings } from './store-text.js'

interface StoreOptions extends InEnvironment {
  readonly id: string
}

interface SettingOptions extends Omit<NamedSettings, 'rawCards'>, FieldOptions {}

interface CreateOptions extends SettingOptions, InEnvironment {
  readonly id?: string
  readonly rawCards?: true
}

interface SetOptions extends SettingOptions, OriginOptions, StoreOptions {
  readonly rawCards?: 'on' | 'off'
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

async function create(context: CommandContext, options: CreateOptions): Promise<Shown> {
  const { id = `store-${randomBytes(4).toString('hex')}`, environment } = options
  const secret = drawSecret()
  const named = namedSettings(context, { ...options, rawCards: options.rawCards === true })
  const fieldOrigins = listedOrigins(options.origin ?? [])
  const merchant: Merchant = { ...newStoreSettings(id, named), id, secret, fieldOrigins }
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
  const { id, environment } = options
  const { secret, untilMs, where } = await rotateFirstKey(context, options)
  const previousSecretUntil = timeText(untilMs)
  const old = options.atOnce ? 'does not sign any more' : `signs until ${previousSecretUntil}`
  const sentence = `The store ${id} has a new secret in ${where}; the old one ${old}.`
  return {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil },
    text: secretText(sentence, secret),
  }
}

async function setSettings(context: CommandContext, options: SetOptions): Promise<Shown> {
  const { id, environment, rawCards } = options
  const settings = settingsNamed(
    namedSettings(context, {
      ...options,
      rawCards: rawCards === undefined ? undefined : rawCards === 'on',
    }),
  )
  const setsOrigins = checkOrigins(options)
  if (Object.keys(settings).length === 0 && !setsOrigins)
    throw new UsageError(
      'store set needs what to set: --name, --raw-cards, --refunds, --rules, --card-references, --signature, --surplus, --uncaptured, --card-checks, --language, --notification-url, --installments, --saved-cards, --unknown-fields, --payer-declines, --address-declines, --bin-declines, --add-origin, --remove-origin, --origin or --fields-bin',
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

/** @throws UsageError for an address that may not be notified, and for options of the sandbox */
function namedSettings(
  context: CommandContext,
  named: NamedSettings & InEnvironment,
): NamedSettings {
  const { environment, notificationUrl, savedCards, unknownFields } = named
  if (notificationUrl !== undefined) checkAddress(context, notificationUrl)
  const ofSandbox = Object.entries({
    '--saved-cards': savedCards,
    '--unknown-fields': unknownFields,
  })
  // In production, saved cards always belong to payers, and unknown fields are always ignored.
  const [option] = ofSandbox.find(([, value]) => value !== undefined) ?? []
  if (option !== undefined && environment === 'production')
    throw new UsageError(`${option} is for the sandbox alone: add --sandbox`)
  return named
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
