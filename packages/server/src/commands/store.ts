import { randomBytes } from 'node:crypto'
import { FIELD_ORIGINS_MAX, INSTALLMENTS_MAX, type RequestRules, Secret } from '@cofre/contracts'
import {
  type Merchant,
  type MerchantSettings,
  PREVIOUS_SECRET_LIVES_MS,
  type RefundRight,
  type SettingValue,
  type StoreChange,
  livePreviousSecret,
} from '@cofre/gateway'
import { SetupError } from '../config/errors.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  table,
  timeOrNull,
  timeText,
} from './command.js'
import { unknownStore, withStores } from './opened-stores.js'
import { interest } from './store-interest.js'

interface StoreOptions extends InEnvironment {
  readonly id: string
}

const DECLINE_SETTINGS = ['payerDeclines', 'addressDeclines', 'binDeclines'] as const

interface DeclineOptions {
  readonly payerDeclines?: number | 'usual'
  readonly addressDeclines?: number | 'usual'
  readonly binDeclines?: number | 'usual'
}

interface FieldOptions {
  readonly origin?: readonly string[]
  readonly fieldsBin?: 'show' | 'hide'
}

interface SettingOptions extends DeclineOptions, FieldOptions {
  readonly name?: string
  readonly refunds?: RefundRight
  readonly rules?: RequestRules
  readonly cardReferences?: 'allow' | 'refuse'
  readonly signature?: 'any' | 'rfc9421'
  readonly surplus?: 'keep' | 'refund'
  readonly savedCards?: 'own' | 'fixed'
}

interface CreateOptions
  extends
    Required<Omit<SettingOptions, 'name' | 'savedCards' | 'origin' | keyof DeclineOptions>>,
    Pick<SettingOptions, 'savedCards' | 'origin'>,
    DeclineOptions,
    InEnvironment {
  readonly id?: string
  readonly name?: string
  readonly rawCards?: true
}

interface SetOptions extends SettingOptions, StoreOptions {
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
    fieldOrigins: [],
    showsBin: false,
    ...savedCardSettings(options),
    ...declineSettings(options),
    ...fieldSettings(options),
  }
  const isNew = await withStores(context, { environment, mayBeFirst: true }, ({ stores }) =>
    stores.create(merchant, operator()),
  )
  if (!isNew)
    throw new SetupError(`There is a store ${id} in ${environment} already`, 'see cofre store list')
  const text = secretText(`The store ${id} may use the gateway in ${environment} now.`, secret)
  return { data: { id, environment, secret: secret.reveal() }, text }
}

async function list(context: CommandContext, options: InEnvironment): Promise<Shown> {
  const nowMs = context.clock.now()
  const { stores, waiting } = await withStores(context, options, async (opened) => ({
    stores: await opened.stores.list(),
    waiting: await opened.stores.waitingFields(),
  }))
  const data = stores.map((store) => ({
    id: store.id,
    name: store.name,
    enabled: store.enabled,
    rawCards: store.mayUseRawCards,
    refunds: store.refunds,
    rules: store.rules,
    refusesCardReferences: store.refusesCardReferences,
    signature: store.signature ?? 'any',
    specificationSignedAt: timeOrNull(store.specificationSignedAtMs),
    surplus: store.surplus ?? 'refund',
    installments: store.installmentsMax ?? INSTALLMENTS_MAX,
    ...(options.environment === 'sandbox' && { savedCards: store.savedCards ?? 'fixed' }),
    payerDeclines: shownDeclines(store.payerDeclines),
    addressDeclines: shownDeclines(store.addressDeclines),
    binDeclines: shownDeclines(store.binDeclines),
    fieldOrigins: store.fieldOrigins,
    showsBin: store.showsBin,
    isAtVault: !waiting.some(({ storeId }) => storeId === store.id),
    previousSecretUntil: timeOrNull(livePreviousSecret(store, nowMs)?.untilMs),
  }))
  const rows = data.map((store) => [
    store.id,
    store.enabled ? 'enabled' : 'DISABLED',
    store.refunds,
    store.rawCards ? 'raw cards' : '',
    store.rules,
    store.refusesCardReferences ? 'no cards' : '',
    signatureText(store),
    store.surplus === 'keep' ? 'keep' : '',
    ...(store.savedCards === undefined ? [] : [store.savedCards]),
    declinesText(store),
    store.name,
    store.previousSecretUntil === null ? '' : `(old secret until ${store.previousSecretUntil})`,
  ])
  const rights = ['State', 'May refund', 'Raw cards', 'Rules', 'References', 'Signature', 'Surplus']
  const cards = options.environment === 'sandbox' ? ['Saved cards'] : []
  const headings = ['Store', ...rights, ...cards, 'Declines', 'Name', '']
  const text =
    rows.length === 0 ? 'There is no store yet: cofre store create' : table(headings, rows)
  return { data, text: `${text}\n${data.map(fieldsText).join('')}` }
}

