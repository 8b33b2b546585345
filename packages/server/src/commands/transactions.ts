import { type Environment, MINUTE_MS, formatAmount } from '@cofre/contracts'
import { type Transaction, createSqlUnderReviewStore } from '@cofre/gateway'
import { createSqlTestClockStore } from '@cofre/sandbox'
import { type Command, Option } from 'commander'
import { DATABASES } from '../installation/databases.js'
import {
  type CommandContext,
  type Shown,
  environmentOption,
  gatewayConfig,
  readSpan,
  reads,
  shows,
  table,
} from './command.js'

interface ListOptions {
  readonly environment: Environment
  readonly status: 'UNDER-REVIEW'
  readonly olderThan: number
}

/** However many there are, a page of text is what somebody reads. */
const LISTED_MAX = 100

/** `cofre transactions`: those that an operator has to look after. */
export function addTransactionsCommands(program: Command, context: CommandContext): void {
  const listing = program
    .command('transactions')
    .summary('Transactions whose outcome stays unknown: list')
    .description('Transactions that an operator has to look after.')
    .addHelpText('after', EXAMPLES)
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
      reads('It takes a time like 90, 10m, 24h or 8d.', readSpan),
      0,
    )
    .addOption(environmentOption())
    .addHelpText('after', EXAMPLES)
  shows(listing, context, (options: ListOptions) => list(context, options))
}

async function list(
  context: CommandContext,
  { olderThan, environment, status }: ListOptions,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  // By how much the sandbox's clock is ahead of the machine's.
  const aheadMs =
    environment === 'sandbox'
      ? await DATABASES.bank.use(config, (bank) => createSqlTestClockStore(bank).offsetMs())
      : 0
  const nowMs = context.clock.now() + aheadMs
  return await DATABASES[environment].use(config, async (database) => {
    const store = createSqlUnderReviewStore(database)
    const transactions = (await store.find(nowMs - olderThan, LISTED_MAX)).map(shown)
    const { answer, review } = await store.count()
    // How many there are, also those that are not listed.
    const all = answer.count + review.count
    const sum = `${transactions.length} of the ${all} transactions that are ${status} in ${environment}.\n`
    const text = transactions.length === 0 ? sum : `${tableOf(transactions, nowMs)}\n\n${sum}`
    return { data: { status, environment, all, transactions }, text }
  })
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

function tableOf(transactions: readonly ReturnType<typeof shown>[], nowMs: number): string {
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
  const headings = ['Code', 'Store', 'Reference', 'Amount', 'Status', 'Since', 'For', 'Waits for']
  return table(headings, rows)
}

const EXAMPLES = `
Of what is listed, Cofre asks again by itself for what waits for an answer; what waits for a review is the acquirer's to decide.

Examples
  cofre transactions list --status UNDER-REVIEW
  cofre transactions list --status UNDER-REVIEW --older-than 10m --json
  cofre transactions list --status UNDER-REVIEW --environment sandbox
`
