import {
  ADVANCE_MAX_SECONDS,
  SECOND_MS,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '@cofre/contracts'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { origin, storeId } from '../config/variable-rules.js'
import { type VariableRule, readSafely } from '../config/variable.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { type SandboxAddress, type SandboxHand, askSandbox } from './sandbox-hand.js'
import { readTimeSpan } from './time-span.js'

type SandboxOptions = JsonOption & SandboxAddress

/** Commands that report one status of a transaction. */
const REPORTS = [
  ['pay', 'COMPLETE', 'The payer has paid'],
  ['cancel', 'CANCELLED', 'The payment is cancelled'],
  ['expire', 'EXPIRED', 'The payment has expired'],
  ['chargeback', 'CHARGEBACK', 'The payer has disputed the payment'],
] as const

/** `cofre sandbox`: plays the bank from a shop's own tests, here or against a sandbox elsewhere. */
export function addSandboxCommands(program: Command, context: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .summary('Plays the bank for tests: pay, cancel, expire, chargeback, status, refund, clock')
    .description(
      "Plays the sandbox's bank, for a shop's own tests. Every report notifies the shop, also of the status that a transaction already has.",
    )
    .addHelpText('after', EXAMPLES)
  for (const [name, status, event] of REPORTS)
    reaching(sandbox.command(name))
      .description(`${event}: reports ${status} as the bank would.`)
      .addArgument(transactionCode())
      .action((code: string, options: SandboxOptions) => report(context, options, code, status))
  reaching(sandbox.command('status'))
    .description("Shows a transaction's status, or reports one as the bank would.")
    .addArgument(transactionCode())
    .argument('[status]', `The status to report: ${TRANSACTION_STATUSES.join(', ')}`, readStatus)
    .action((code: string, status: TransactionStatus | undefined, options: SandboxOptions) =>
      status === undefined
        ? showStatus(context, options, code)
        : report(context, options, code, status),
    )
  reaching(sandbox.command('refund'))
    .description('Ends a refund that is in process.')
    .addArgument(
      new Argument('<refund id>', 'The id that POST /refunds answered').argParser(readCode),
    )
    .addArgument(new Argument('<outcome>', 'How it ends').choices(['processed', 'rejected']))
    .action((id: string, outcome: 'processed' | 'rejected', options: SandboxOptions) =>
      finishRefund(context, options, { id, outcome }),
    )
  addClockCommands(sandbox, context)
}

function addClockCommands(sandbox: Command, context: CommandContext): void {
  const showClock = (
    options: SandboxOptions,
    ask: (hand: SandboxHand) => ReturnType<SandboxHand['clock']>,
  ) =>
    show(context, options, {
      ask,
      textOf: ({ now, 'ahead-seconds': ahead }) => `${now} (${ahead} s ahead of the machine)\n`,
    })
  reaching(sandbox.command('advance'))
    .description('Lets time pass for the whole sandbox: what has become due meanwhile happens now.')
    .argument('<time>', 'How long, like 90, 10m, 24h or 8d; a bare number is seconds', readSeconds)
    .action((seconds: number, options: SandboxOptions) =>
      showClock(options, (hand) => hand.advanceClock(seconds)),
    )
  reaching(sandbox.command('clock'))
    .description("Shows the sandbox's time.")
    .action((options: SandboxOptions) => showClock(options, (hand) => hand.clock()))
}

/** How every command takes where the sandbox is, and whose name to sign in. */
function reaching(command: Command): Command {
  return command
    .option(
      '--url <origin>',
      "The sandbox's origin (default: COFRE_API, COFRE_PUBLIC_SANDBOX_URL, or this machine's)",
      reader(origin),
    )
    .option(
      '--store <id>',
      'The store (default: COFRE_STORE_ID, COFRE_DEV_STORE_ID, or the test store)',
      reader(storeId),
    )
    .option(
      '--secret-file <file>',
      "A file with the store's secret key (default: what COFRE_SECRET or COFRE_DEV_STORE_SECRET says, or the test store's)",
    )
    .option(...JSON_OPTION)
}

function transactionCode(): Argument {
  return new Argument('<transaction code>', 'The code that POST /transactions answered').argParser(
    readCode,
  )
}

async function report(
  context: CommandContext,
  options: SandboxOptions,
  ...[code, status]: readonly [code: string, status: TransactionStatus]
): Promise<void> {
  await show(context, options, {
    ask: (hand) => hand.setStatus(code, status),
    textOf: (answer) => `Transaction ${answer['transaction-code']} is ${answer.status}.\n`,
  })
}

async function showStatus(
  context: CommandContext,
  options: SandboxOptions,
  code: string,
): Promise<void> {
  await show(context, options, {
    ask: async (hand) => ({ 'transaction-code': code, status: await hand.statusOf(code) }),
    textOf: ({ status }) => `${status}\n`,
  })
}

async function finishRefund(
  context: CommandContext,
  options: SandboxOptions,
  { id, outcome }: { readonly id: string; readonly outcome: 'processed' | 'rejected' },
): Promise<void> {
  const status = outcome === 'processed' ? 'PROCESSED' : 'REJECTED'
  await show(context, options, {
    ask: (hand) => hand.finishRefund(id, status),
    textOf: (answer) =>
      `Refund ${answer['refund-id']} of transaction ${answer['transaction-code']} is ${answer.status}.\n`,
  })
}

async function show<Answer>(
  context: CommandContext,
  options: SandboxOptions,
  {
    ask,
    textOf,
  }: {
    readonly ask: (hand: SandboxHand) => Promise<Answer>
    readonly textOf: (answer: Answer) => string
  },
): Promise<void> {
  const data = await askSandbox(context.config('dev'), options, ask)
  printData(context, options, { data, text: textOf(data) })
}

function reader(rule: VariableRule<string>): (text: string) => string {
  return (text) => {
    const value = readSafely(rule, text)
    if (value !== undefined) return value
    throw new InvalidArgumentError(`It takes ${rule.accepts}.`)
  }
}

function readCode(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text
  throw new InvalidArgumentError('It is a number of at most 15 digits.')
}

function readStatus(text: string): TransactionStatus {
  const status = TRANSACTION_STATUSES.find((known) => known === text.toUpperCase())
  if (status !== undefined) return status
  throw new InvalidArgumentError(`It is one of ${TRANSACTION_STATUSES.join(', ')}.`)
}

function readSeconds(text: string): number {
  const seconds = (readTimeSpan(text) ?? Number.NaN) / SECOND_MS
  if (seconds <= ADVANCE_MAX_SECONDS) return seconds
  throw new InvalidArgumentError('It takes a time like 90, 10m, 24h or 8d, of at most a leap year.')
}

const EXAMPLES = `
Examples
  cofre sandbox pay 12345678901234
  cofre sandbox status 12345678901234
  cofre sandbox refund 12345678905678 rejected
  cofre sandbox advance 24h --json
  cofre sandbox pay 12345678901234 --url https://sandbox.example.com --store my-store --secret-file key.txt
`