/** The only way in which a store may sign, or when it last signed in the one that is to go. */
function signatureText(shown: {
  readonly signature: string
  readonly specificationSignedAt: string | null
}): string {
  const { signature, specificationSignedAt: at } = shown
  if (signature !== 'any') return signature
  return at === null ? '' : `Authorization ${at.slice(0, 10)}`
}

async function rotate(context: CommandContext, options: RotateOptions): Promise<Shown> {
  const { id, environment, atOnce: isAtOnce = false } = options
  const secret = drawSecret()
  const untilMs = context.clock.now() + (isAtOnce ? 0 : PREVIOUS_SECRET_LIVES_MS)
  const isThere = await withStores(context, options, ({ stores }) =>
    stores.rotateSecret(id, secret, { previousUntilMs: untilMs, actor: operator() }),
  )
  if (!isThere) throw unknownStore(options.id, options.environment)
  const previousSecretUntil = timeText(untilMs)
  const old = isAtOnce ? 'does not sign any more' : `signs until ${previousSecretUntil}`
  const sentence = `The store ${id} has a new secret in ${environment}; the old one ${old}.`
  return {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil },
    text: secretText(sentence, secret),
  }
}

function secretText(sentence: string, secret: Secret<string>): string {
  return `${sentence}\n\n  Secret key  ${secret.reveal()}\n\nIt is shown this once. Give it to the store's developer, and to nobody else.\n`
}

/** Changes what was named. */
async function setSettings(context: CommandContext, options: SetOptions): Promise<Shown> {
  const { id, environment, name, rawCards, refunds, rules, cardReferences, signature, surplus } =
    options
  const { installments } = options
  const settings: Partial<MerchantSettings> = {
    ...(name !== undefined && { name }),
    ...(rawCards !== undefined && { mayUseRawCards: rawCards === 'on' }),
    ...(refunds !== undefined && { refunds }),
    ...(rules !== undefined && { rules }),
    ...(cardReferences !== undefined && { refusesCardReferences: cardReferences === 'refuse' }),
    ...(signature !== undefined && { signature: onlySignature(signature) }),
    ...(surplus !== undefined && { surplus: keptSurplus(surplus) }),
    ...(installments !== undefined && {
      installmentsMax: installments === 'usual' ? undefined : installments,
    }),
    ...savedCardSettings(options),
    ...declineSettings(options),
    ...fieldSettings(options),
  }
  if (Object.keys(settings).length === 0)
    throw new UsageError(
      'store set needs what to set: --name, --raw-cards, --refunds, --rules, --card-references, --signature, --surplus, --installments, --saved-cards, --payer-declines, --address-declines, --bin-declines, --origin or --fields-bin',
    )
  const changed = await changeStore(context, options, settings)
  const text =
    Object.keys(changed).length === 0
      ? `The store ${id} is so in ${environment} already.\n`
      : `Changed the store ${id} in ${environment}: ${settingsText(changed)}.\n`
  return { data: { id, environment, changed: shownSettings(changed) }, text }
}

/** What was named of the limits of declines; the usual ones are none of the store's own. */
function declineSettings(options: DeclineOptions): Partial<MerchantSettings> {
  const named = DECLINE_SETTINGS.flatMap((name) => {
    const limit = options[name]
    return limit === undefined ? [] : [[name, limit === 'usual' ? undefined : limit] as const]
  })
  return Object.fromEntries(named)
}

