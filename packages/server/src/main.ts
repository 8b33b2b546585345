import { text } from 'node:stream/consumers'
import { Command, CommanderError } from 'commander'
import { RUNNING, addCommands } from './commands/command-line.js'
import type { CommandContext } from './commands/line/command.js'
import { UsageError } from './commands/line/usage-error.js'
import { productVersion } from './config/product-version.js'
import { handleOutputErrors } from './process-output.js'

const FAILED = 1
const MISUSED = 2

/** Commands that report misspelt variables themselves, in the log or among the findings. */
const REPORTING = [...RUNNING, 'doctor']

type Print = CommandContext['print']

/** Runs the command line of a process, which then ends with the exit code. */
export async function main(process: NodeJS.Process): Promise<void> {
  const [, , name = ''] = process.argv
  handleOutputErrors(process, RUNNING.includes(name) ? 'service' : 'command')
  // Databases, keys and logs are only for this user.
  process.umask(0o077)
  const print: Print = (output) => process.stdout.write(output)
  try {
    await runCommandLine(process.argv.slice(2), print, () => contextOf(process, print))
  } catch (error) {
    const isUsage = error instanceof UsageError
    const sentence = isUsage
      ? error.sentence
      : (await import('./failure-sentence.js')).failureSentence(error)
    process.stderr.write(`${sentence}\n`)
    process.exitCode = isUsage ? MISUSED : FAILED
  }
}

/** A command's access to its process. Loaded when a command runs: the help needs none. */
async function contextOf(process: NodeJS.Process, print: Print): Promise<CommandContext> {
  const [{ readConfig }, { openBrowser }, { openTerminal, typedLines }] = await Promise.all([
    import('./config/config.js'),
    import('./commands/line/browser.js'),
    import('./commands/line/terminal.js'),
  ])
  return {
    clock: Date,
    config: (mode, trial) => readConfig(process.env, mode, trial),
    print,
    warn: (output) => process.stderr.write(output),
    fail: () => (process.exitCode = FAILED),
    input: () => text(process.stdin),
    ...(process.stdin.isTTY && {
      terminal: openTerminal(process.stdin, process.stderr),
      lines: (signal: AbortSignal) => typedLines(process.stdin, signal),
      openBrowser,
    }),
  }
}

/**
 * Runs a command line in a given context.
 * @param args - Without the program's name.
 * @throws UsageError, and the command's own errors
 */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<void> {
  await runCommandLine(
    args,
    (output) => {
      context.print(output)
    },
    () => Promise.resolve(context),
  )
}

async function runCommandLine(
  args: readonly string[],
  print: Print,
  context: () => Promise<CommandContext>,
): Promise<void> {
  const program = new Command('cofre')
    .version(productVersion(), '-V, --version', 'output the version')
    .configureOutput({
      writeOut: print,
      // Errors are thrown instead, and the caller reports them.
      writeErr: () => undefined,
    })
    .exitOverride()
  addCommands(program, async (name) => {
    if (REPORTING.includes(name)) return await context()
    const { warningOfMisspelt } = await import('./commands/line/command.js')
    return warningOfMisspelt(await context())
  })
  try {
    await program.parseAsync(withHelpOption(program, args), { from: 'user' })
  } catch (error) {
    const { command, line } = commandOf(program, args)
    if (error instanceof UsageError) throw new UsageError(error.message, `${line} --help`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new UsageError(sentenceOf(error, command), `${line} --help`)
  }
}

/**
 * `help store set` shows the same as `store set --help`: commander's own `help` takes only one
 * name.
 */
function withHelpOption(program: Command, args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help']
  const [first, ...names] = args
  const isHelp = first === 'help' && commandOf(program, names).line === `cofre ${names.join(' ')}`
  return isHelp ? [...names, '--help'] : args
}

/** The command that the start of a command line names. */
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
    : // It repeats typed text, which may contain a terminal's control codes.
      message.replace(/^error: /, '').replace(/[^\P{Cc}\n]/gu, '?')
}
