import { Command, CommanderError } from 'commander'
import { addAuditCommands } from './commands/audit.js'
import { addBackupCommand } from './commands/backup.js'
import { addCardsCommands } from './commands/cards.js'
import { type CommandContext, UsageError, warningOfMisspelt } from './commands/command.js'
import { addDoctorCommand } from './commands/doctor.js'
import { addKeysCommands } from './commands/keys.js'
import { addMigrateCommand } from './commands/migrate.js'
import { addNotificationsCommands } from './commands/notifications.js'
import { addPayerCommands } from './commands/payer.js'
import { addRunCommands } from './commands/run.js'
import { addSandboxCommands } from './commands/sandbox.js'
import { addStoreCommands } from './commands/store.js'
import { addTransactionsCommands } from './commands/transactions.js'
import { productVersion, readConfig } from './config/config.js'
import { failureSentence, outputFailureSentence } from './failure-sentence.js'

const FAILED = 1
const MISUSED = 2

/** They report misspelt variables themselves: in the log, and among the findings. */
const REPORTING_COMMANDS = [addRunCommands, addDoctorCommand]
const COMMANDS = [
  addMigrateCommand,
  addBackupCommand,
  addStoreCommands,
  addPayerCommands,
  addTransactionsCommands,
  addNotificationsCommands,
  addSandboxCommands,
  addCardsCommands,
  addKeysCommands,
  addAuditCommands,
]

const EXAMPLES = `
Configuration is read from COFRE_* environment variables; see docs/configuration.md.
Exit codes: 0 done, 1 failed, 2 the command line cannot be understood.

Examples
  cofre dev
  COFRE_ACQUIRER=sandbox cofre serve --roles api,vault,worker
  cofre doctor
  cofre migrate
  cofre store create loja-um --name "Loja Um"
  cofre block 529.982.247-25 --sandbox
  cofre keys rotate
`

/** Runs the command line of a process, and has it end with the exit code. */
export async function main(process: NodeJS.Process): Promise<void> {
  // Else Node would throw where nothing catches, with a stack trace: `cofre store list | head -1`.
  process.stdout.on('error', (error: Error) => {
    process.stderr.write(`${outputFailureSentence(error)}\n`)
    process.exit(FAILED)
  })
  // Databases, keys and logs are for this user alone.
  process.umask(0o077)
  try {
    await runProgram(process.argv.slice(2), {
      clock: { now: () => Date.now() },
      config: (mode) => readConfig(process.env, mode),
      print: (text) => process.stdout.write(text),
      warn: (text) => process.stderr.write(text),
      fail: () => (process.exitCode = FAILED),
    })
  } catch (error) {
    process.stderr.write(`${failureSentence(error)}\n`)
    process.exitCode = error instanceof UsageError ? MISUSED : FAILED
  }
}

/**
 * Carries out a command line.
 * @param args - Without the program's name.
 * @throws UsageError, and what the command fails with
 */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<void> {
  const program = new Command('cofre')
    .description('A self-hosted card vault and payment gateway for Brazil.')
    .version(productVersion(), '-V, --version', 'output the version')
    .addHelpText('after', EXAMPLES)
    .configureOutput({
      writeOut: (text) => {
        context.print(text)
      },
      // Thrown instead, and reported by whoever ran the program.
      writeErr: () => undefined,
    })
    .exitOverride()
  for (const add of REPORTING_COMMANDS) add(program, context)
  for (const add of COMMANDS) add(program, warningOfMisspelt(context))
  try {
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
  } catch (error) {
    const { command, line } = commandOf(program, args)
    if (error instanceof UsageError) throw new UsageError(error.message, `${line} --help`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new UsageError(sentenceOf(error, command), `${line} --help`)
  }
}

/** The command that a command line names, as far as it names one. */
function commandOf(program: Command, args: readonly string[]): { command: Command; line: string } {
  let command = program
  let line = program.name()
  for (const arg of args) {
    const next = command.commands.find((each) => each.name() === arg)
    if (next === undefined) break
    command = next
    line = `${line} ${arg}`
  }
  return { command, line }
}

function sentenceOf({ code, message }: CommanderError, { commands }: Command): string {
  return code === 'commander.help'
    ? `this command needs the name of one of its own commands: ${commands.map((each) => each.name()).join(', ')}`
    : message.replace(/^error: /, '')
}
