import { ADVANCE_MAX_SECONDS, SECOND_MS, TRANSACTION_STATUSES } from '@cofre/contracts'
import type { TransactionStatus } from '@cofre/contracts'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { origin, storeId } from '../config/variables.js'
import { type CommandContext, type Shown, readSpan, reads, shows } from './command.js'
import { type SandboxAddress, type SandboxCommands, askSandbox } from './sandbox-client.js'

/** Commands that report one status of a transaction. */
const REPORTS = [
  ['pay', 'COMPLETE', 'The payer has paid'],
  ['cancel', 'CANCELLED', 'The payment is cancelled'],
  ['expire', 'EXPIRED', 'The payment has expired'],
  ['chargeback', 'CHARGEBACK', 'The payer has disputed the payment'],
] as const

/** What a command does with the sandbox that its options name. */
type Ask = (
  options: SandboxAddress,
  ask: (sandbox: SandboxCommands) => Promise<Shown>,
) => Promise<Shown>

/** `cofre sandbox`: plays the bank from a shop's own tests, here or against a sandbox elsewhere. */
export function addSandboxCommands(program: Command, context: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .summary('Plays the bank for tests: pay, cancel, expire, chargeback, status, refund, clock')
    .description(
      "Plays the sandbox's bank, for a shop's own tests. Every report notifies the shop, also of the status that a transaction already has.",
    )
    .addHelpText('after', EXAMPLES)
  const command = (name: string, description: string): Command =>
    addressed(sandbox.command(name)).description(description)
  const ask: Ask = (options, work) => askSandbox(context.config('dev'), options, work)
  for (const [name, status, event] of REPORTS)
    shows(
      command(name, `${event}: reports ${status} as the bank would.`).addArgument(
        transactionCode(),
      ),
      context,
      (code: string, options: SandboxAddress) => ask(options, report(code, status)),
    )
  shows(
    command('status', "Shows a transaction's status, or reports one as the bank would.")
      .addArgument(transactionCode())
      .argument('[status]', `The status to report: ${TRANSACTION_STATUSES.join(', ')}`, readStatus),
    context,
    (code: string, status: TransactionStatus | undefined, options: SandboxAddress) =>
      ask(options, status === undefined ? showStatus(code) : report(code, status)),
  )
  shows(
    command('refund', 'Ends a refund that is in process.')
      .argument('<refund id>', 'The id that POST /refunds answered', readCode)
      .addArgument(new Argument('<outcome>', 'How it ends').choices(['processed', 'rejected'])),
    context,
    (id: string, outcome: 'processed' | 'rejected', options: SandboxAddress) =>
      ask(options, finishRefund(id, outcome)),
  )
  shows(
    command(
      'advance',
      'Lets time pass for the whole sandbox: what has become due meanwhile happens now.',
    ).argument(
      '<time>',
      'How long, like 90, 10m, 24h or 8d; a bare number is seconds',
      readSeconds,
    ),
    context,
    (seconds: number, options: SandboxAddress) =>
      ask(
        options,
        showClock((bank) => bank.advanceClock(seconds)),
      ),
  )
  shows(command('clock', "Shows the sandbox's time."), context, (options: SandboxAddress) =>
    ask(
      options,
      showClock((bank) => bank.clock()),
    ),
  )
}

/** How every command takes where the sandbox is, and whose name to sign in. */
function addressed(command: Command): Command {
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
}

/** Reads an option as the variable of its kind is read. */
function reader(schema: typeof origin | typeof storeId): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text)
    if (read.success) return read.data
    throw new InvalidArgumentError(`It takes ${read.error.issues[0]?.message ?? ''}.`)
  }
}

const readCode = reads('It is a number of at most 15 digits.', (text) =>
  /^\d{1,15}$/.test(text) ? text : undefined,
)

const readStatus = reads(`It is one of ${TRANSACTION_STATUSES.join(', ')}.`, (text) =>
  TRANSACTION_STATUSES.find((known) => known === text.toUpperCase()),
)

const readSeconds = reads(
  'It takes a time like 90, 10m, 24h or 8d, of at most a leap year.',
  (text) => {
    const seconds = (readSpan(text) ?? Number.NaN) / SECOND_MS
    return seconds <= ADVANCE_MAX_SECONDS ? seconds : undefined
  },
)

function transactionCode(): Argument {
  return new Argument('<transaction code>', 'The code that POST /transactions answered').argParser(
    readCode,
  )
}

const report =
  (code: string, status: TransactionStatus) =>
  async (sandbox: SandboxCommands): Promise<Shown> => {
    const data = await sandbox.setStatus(code, status)
    return { data, text: `Transaction ${data['transaction-code']} is ${data.status}.\n` }
  }

const showStatus =
  (code: string) =>
  async (sandbox: SandboxCommands): Promise<Shown> => {
    const status = await sandbox.statusOf(code)
    return { data: { 'transaction-code': code, status }, text: `${status}\n` }
  }

const finishRefund =
  (id: string, outcome: 'processed' | 'rejected') =>
  async (sandbox: SandboxCommands): Promise<Shown> => {
    const data = await sandbox.finishRefund(id, outcome === 'processed' ? 'PROCESSED' : 'REJECTED')
    const text = `Refund ${data['refund-id']} of transaction ${data['transaction-code']} is ${data.status}.\n`
    return { data, text }
  }

const showClock =
  (ask: (sandbox: SandboxCommands) => ReturnType<SandboxCommands['clock']>) =>
  async (sandbox: SandboxCommands): Promise<Shown> => {
    const data = await ask(sandbox)
    return { data, text: `${data.now} (${data['ahead-seconds']} s ahead of the machine)\n` }
  }

const EXAMPLES = `
Examples
  cofre sandbox pay 12345678901234
  cofre sandbox status 12345678901234
  cofre sandbox refund 12345678905678 rejected
  cofre sandbox advance 24h --json
  cofre sandbox pay 12345678901234 --url https://sandbox.example.com --store my-store --secret-file key.txt
`
