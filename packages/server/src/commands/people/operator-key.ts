import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type OperatorKey,
  type OperatorKeys,
  type OperatorScope,
  USUAL_SCOPES,
  createOperatorKeys,
  readPublicKey,
} from '@cofre/operator'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import {
  type CommandContext,
  type Shown,
  UsageError,
  filledTable,
  gatewayConfig,
  timeOrNull,
  timeText,
} from '../line/command.js'

interface AddOptions {
  readonly publicKey: string
  readonly name: string
  readonly scopes?: readonly OperatorScope[]
  readonly until?: number
  readonly address?: readonly string[]
}

interface KeyOptions {
  readonly key: string
}

/** `cofre operator-key`: keys for the API of operators, in production's database. */
export const operatorKeyCommands = {
  'operator-key add': add,
  'operator-key list': list,
  'operator-key end': end,
}

async function withKeys<Result>(
  context: CommandContext,
  work: (keys: OperatorKeys) => Promise<Result>,
): Promise<Result> {
  const config = await gatewayConfig(context)
  return await DATABASES.production.use(config, (database) =>
    work(createOperatorKeys({ database, clock: context.clock })),
  )
}

async function add(context: CommandContext, options: AddOptions): Promise<Shown> {
  const { name, scopes = USUAL_SCOPES, until: endsAtMs, address: addresses = [] } = options
  if (endsAtMs !== undefined && endsAtMs <= context.clock.now())
    throw new UsageError('--until takes a time that is still to come')
  const read = readPublicKey(textOf(options.publicKey))
  if ('wrong' in read) throw new SetupError(`${options.publicKey}: ${read.wrong}`, 'see --help')
  const id = `op-${randomBytes(4).toString('hex')}`
  const key = { id, name, publicKey: read.key, scopes, addresses, endsAtMs }
  await withKeys(context, (keys) => keys.add(key))
  const until = endsAtMs === undefined ? '' : `, until ${timeText(endsAtMs)}`
  const from = addresses.length === 0 ? 'any address' : addresses.join(', ')
  return {
    data: shownKey({ ...key, createdAtMs: context.clock.now() }),
    text: `The operator's key ${id} may sign ${scopes.join(', ')} from ${from}${until}.\n`,
  }
}

/** @throws SetupError */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SetupError(`${file} cannot be read`, error)
  }
}

async function list(context: CommandContext): Promise<Shown> {
  const shown = (await withKeys(context, (keys) => keys.list())).map(shownKey)
  const rows = shown.map((key) => [
    key.key,
    key.name,
    key.scopes.join(', '),
    key.addresses.join(', '),
    key.usedAt,
    key.endsAt,
  ])
  const headings = ['Key', 'Name', 'Scopes', 'From', 'Last used', 'End']
  const none = 'No keys of operators: add one with cofre operator-key add\n'
  return { data: shown, text: shown.length === 0 ? none : `${filledTable(headings, rows)}\n` }
}

function shownKey({ id, name, scopes, addresses, ...times }: OperatorKey) {
  return {
    key: id,
    name,
    scopes,
    addresses,
    createdAt: timeText(times.createdAtMs),
    usedAt: timeOrNull(times.usedAtMs),
    endsAt: timeOrNull(times.endsAtMs),
  }
}

async function end(context: CommandContext, { key }: KeyOptions): Promise<Shown> {
  if (!(await withKeys(context, (keys) => keys.end(key))))
    throw new SetupError(`There is no live key ${key}`, 'see cofre operator-key list')
  return { data: { key, ended: true }, text: `The operator's key ${key} signs nothing more.\n` }
}
