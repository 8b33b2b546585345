import { text } from 'node:stream/consumers'
import { Command, CommanderError } from 'commander'
import { openBrowser } from './commands/browser.js'
import { type Handler, addCommands } from './commands/command-line.js'
import { type CommandContext, UsageError, warningOfMisspelt } from './commands/command.js'
import { runCommands } from './commands/run.js'
import { openTerminal, typedLines } from './commands/terminal.js'
import { productVersion, readConfig } from './config/config.js'
import { failureSentence } from './failure-sentence.js'
import { hearOutputErrors } from './process-output.js'

const FAILED = 1
const MISUSED = 2

/** They report misspelt variables themselves: in the log, and among the findings. */
const REPORTING = [...Object.keys(runCommands), 'doctor']

/** Runs the command line of a process, and has it end with the exit code. */
export async function main(process: NodeJS.Process): Promise<void> {
  const [, , name = ''] = process.argv
  hearOutputErrors(process, Object.hasOwn(runCommands, name) ? 'service' : 'command')
  // Databases, keys and logs are for this user alone.
  process.umask(0o077)
  try {
    await runProgram(process.argv.slice(2), {
      clock: Date,
      config: (mode) => readConfig(process.env, mode),
      print: (output) => process.stdout.write(output),
      warn: (output) => process.stderr.write(output),
      fail: () => (process.exitCode = FAILED),
      input: () => text(process.stdin),
      ...(process.stdin.isTTY && {
        terminal: openTerminal(process.stdin, process.stderr),
        lines: (signal) => typedLines(process.stdin, signal),
        openBrowser,
      }),
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
    .version(productVersion(), '-V, --version', 'output the version')
    .configureOutput({
      writeOut: (text) => {
        context.print(text)
      },
      // Thrown instead, and reported by whoever ran the program.
      writeErr: () => undefined,
    })
    .exitOverride()
  const warning = warningOfMisspelt(context)
  addCommands(program, await handlersFor(args), (name) =>
    REPORTING.includes(name) ? context : warning,
  )
  try {
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
  } catch (error) {
    const { command, line } = commandOf(program, args)
    if (error instanceof UsageError) throw new UsageError(error.message, `${line} --help`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new UsageError(sentenceOf(error, command), `${line} --help`)
  }
}

/** A process in service is smaller, and starts sooner, without what the other commands load. */
async function handlersFor([name = '']: readonly string[]): Promise<Record<string, Handler>> {
  if (Object.hasOwn(runCommands, name)) return runCommands
  const { otherCommands } = await import('./commands/other-commands.js')
  return { ...runCommands, ...otherCommands }
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
    : // It repeats what was typed, which a terminal would take for its own commands.
      message.replace(/^error: /, '').replace(/[^\P{Cc}\n]/gu, '?')
}
