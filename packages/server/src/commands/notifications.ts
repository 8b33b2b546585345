import type { Environment } from '@cofre/contracts'
import { createSqlNotificationStore } from '@cofre/gateway'
import type { Command } from 'commander'
import { openEnvironmentDatabase, refuseMissingGateway } from '../environment-database.js'
import { refuseVaultZone } from '../zone.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { type EnvironmentOption, environmentOption } from './environment-option.js'
import { table } from './table.js'

interface ListOptions extends JsonOption, EnvironmentOption {
  readonly failing?: true
}

/** However many stores there are, a page of text is what somebody reads. */
const LISTED_MAX = 100

/** `cofre notifications`: what stores have not acknowledged. */
export function addNotificationsCommands(program: Command, context: CommandContext): void {
  const notifications = program
    .command('notifications')
    .summary('What stores have not acknowledged: list')
    .description('Notifications that stores have not acknowledged.')
    .addHelpText('after', EXAMPLES)
  notifications
    .command('list')
    .description(
      `Shows the stores for which notifications wait, longest first, at most ${LISTED_MAX}: how many, since when, and what each answered last.`,
    )
    .option('--failing', 'Only stores that did not acknowledge the last one that they were sent')
    .addOption(environmentOption())
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => list(context, options))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { environment, failing } = options
  const config = context.config('dev')
  refuseVaultZone(config)
  await refuseMissingGateway(config)
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const notifications = createSqlNotificationStore(database)
    const all = (await notifications.backlog()).filter(
      ({ isFailing }) => failing !== true || isFailing,
    )
    const listed = all.toSorted((a, b) => a.oldestMs - b.oldestMs).slice(0, LISTED_MAX)
    const stores: ListedStore[] = []
    for (const { merchantId: store, waiting, oldestMs, isFailing, isProbed } of listed) {
      const last = await notifications.lastRefusal(store)
      stores.push({
        store,
        waiting,
        oldest: new Date(oldestMs).toISOString(),
        failing: isFailing,
        probed: isProbed,
        lastAnswer: last === undefined ? null : String(last.statusCode ?? last.error),
        lastAt: last === undefined ? null : new Date(last.atMs).toISOString(),
      })
    }
    const data = { environment, all: all.length, stores }
    printData(context, options, { data, text: `${textOf(data, failing === true)}\n` })
  } finally {
    await database.close()
  }
}

interface ListedStore {
  readonly store: string
  readonly waiting: number
  readonly oldest: string
  readonly failing: boolean
  /** It has failed for long: it is sent one of them every interval until it acknowledges one. */
  readonly probed: boolean
  /** A status, or why there was no answer; null when it was sent nothing of what waits. */
  readonly lastAnswer: string | null
  readonly lastAt: string | null
}

interface Listed {
  readonly environment: Environment
  /** How many stores there are, also those that are not listed. */
  readonly all: number
  readonly stores: readonly ListedStore[]
}

function textOf({ environment, all, stores }: Listed, onlyFailing: boolean): string {
  if (all === 0)
    return onlyFailing
      ? `No store is failing in ${environment}.`
      : `No notifications wait in ${environment}.`
  const sum = `${stores.length} of ${all} such stores in ${environment}.`
  const rows = stores.map((listed) => [
    listed.store,
    String(listed.waiting),
    listed.oldest,
    stateOf(listed),
    listed.lastAnswer ?? '',
    listed.lastAt ?? '',
  ])
  return `${table(['Store', 'Waiting', 'Oldest', '', 'Last answer', 'At'], rows)}\n\n${sum}`
}

function stateOf({ failing: isFailing, probed: isProbed }: ListedStore): string {
  if (isProbed) return 'failing, one tried every interval'
  return isFailing ? 'failing' : ''
}

const EXAMPLES = `
Examples
  cofre notifications list --failing
  cofre notifications list --failing --environment sandbox --json
`
