import { randomBytes } from 'node:crypto'
import { DAY_MS, REQUEST_RULES, type RequestRules, Secret } from '@cofre/contracts'
import type { Merchant, MerchantSettings, RefundRight } from '@cofre/gateway'
import { type Command, Option } from 'commander'
import { SetupError } from '../config/errors.js'
import {
  type CommandContext,
  SANDBOX_OPTION,
  type SandboxOption,
  type Shown,
  UsageError,
  environmentOf,
  limitOption,
  operator,
  reads,
  shows,
  table,
} from './command.js'
import { listStoreLog, settingsText, shownSettings, unknownStore, withStores } from './stores.js'

interface SettingOptions extends SandboxOption {
  readonly name?: string
  readonly refunds?: RefundRight
  readonly rules?: RequestRules
  readonly cardReferences?: 'allow' | 'refuse'
}

interface CreateOptions extends Required<Omit<SettingOptions, 'sandbox' | 'name'>>, SandboxOption {
  readonly name?: string
  readonly rawCards?: true
}

interface SetOptions extends SettingOptions {
  readonly rawCards?: 'on' | 'off'
}

interface RotateOptions extends SandboxOption {
  readonly atOnce?: true
}

const REFUNDS: readonly RefundRight[] = ['full-and-partial', 'full', 'none', 'reseller']
/** How long the secret before a rotation still signs. */
const GRACE_MS = DAY_MS

/** `cofre store`: the stores that may use the gateway. */
export function addStoreCommands(program: Command, context: CommandContext): void {
  const store = program
    .command('store')
    .summary('The stores that may use the gateway: create, list, set, rotate, enable, disable, log')
    .description(
      'The stores that may use the gateway, in production or in the sandbox, each with a secret of its own that signs its requests. Running processes apply every change at once.',
    )
    .addHelpText('after', EXAMPLES)
  const command = (name: string, description: string): Command =>
    store
      .command(name)
      .description(description)
      .option(...SANDBOX_OPTION)
  addSettingCommands(command, context)
  const rotation = command(
    'rotate',
    'Gives a store a new secret and prints it, once. The old one signs for 24 hours.',
  )
    .argument('<id>', 'The store', readId)
    .option('--at-once', 'The old secret stops signing now: it is known to somebody else')
  shows(rotation, context, (id: string, options: RotateOptions) => rotate(context, id, options))
  const enabling = command('enable', 'Lets a store use the gateway again.')
  const disabling = command(
    'disable',
    'Refuses every request of a store (401), until it is enabled. Its notifications go on.',
  )
  for (const [each, enabled] of [
    [enabling, true],
    [disabling, false],
  ] as const)
    shows(
      each.argument('<id>', 'The store', readId),
      context,
      (id: string, options: SandboxOption) => setEnabled(context, id, { ...options, enabled }),
    )
  const log = command(
    'log',
    'Shows who created, changed or rotated which store, and when, the newest first.',
  )
    .argument('[id]', 'Only this store', readId)
    .addOption(limitOption())
  shows(log, context, (id: string | undefined, options: SandboxOption & { limit: number }) =>
    listStoreLog(context, id, options),
  )
}

/** Those that say what a store may do. */
function addSettingCommands(
  command: (name: string, description: string) => Command,
  context: CommandContext,
): void {
  const options = {
    name: (description: string) => new Option('--name <name>', description).argParser(readName),
    refunds: () => new Option('--refunds <right>', 'What it may refund').choices(REFUNDS),
    rules: () =>
      new Option(
        '--rules <rules>',
        "What its payments are judged by: the specification's rules, or lenient ones that take orders as shops have them",
      ).choices(REQUEST_RULES),
    cardReferences: () =>
      new Option(
        '--card-references <allow|refuse>',
        'Whether a card number is refused as the reference of a payment or refund',
      ).choices(['allow', 'refuse']),
  }
  const creation = command(
    'create',
    'Creates a store and prints its secret, once: the database keeps it wrapped.',
  )
    .argument('[id]', 'Its id, of 1 to 64 letters, digits, - and _; drawn when absent', readId)
    .addOption(options.name('What payers see; the id otherwise'))
    .option('--raw-cards', 'May send card numbers itself (PCI DSS level 1 or 2 only)')
    .addOption(options.refunds().default('full-and-partial'))
    .addOption(options.rules().default('specification'))
    .addOption(options.cardReferences().default('allow'))
  shows(creation, context, (id: string | undefined, given: CreateOptions) =>
    create(context, id ?? `store-${randomBytes(4).toString('hex')}`, given),
  )
  shows(
    command('list', 'Shows the stores, without their secrets.'),
    context,
    (given: SandboxOption) => list(context, given),
  )
  const rawCards = new Option(
    '--raw-cards <on|off>',
    'Whether it may send card numbers itself (PCI DSS level 1 or 2 only)',
  ).choices(['on', 'off'])
  const setting = command(
    'set',
    "Changes a store's name, rights or rules; what is not named stays as it is.",
  )
    .argument('<id>', 'The store', readId)
    .addOption(options.name('What payers see'))
    .addOption(rawCards)
    .addOption(options.refunds())
    .addOption(options.rules())
    .addOption(options.cardReferences())
  shows(setting, context, (id: string, given: SetOptions) => setSettings(context, id, given))
}

const readId = reads('A store id is 1 to 64 letters, digits, - and _.', (text) =>
  /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : undefined,
)

const readName = reads('A name is 1 to 100 characters.', (text) =>
  /^[^\p{Cc}]{1,100}$/u.test(text) && text.trim() !== '' ? text : undefined,
)

function drawSecret(): Secret<string> {
  return new Secret(randomBytes(32).toString('base64url'))
}

async function create(context: CommandContext, id: string, options: CreateOptions): Promise<Shown> {
  const { name, rawCards, refunds, rules, cardReferences } = options
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

async function rotate(context: CommandContext, id: string, options: RotateOptions): Promise<Shown> {
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
async function setSettings(
  context: CommandContext,
  id: string,
  options: SetOptions,
): Promise<Shown> {
  const { name, rawCards, refunds, rules, cardReferences } = options
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
  const changed = await changeStore(context, id, { ...options, settings })
  const text =
    Object.keys(changed).length === 0
      ? `The store ${id} is so in ${environment} already.\n`
      : `Changed the store ${id} in ${environment}: ${settingsText(changed)}.\n`
  return { data: { id, environment, changed: shownSettings(changed) }, text }
}

/** Lets a store use the gateway, or not. */
async function setEnabled(
  context: CommandContext,
  id: string,
  options: SandboxOption & { readonly enabled: boolean },
): Promise<Shown> {
  const { enabled } = options
  const environment = environmentOf(options)
  await changeStore(context, id, { ...options, settings: { enabled } })
  const text = `The store ${id} is ${enabled ? 'enabled' : 'disabled'} in ${environment}.\n`
  return { data: { id, environment, enabled }, text }
}

async function changeStore(
  context: CommandContext,
  id: string,
  options: SandboxOption & { readonly settings: Partial<MerchantSettings> },
) {
  const changed = await withStores(context, options, (stores) =>
    stores.change(id, options.settings, operator()),
  )
  if (changed === undefined) throw unknownStore(id, environmentOf(options))
  return changed
}

const EXAMPLES = `
Examples
  cofre store create loja-um --name "Loja Um"
  cofre store create loja-um --sandbox --json
  cofre store list
  cofre store set loja-um --rules lenient --raw-cards off
  cofre store rotate loja-um
  cofre store rotate loja-um --at-once
  cofre store disable loja-um
  cofre store log loja-um
`
