import { createNotificationRecord } from '@cofre/notifications'
import { DATABASES } from '../../installation/databases.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
  table,
  timeOrNull,
  timeText,
} from '../line/command.js'
import { environmentNowMs } from '../line/environment-time.js'

interface ListOptions extends InEnvironment {
  readonly failing?: boolean
}

/** A person reads at most a page of text. */
const LISTED_MAX = 100

/** `cofre notifications`: unacknowledged notifications, and the record of attempts. */
export const notificationsCommands = {
  'notifications list': list,
  'notifications forget': forget,
}

async function list(
  context: CommandContext,
  { environment, failing = false }: ListOptions,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  return await DATABASES[environment].use(config, async (database) => {
    const notifications = createNotificationRecord(database)
    const backlog = await notifications.backlog()
    const all = backlog.filter(({ isFailing, isProbed }) => !failing || isFailing || isProbed)
    const listed = all.toSorted((a, b) => a.oldestMs - b.oldestMs).slice(0, LISTED_MAX)
    const stores: ListedStore[] = []
    for (const { merchantId: store, waiting, oldestMs, isFailing, isProbed } of listed) {
      const last = await notifications.lastRefusal(store)
      stores.push({
        store,
        waiting,
        oldest: timeText(oldestMs),
        failing: isFailing,
        probed: isProbed,
        lastAnswer: last === undefined ? null : String(last.statusCode ?? last.error),
        lastAt: timeOrNull(last?.atMs),
      })
    }
    const text =
      stores.length > 0
        ? `${tableOf(stores)}\n\n${stores.length} of ${all.length} such stores in ${environment}.\n`
        : `${failing ? 'No store is failing' : 'No notifications wait'} in ${environment}.\n`
    // The count of all, including those not listed.
    return { data: { environment, all: all.length, stores }, text }
  })
}

interface ForgetOptions extends InEnvironment {
  readonly olderThan: number
}

/** Deletes old attempts of finished notifications. */
async function forget(context: CommandContext, options: ForgetOptions): Promise<Shown> {
  const { environment, olderThan } = options
  const config = await gatewayConfig(context)
  const beforeMs = (await environmentNowMs(context, config, options)) - olderThan
  const deleted = await DATABASES[environment].use(config, (database) =>
    createNotificationRecord(database).forgetAttempts(beforeMs),
  )
  const before = timeText(beforeMs)
  const text = `Deleted ${deleted} attempts from before ${before} in ${environment}.\n`
  return { data: { environment, before, deleted }, text }
}

interface ListedStore {
  readonly store: string
  readonly waiting: number
  readonly oldest: string
  readonly failing: boolean
  /** The store has failed for long, and gets one probe per interval until it acknowledges one. */
  readonly probed: boolean
  /** A status, or the reason of a missing response; null if none of the waiting was sent. */
  readonly lastAnswer: string | null
  readonly lastAt: string | null
}

function tableOf(stores: readonly ListedStore[]): string {
  const rows = stores.map((listed) => [
    listed.store,
    listed.waiting,
    listed.oldest,
    stateOf(listed),
    listed.lastAnswer,
    listed.lastAt,
  ])
  return table(['Store', 'Waiting', 'Oldest', '', 'Last answer', 'At'], rows)
}

function stateOf({ failing: isFailing, probed: isProbed }: ListedStore): string {
  if (isProbed) return 'failing, one repeated every interval'
  return isFailing ? 'failing' : ''
}
