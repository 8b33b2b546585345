import { randomBytes } from 'node:crypto'
import { DAY_MS, type Environment, Secret } from '@cofre/contracts'
import {
  type Merchant,
  type MerchantStore,
  type RefundRight,
  createSecretWrapping,
  createSqlMerchantStore,
} from '@cofre/gateway'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { openEnvironmentDatabase, refuseMissingGateway } from '../environment-database.js'
import { openGatewayKeys } from '../gateway-keys.js'
import { SetupError } from '../setup-error.js'
import { refuseVaultZone } from '../zone.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { table } from './table.js'

interface StoreOptions extends JsonOption {
  readonly sandbox?: true
}

interface CreateOptions extends StoreOptions {
  readonly name?: string
  readonly rawCards?: true
  readonly refunds: RefundRight
}

interface RotateOptions extends StoreOptions {
  readonly atOnce?: true
}

const REFUNDS: readonly RefundRight[] = ['full-and-partial', 'full', 'none', 'reseller']
const SANDBOX = ['--sandbox', 'In the sandbox (production otherwise)'] as const
/** How long the secret before a rotation still signs. */
const GRACE_MS = DAY_MS

/** `cofre store`: the stores that may use the gateway. */
export function addStoreCommands(program: Command, context: CommandContext): void {
  const store = program
    .command('store')
    .summary('The stores that may use the gateway: create, list, rotate, enable, disable')
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
    .option('--name <name>', 'What payers see; the id otherwise')
    .option('--raw-cards', 'May send card numbers itself (PCI DSS level 1 or 2 only)')
    .addOption(
      new Option('--refunds <right>', 'What it may refund')
        .choices(REFUNDS)
        .default('full-and-partial'),
    )
    .action((id: string | undefined, options: CreateOptions) => create(context, id, options))
  command('list', 'Shows the stores, without their secrets.').action((options: StoreOptions) =>
    list(context, options),
  )
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
}

async function create(
  context: CommandContext,
  givenId: string | undefined,
  options: CreateOptions,
): Promise<void> {
  const { name, rawCards, refunds, sandbox } = options
  const id = givenId ?? `store-${randomBytes(4).toString('hex')}`
  const secret = drawSecret()
  const merchant: Merchant = {
    id,
    name: name ?? id,
    secret,
    enabled: true,
    mayUseRawCards: rawCards === true,
    refunds,
  }
  const isNew = await withStores(context, { ...options, mayBeFirst: true }, (stores) =>
    stores.create(merchant),
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
  const data = stores.map(({ id, name, enabled, mayUseRawCards, refunds, previousSecret }) => ({
    id,
    name,
    enabled,
    rawCards: mayUseRawCards,
    refunds,
    previousSecretUntil:
      previousSecret !== undefined && previousSecret.untilMs > nowMs
        ? new Date(previousSecret.untilMs).toISOString()
        : null,
  }))
  const rows = data.map((store) => [
    store.id,
    store.enabled ? 'enabled' : 'DISABLED',
    store.refunds,
    store.rawCards ? 'raw cards' : '',
    store.name,
    store.previousSecretUntil === null ? '' : `(old secret until ${store.previousSecretUntil})`,
  ])
  const headings = ['Store', 'State', 'May refund', 'Raw cards', 'Name', '']
  const text =
    rows.length === 0 ? 'There is no store yet: cofre store create' : table(headings, rows)
  printData(context, options, { data, text: `${text}\n` })
}

async function rotate(context: CommandContext, id: string, options: RotateOptions): Promise<void> {
  const environment = environmentOf(options.sandbox)
  const secret = drawSecret()
  const untilMs = context.clock.now() + (options.atOnce === true ? 0 : GRACE_MS)
  const isThere = await withStores(context, options, (stores) =>
    stores.rotateSecret(id, secret, untilMs),
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

async function setEnabled(
  context: CommandContext,
  id: string,
  options: StoreOptions & { readonly enabled: boolean },
): Promise<void> {
  const { enabled, sandbox } = options
  const environment = environmentOf(sandbox)
  const isThere = await withStores(context, options, (stores) => stores.setEnabled(id, enabled))
  if (!isThere) throw unknownStore(id, environment)
  const text = `The store ${id} is ${enabled ? 'enabled' : 'disabled'} in ${environment}.\n`
  printData(context, options, { data: { id, environment, enabled }, text })
}

async function withStores<T>(
  context: CommandContext,
  { sandbox, mayBeFirst }: StoreOptions & { readonly mayBeFirst?: true },
  work: (stores: MerchantStore) => Promise<T>,
): Promise<T> {
  const config = context.config('dev')
  const environment = environmentOf(sandbox)
  refuseVaultZone(config)
  if (mayBeFirst !== true) await refuseMissingGateway(config)
  const secrets = createSecretWrapping(environment, await openGatewayKeys(config))
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const stores = createSqlMerchantStore({ database, clock: context.clock, secrets })
    await stores.rewrapSecrets()
    return await work(stores)
  } finally {
    await database.close()
  }
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

function environmentOf(sandbox: true | undefined): Environment {
  return sandbox === true ? 'sandbox' : 'production'
}

function unknownStore(id: string, environment: Environment): SetupError {
  return new SetupError(`There is no store ${id} in ${environment}`, 'see cofre store list')
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
  cofre store rotate loja-um
  cofre store rotate loja-um --at-once
  cofre store disable loja-um
`
