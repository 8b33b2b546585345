import { randomBytes } from 'node:crypto'
import { DAY_MS, type Environment, type RequestRules, Secret } from '@cofre/contracts'
import type { Merchant, RefundRight } from '@cofre/gateway'
import { type Command, InvalidArgumentError } from 'commander'
import { SetupError } from '../setup-error.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { LISTED, LISTED_MAX, readLimit } from './listed-limit.js'
import { type StoreOptions, environmentOf, unknownStore, withStores } from './opened-stores.js'
import { operator } from './operator.js'
import { type LogOptions, listStoreLog } from './store-log.js'
import {
  type CardReferences,
  type SetOptions,
  cardReferencesOption,
  nameOption,
  rawCardsOption,
  refundsOption,
  rulesOption,
  setEnabled,
  setSettings,
} from './store-settings.js'
import { table } from './table.js'

interface CreateOptions extends StoreOptions {
  readonly name?: string
  readonly rawCards?: true
  readonly refunds: RefundRight
  readonly rules: RequestRules
  readonly cardReferences: CardReferences
}

interface RotateOptions extends StoreOptions {
  readonly atOnce?: true
}

const SANDBOX = ['--sandbox', 'In the sandbox (production otherwise)'] as const
/** How long the secret before a rotation still signs. */
const GRACE_MS = DAY_MS

/** `cofre store`: the stores that may use the gateway. */
export function addStoreCommands(program: Command, context: CommandContext): void {
  const store = program
    .command('store')
    .summary('The stores that may use the gateway: create, list, set, rotate, enable, disable, log')
    .description(
      'The stores that may use the gateway, in production or in the sandbox, each with a secret of its own that signs its requests. Running processes heed every change at once.',
    )
    .addHelpText('after', EXAMPLES)
  const command = (name: string, description: string): Command =>
    store
      .command(name)
      .description(description)
      .option(...SANDBOX)
      .option(...JSON_OPTION)
  command('create', 'Creates a store and prints its secret, once: the database keeps it wrapped.')
    .argument('[id]', 'Its id, of 1 to 64 letters, digits, - and _; drawn when absent', readId)
    .addOption(nameOption('What payers see; the id otherwise'))
    .option('--raw-cards', 'May send card numbers itself (PCI DSS level 1 or 2 only)')
    .addOption(refundsOption().default('full-and-partial'))
    .addOption(rulesOption().default('specification'))
    .addOption(cardReferencesOption().default('allow'))
    .action((id: string | undefined, options: CreateOptions) => create(context, id, options))
  command('list', 'Shows the stores, without their secrets.').action((options: StoreOptions) =>
    list(context, options),
  )
  command('set', "Changes a store's name, rights or rules; what is not named stays as it is.")
    .argument('<id>', 'The store', readId)
    .addOption(nameOption('What payers see'))
    .addOption(rawCardsOption())
    .addOption(refundsOption())
    .addOption(rulesOption())
    .addOption(cardReferencesOption())
    .action((id: string, options: SetOptions) => setSettings(context, id, options))
  command(
    'rotate',
    'Gives a store a new secret and prints it, once. The old one signs for 24 hours.',
  )
    .argument('<id>', 'The store', readId)
    .option('--at-once', 'The old secret stops signing now: it is known to somebody else')
    .action((id: string, options: RotateOptions) => rotate(context, id, options))
  command('enable', 'Lets a store use the gateway again.')
    .argument('<id>', 'The store', readId)
    .action((id: string, options: StoreOptions) =>
      setEnabled(context, id, { ...options, enabled: true }),
    )
  command(
    'disable',
    'Refuses every request of a store (401), until it is enabled. Its notifications go on.',
  )
    .argument('<id>', 'The store', readId)
    .action((id: string, options: StoreOptions) =>
      setEnabled(context, id, { ...options, enabled: false }),
    )
  command('log', 'Shows who created, changed or rotated which store, and when, the newest first.')
    .argument('[id]', 'Only this store', readId)
    .option('--limit <n>', `How many at most (to ${LISTED_MAX})`, readLimit, LISTED)
    .action((id: string | undefined, options: LogOptions) => listStoreLog(context, id, options))
}

async function create(
  context: CommandContext,
  givenId: string | undefined,
  options: CreateOptions,
): Promise<void> {
  const { name, rawCards, refunds, rules, cardReferences, sandbox } = options
  const id = givenId ?? `store-${randomBytes(4).toString('hex')}`
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
  const environment = environmentOf(sandbox)
  if (!isNew)
    throw new SetupError(`There is a store ${id} in ${environment} already`, 'see cofre store list')
  printSecret(context, options, {
    data: { id, environment, secret: secret.reveal() },
    told: `The store ${id} may use the gateway in ${environment} now.`,
  })
}

async function list(context: CommandContext, options: StoreOptions): Promise<void> {
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
  printData(context, options, { data, text: `${text}\n` })
}

function previousSecretUntil({ previousSecret }: Merchant, nowMs: number): string | null {
  return previousSecret !== undefined && previousSecret.untilMs > nowMs
    ? new Date(previousSecret.untilMs).toISOString()
    : null
}

async function rotate(context: CommandContext, id: string, options: RotateOptions): Promise<void> {
  const environment = environmentOf(options.sandbox)
  const secret = drawSecret()
  const untilMs = context.clock.now() + (options.atOnce === true ? 0 : GRACE_MS)
  const isThere = await withStores(context, options, (stores) =>
    stores.rotateSecret(id, secret, { previousUntilMs: untilMs, actor: operator() }),
  )
  if (!isThere) throw unknownStore(id, environment)
  const until = new Date(untilMs).toISOString()
  printSecret(context, options, {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil: until },
    told:
      options.atOnce === true
        ? `The store ${id} has a new secret in ${environment}; the old one does not sign any more.`
        : `The store ${id} has a new secret in ${environment}; the old one signs until ${until}.`,
  })
}

interface StoreSecret {
  readonly id: string
  readonly environment: Environment
  readonly secret: string
  readonly previousSecretUntil?: string
}

function printSecret(
  context: CommandContext,
  options: JsonOption,
  shown: { readonly data: StoreSecret; readonly told: string },
): void {
  const { data, told } = shown
  const text = `${told}\n\n  Secret key  ${data.secret}\n\nIt is shown this once. Give it to the store's developer, and to nobody else.\n`
  printData(context, options, { data, text })
}

function drawSecret(): Secret<string> {
  return new Secret(randomBytes(32).toString('base64url'))
}

function readId(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('A store id is 1 to 64 letters, digits, - and _.')
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
