import { ARCHIVED_AFTER_MS, archiveTransactions } from '@cofre/gateway/upkeep'
import { DATABASES } from '../../installation/databases.js'
import {
  counted,
  type CommandContext,
  type Shown,
  gatewayConfig,
  timeText,
} from '../line/command.js'

interface ArchiveOptions {
  readonly olderThan?: number
}

export const archiveCommand = { archive }

/** Moves production's transactions that ended long ago out of the tables of current payments. */
async function archive(
  context: CommandContext,
  { olderThan: olderThanMs = ARCHIVED_AFTER_MS }: ArchiveOptions,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  const nowMs = context.clock.now()
  const { archived, kept } = await DATABASES.production.use(config, (database) =>
    archiveTransactions(database, { nowMs, olderThanMs }),
  )
  const before = timeText(nowMs - olderThanMs)
  const text =
    `Archived ${counted(archived, 'transaction')} from before ${before}.\n` +
    (kept === 0 ? '' : `${kept} just as old stay: ${REASONS_TO_STAY}.\n`)
  return { data: { before, archived, kept }, text }
}

const REASONS_TO_STAY =
  'they have newer or open parts (a refund, a notification, a charge, a surplus), or the search has not read them yet'