function shownDeclines(limit: SettingValue | undefined): SettingValue {
  return limit === 0 ? 'off' : (limit ?? 'usual')
}

/** Of payer, address and BIN, where one is not the usual limit. */
function declinesText(shown: Readonly<Record<keyof DeclineOptions, SettingValue>>): string {
  const limits = DECLINE_SETTINGS.map((name) => shown[name])
  return limits.every((limit) => limit === 'usual') ? '' : limits.join('/')
}

/** What was named of the card fields. @throws UsageError */
function fieldSettings({ origin, fieldsBin }: FieldOptions): Partial<MerchantSettings> {
  const isNone = origin?.includes('none') === true
  if (isNone && origin.length > 1) throw new UsageError('--origin none stands alone')
  const fieldOrigins = isNone ? [] : [...new Set(origin)]
  if (fieldOrigins.length > FIELD_ORIGINS_MAX)
    throw new UsageError(`A store has at most ${FIELD_ORIGINS_MAX} origins: --origin`)
  return {
    ...(origin !== undefined && { fieldOrigins }),
    ...(fieldsBin !== undefined && { showsBin: fieldsBin === 'show' }),
  }
}

/** A line on the card fields of a store; empty where there is nothing to tell. */
function fieldsText(shown: {
  readonly id: string
  readonly fieldOrigins: readonly string[]
  readonly showsBin: boolean
  readonly isAtVault: boolean
}): string {
  const { id, fieldOrigins, showsBin, isAtVault } = shown
  if (fieldOrigins.length === 0 && !showsBin && isAtVault) return ''
  const remarks = [
    ...(fieldOrigins.length === 0 ? ['no page may show them'] : fieldOrigins),
    ...(showsBin ? ['(with the BIN)'] : []),
    ...(isAtVault ? [] : ['(not at the vault yet)']),
  ]
  return `Card fields of ${id}: ${remarks.join(' ')}\n`
}

/** What a store may sign by, unless it may by any. */
function onlySignature(signature: SettingOptions['signature']): MerchantSettings['signature'] {
  return signature === 'rfc9421' ? signature : undefined
}

/** A surplus that is not kept goes back. */
function keptSurplus(surplus: SettingOptions['surplus']): MerchantSettings['surplus'] {
  return surplus === 'keep' ? 'keep' : undefined
}

/** @throws UsageError outside the sandbox: in production the cards are always their payers' own */
function savedCardSettings({
  savedCards,
  environment,
}: Pick<SettingOptions, 'savedCards'> & InEnvironment): Partial<MerchantSettings> {
  if (savedCards === undefined) return {}
  if (environment === 'production')
    throw new UsageError('--saved-cards is for the sandbox alone: add --sandbox')
  return { savedCards: savedCards === 'own' ? 'own' : undefined }
}

/** Lets a store use the gateway, or not. */
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

/** Shows the changes of one store or of all. @throws SetupError when there is no such store */
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

/** Settings as `store list --json` has them. */
function shownSettings(settings: StoreChange['settings']): StoreChange['settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([name, change]) => {
      if (DECLINE_SETTINGS.some((one) => one === name))
        return [name, { from: shownDeclines(change.from), to: shownDeclines(change.to) }]
      if (name === 'signature')
        return [name, { from: change.from ?? 'any', to: change.to ?? 'any' }]
      if (name === 'surplus')
        return [name, { from: change.from ?? 'refund', to: change.to ?? 'refund' }]
      if (name === 'installmentsMax')
        return [
          'installments',
          { from: change.from ?? INSTALLMENTS_MAX, to: change.to ?? INSTALLMENTS_MAX },
        ]
      if (name === 'savedCards')
        return [name, { from: change.from ?? 'fixed', to: change.to ?? 'fixed' }]
      return [name === 'mayUseRawCards' ? 'rawCards' : name, change]
    }),
  )
}

/** What was and what is. As JSON, so that no name breaks a line or looks like something else. */
function settingsText(settings: StoreChange['settings']): string {
  return Object.entries(shownSettings(settings))
    .map(([name, { from, to }]) => {
      const before = from === undefined ? '' : `${JSON.stringify(from)} -> `
      return `${name} ${before}${JSON.stringify(to)}`
    })
    .join(', ')
}
