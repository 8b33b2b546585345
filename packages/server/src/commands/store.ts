import { randomBytes } from 'node:crypto'
import { DAY_MS, type RequestRules, Secret } from '@cofre/contracts'
import type { Merchant, MerchantSettings, RefundRight } from '@cofre/gateway'
import { SetupError } from '../config/errors.js'
import {
  type CommandContext,
  type SandboxOption,
  type Shown,
  UsageError,
  environmentOf,
  operator,
  table,
} from './command.js'
import { listStoreLog, settingsText, shownSettings, unknownStore, withStores } from './stores.js'

interface StoreOptions extends SandboxOption {
  readonly id: string
}

interface SettingOptions extends SandboxOption {
  readonly name?: string
  readonly refunds?: RefundRight
  readonly rules?: RequestRules
  readonly cardReferences?: 'allow' | 'refuse'
}

interface CreateOptions extends Required<Omit<SettingOptions, 'sandbox' | 'name'>>, SandboxOption {
  readonly id?: string
  readonly name?: string
  readonly rawCards?: true
}

interface SetOptions extends SettingOptions, StoreOptions {
  readonly rawCards?: 'on' | 'off'
}

interface RotateOptions extends StoreOptions {
  readonly atOnce?: true
}

/** How long the secret before a rotation still signs. */
const GRACE_MS = DAY_MS

/** `cofre store`: the stores that may use the gateway. */
export const storeCommands = {
  'store create': create,
  'store list': list,
  'store set': setSettings,
  'store rotate': rotate,
  'store enable': enabling(true),
  'store disable': enabling(false),
  'store log': listStoreLog,
}

function drawSecret(): Secret<string> {
  return new Secret(randomBytes(32).toString('base64url'))
}

async function create(context: CommandContext, options: CreateOptions): Promise<Shown> {
  const {
    id = `store-${randomBytes(4).toString('hex')}`,
    name,
    rawCards,
    refunds,
    rules,
    cardReferences,
  } = options
  const secret = drawSecret()
  const merchant: Merchant = {
    id,
    name: name ?? id,
    secret,
    enabled: true,
    mayUseRawCards: rawCards === true,
    refunds,
    rules,
    refusesCardReferences: cardReferences === 'refuse',
  }
  const isNew = await withStores(context, { ...options, mayBeFirst: true }, (stores) =>
    stores.create(merchant, operator()),
  )
  const environment = environmentOf(options)
  if (!isNew)
    throw new SetupError(`There is a store ${id} in ${environment} already`, 'see cofre store list')
  const text = secretText(`The store ${id} may use the gateway in ${environment} now.`, secret)
  return { data: { id, environment, secret: secret.reveal() }, text }
}

async function list(context: CommandContext, options: SandboxOption): Promise<Shown> {
  const nowMs = context.clock.now()
  const stores = await withStores(context, options, (found) => found.list())
  const data = stores.map((store) => ({
    id: store.id,
    name: store.name,
    enabled: store.enabled,
    rawCards: store.mayUseRawCards,
    refunds: store.refunds,
    rules: store.rules,
    refusesCardReferences: store.refusesCardReferences,
    previousSecretUntil: previousSecretUntil(store, nowMs),
  }))
  const rows = data.map((store) => [
    store.id,
    store.enabled ? 'enabled' : 'DISABLED',
    store.refunds,
    store.rawCards ? 'raw cards' : '',
    store.rules,
    store.refusesCardReferences ? 'no cards' : '',
    store.name,
    store.previousSecretUntil === null ? '' : `(old secret until ${store.previousSecretUntil})`,
  ])
  const headings = ['Store', 'State', 'May refund', 'Raw cards', 'Rules', 'References', 'Name', '']
  const text =
    rows.length === 0 ? 'There is no store yet: cofre store create' : table(headings, rows)
  return { data, text: `${text}\n` }
}

function previousSecretUntil({ previousSecret }: Merchant, nowMs: number): string | null {
  return previousSecret !== undefined && previousSecret.untilMs > nowMs
    ? new Date(previousSecret.untilMs).toISOString()
    : null
}

async function rotate(context: CommandContext, options: RotateOptions): Promise<Shown> {
  const { id } = options
  const environment = environmentOf(options)
  const secret = drawSecret()
  const isAtOnce = options.atOnce === true
  const untilMs = context.clock.now() + (isAtOnce ? 0 : GRACE_MS)
  const isThere = await withStores(context, options, (stores) =>
    stores.rotateSecret(id, secret, { previousUntilMs: untilMs, actor: operator() }),
  )
  if (!isThere) throw unknownStore(id, environment)
  const previousSecretUntil = new Date(untilMs).toISOString()
  const old = isAtOnce ? 'does not sign any more' : `signs until ${previousSecretUntil}`
  return {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil },
    text: secretText(
      `The store ${id} has a new secret in ${environment}; the old one ${old}.`,
      secret,
    ),
  }
}

function secretText(sentence: string, secret: Secret<string>): string {
  return `${sentence}\n\n  Secret key  ${secret.reveal()}\n\nIt is shown this once. Give it to the store's developer, and to nobody else.\n`
}

/** Changes what was named. */
async function setSettings(context: CommandContext, options: SetOptions): Promise<Shown> {
  const { id, name, rawCards, refunds, rules, cardReferences } = options
  const settings: Partial<MerchantSettings> = {
    ...(name !== undefined && { name }),
    ...(rawCards !== undefined && { mayUseRawCards: rawCards === 'on' }),
    ...(refunds !== undefined && { refunds }),
    ...(rules !== undefined && { rules }),
    ...(cardReferences !== undefined && { refusesCardReferences: cardReferences === 'refuse' }),
  }
  if (Object.keys(settings).length === 0)
    throw new UsageError(
      'store set needs what to set: --name, --raw-cards, --refunds, --rules or --card-references',
    )
  const environment = environmentOf(options)
  const changed = await changeStore(context, options, settings)
  const text =
    Object.keys(changed).length === 0
      ? `The store ${id} is so in ${environment} already.\n`
      : `Changed the store ${id} in ${environment}: ${settingsText(changed)}.\n`
  return { data: { id, environment, changed: shownSettings(changed) }, text }
}

/** Lets a store use the gateway, or not. */
function enabling(enabled: boolean) {
  return async (context: CommandContext, options: StoreOptions): Promise<Shown> => {
    const { id } = options
    const environment = environmentOf(options)
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
  const { id } = options
  const changed = await withStores(context, options, (stores) =>
    stores.change(id, settings, operator()),
  )
  if (changed === undefined) throw unknownStore(id, environmentOf(options))
  return changed
}
