import { type Environment, MINUTE_MS, formatAmount } from '@cofre/contracts'
import { type Transaction, createSqlUnderReviewStore } from '@cofre/gateway'
import { createSqlTestClockStore } from '@cofre/sandbox'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../config/config.js'
import {
  openBankDatabase,
  openEnvironmentDatabase,
  refuseMissingGateway,
} from '../environment-database.js'
import { refuseVaultZone } from '../zone.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { type EnvironmentOption, environmentOption } from './environment-option.js'
import { table } from './table.js'
import { readTimeSpan } from './time-span.js'

interface ListOptions extends JsonOption, EnvironmentOption {
  readonly status: 'UNDER-REVIEW'
  readonly olderThan: number
}

/** However many there are, a page of text is what somebody reads. */
const LISTED_MAX = 100

/** `cofre transactions`: those that an operator has to look after. */
export function addTransactionsCommands(program: Command, context: CommandContext): void {
  const transactions = program
    .command('transactions')
    .summary('Transactions whose outcome stays unknown: list')
    .description('Transactions that an operator has to look after.')
    .addHelpText('after', EXAMPLES)
  transactions
    .command('list')
    .description(
      `Shows the transactions of a status, of every store, longest in it first, at most ${LISTED_MAX}.`,
    )
    .addOption(
      new Option('--status <status>', 'The status').choices(['UNDER-REVIEW']).makeOptionMandatory(),
    )
    .option(
      '--older-than <time>',
      'In it for longer than this, like 10m, 24h or 8d; a bare number is seconds',
      readAge,
      0,
    )
    .addOption(environmentOption())
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => list(context, options))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { olderThan, environment, status } = options
  const config = context.config('dev')
  refuseVaultZone(config)
  await refuseMissingGateway(config)
  const nowMs = context.clock.now() + (environment === 'sandbox' ? await aheadMs(config) : 0)
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const store = createSqlUnderReviewStore(database)
    const found = await store.find(nowMs - olderThan, LISTED_MAX)
    const { answer, review } = await store.count()
    const data = {
      status,
      environment,
      all: answer.count + review.count,
      transactions: found.map(shown),
    }
    printData(context, options, { data, text: textOf(data, nowMs) })
  } finally {
    await database.close()
  }
}

/** By how much the sandbox's clock is ahead of the machine's. */
async function aheadMs(config: Config): Promise<number> {
  const database = await openBankDatabase(config)
  try {
    return await createSqlTestClockStore(database).offsetMs()
  } finally {
    await database.close()
  }
}

function shown(transaction: Transaction) {
  return {
    code: String(transaction.code),
    store: transaction.merchantId,
    reference: transaction.reference,
    amount: formatAmount(transaction.chargedMinor),
    status: transaction.status,
    since: new Date(transaction.statusChangedAtMs).toISOString(),
    // An answer Cofre asks for by itself; a review is the acquirer's.
    waitsFor: transaction.open ? 'answer' : 'review',
  }
}

interface Listed {
  readonly status: string
  readonly environment: Environment
  /** How many there are, also those that are not listed. */
  readonly all: number
  readonly transactions: readonly ReturnType<typeof shown>[]
}

function textOf({ status, environment, all, transactions }: Listed, nowMs: number): string {
  const rows = transactions.map((transaction) => [
    transaction.code,
    transaction.store,
    transaction.reference,
    transaction.amount,
    transaction.status,
    transaction.since,
    `${Math.floor((nowMs - Date.parse(transaction.since)) / MINUTE_MS)} min`,
    transaction.waitsFor,
  ])
  const sum = `${rows.length} of the ${all} transactions that are ${status} in ${environment}.`
  return rows.length === 0 ? `${sum}\n` : `${table(HEADINGS, rows)}\n\n${sum}\n`
}

function readAge(text: string): number {
  const ageMs = readTimeSpan(text)
  if (ageMs !== undefined) return ageMs
  throw new InvalidArgumentError('It takes a time like 90, 10m, 24h or 8d.')
}

const HEADINGS = ['Code', 'Store', 'Reference', 'Amount', 'Status', 'Since', 'For', 'Waits for']

const EXAMPLES = `
Of what is listed, Cofre asks again by itself for what waits for an answer; what waits for a review is the acquirer's to decide.

Examples
  cofre transactions list --status UNDER-REVIEW
  cofre transactions list --status UNDER-REVIEW --older-than 10m --json
  cofre transactions list --status UNDER-REVIEW --environment sandbox
`
